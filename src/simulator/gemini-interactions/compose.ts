import { versionOf } from '../gemini/models.ts';
import type { GeminiAnswer, GeminiPart } from '../gemini/script.ts';
import {
  allowedParts,
  partTokens,
  type SharedPart,
  summaryOf,
  thoughtTokens,
  visibleTokens,
} from '../gemini/within-budget.ts';
import { stableJson, type Wire } from '../json.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import type { InteractionsContext } from './context.ts';
import type { InteractionRequest } from './request.ts';
import { stepDigest } from './steps.ts';

/** An answer, or one interaction's share of it. */
export interface Composed {
  readonly steps: readonly Wire[];
  readonly status: string;
  readonly outputTokens: number;
  readonly thoughtTokens: number;
  readonly toolUseTokens: number;
}

export interface AnswerPlace {
  readonly label: string;
  readonly ids: Seeded;
}

/** Turns a script's answer into steps, with what the request allows of it, signed. One for each interaction it takes. */
export function composeAnswer(
  context: InteractionsContext,
  request: InteractionRequest,
  answer: GeminiAnswer,
  place: AnswerPlace,
): readonly [Composed, ...Composed[]] {
  const { parts, isCut } = allowedParts(answer, request.thinking.thinks, request.config.max_output_tokens);
  const kept = withThought(parts, request);
  let at = 0;
  const drafts = kept.flatMap(({ part, share }) =>
    stepsOf(part, request, place.ids, (on, thought) =>
      context.sealer.seal({
        host: request.caller.host,
        project: request.caller.project,
        model: versionOf(request.model),
        generation: request.model.generation,
        text: thought?.think ?? '',
        tokens: thought ? partTokens(thought) : 0,
        answer: place.label,
        at: at++,
        on,
        ...(thought && 'plan' in thought && { plan: thought.plan }),
      }),
    ).map((step) => ({ step, share })),
  );
  const last = kept.at(-1)?.share ?? 0;
  const shareOf = (share: number): Composed => {
    const own = kept.filter((one) => one.share === share).map(({ part }) => part);
    const calls = own.some((part) => 'tool' in part);
    return {
      steps: drafts.filter((one) => one.share === share).map(({ step }) => step),
      status: share < last ? 'requires_continuation' : statusOf(answer, isCut, calls),
      outputTokens: visibleTokens(own),
      thoughtTokens: thoughtTokens(own),
      toolUseTokens: own.reduce((sum, part) => sum + toolUse(part), 0),
    };
  };
  return [shareOf(0), ...Array.from({ length: last }, (_, index) => shareOf(index + 1))];
}

type Thought = Extract<GeminiPart, { readonly think: string }>;

/** Calls never come without a thought, if an empty one. */
function withThought(parts: readonly SharedPart[], { model }: InteractionRequest): readonly SharedPart[] {
  const call = parts.findIndex(({ part }) => 'tool' in part);
  const thought = parts.findIndex(({ part }) => 'think' in part);
  if (!model.requiresSignatures || call < 0 || (thought >= 0 && thought < call)) return parts;
  return parts.toSpliced(call, 0, { part: { think: '', tokens: 0 }, share: parts[call]?.share ?? 0 });
}

function stepsOf(
  part: GeminiPart,
  { thinking }: InteractionRequest,
  ids: Seeded,
  sign: (on: string, thought?: Thought) => string,
): Wire[] {
  if ('think' in part) {
    const summary = [{ type: 'text', text: summaryOf(part) }];
    return [
      { type: 'thought', signature: sign('', part), ...(thinking.summaries && part.think !== '' && { summary }) },
    ];
  }
  if ('text' in part) return [{ type: 'model_output', content: [{ type: 'text', text: part.text }] }];
  if ('block' in part) return [part.block];
  const id = ids.id('', 8).toLowerCase();
  if ('tool' in part) return [{ type: 'function_call', id, name: part.tool, arguments: part.input ?? {} }];
  const signed = (step: Wire): Wire => ({ ...step, signature: sign(stepDigest(step)) });
  return [
    signed({ type: `${part.serverTool}_call`, id, arguments: part.input ?? {} }),
    signed({ type: `${part.serverTool}_result`, call_id: id, result: part.result ?? [] }),
  ];
}

function statusOf({ stop }: GeminiAnswer, isCut: boolean, calls: boolean): string {
  if (stop === 'MAX_TOKENS' || (stop === undefined && isCut)) return 'incomplete';
  if (stop !== undefined) return 'failed';
  return calls ? 'requires_action' : 'completed';
}

function toolUse(part: GeminiPart): number {
  return 'serverTool' in part ? textTokens(stableJson(part.result ?? [])) : 0;
}
