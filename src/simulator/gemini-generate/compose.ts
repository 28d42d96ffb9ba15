import { versionOf } from '../gemini/models.ts';
import { pieces } from '../gemini/pieces.ts';
import type { GeminiAnswer, GeminiPart } from '../gemini/script.ts';
import { allowedParts, partTokens, summaryOf, thoughtTokens, visibleTokens } from '../gemini/within-budget.ts';
import { isWire, stableJson, type Wire } from '../json.ts';
import type { ThinkPart } from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import { payloadDigest } from './contents.ts';
import type { GeminiContext } from './context.ts';
import type { GenerateRequest } from './request.ts';

/** An answer, or one request's share of it, before it is put on a wire. */
export interface Composed {
  /** As a client has to send them back. */
  readonly parts: readonly Wire[];
  readonly finishReason: string;
  readonly finishMessage?: string;
  readonly candidatesTokens: number;
  readonly thoughtsTokens: number;
  readonly toolUseTokens: number;
}

interface Draft {
  readonly part: Wire;
  /** Which of the requests for this answer it comes with. */
  readonly share: number;
  readonly unsigned?: boolean;
}

export interface AnswerPlace {
  readonly label: string;
  readonly ids: Seeded;
  /** Text of a stream comes in pieces, each of them a part. */
  readonly streams: boolean;
}

/** Turns a script's answer into parts, with what the request allows of it, signed. One for each request it takes. */
export function composeAnswer(
  context: GeminiContext,
  request: GenerateRequest,
  answer: GeminiAnswer,
  place: AnswerPlace,
): readonly [Composed, ...Composed[]] {
  const { parts: kept, isCut } = allowedParts(answer, request.thinking.thinks, request.config.maxOutputTokens);
  const drafts = kept.flatMap(({ part, share }) =>
    draftsOf(part, request, place).map((draft): Draft => ({ ...draft, share })),
  );
  const thoughts = kept.map(({ part }) => part).filter((part) => 'think' in part);
  const signed = sign(context, request, place, thoughts, withCarrier(context, request, drafts, thoughts, place, isCut));
  const last = kept.at(-1)?.share ?? 0;
  const finishReason = answer.stop ?? (isCut ? 'MAX_TOKENS' : 'STOP');
  const shareOf = (share: number): Composed => {
    const own = kept.filter((one) => one.share === share).map(({ part }) => part);
    return {
      parts: signed.filter((one) => one.share === share).map(({ part }) => part),
      finishReason: share < last ? 'CONTINUATION' : finishReason,
      ...(share === last && answer.finishMessage !== undefined && { finishMessage: answer.finishMessage }),
      candidatesTokens: visibleTokens(own),
      thoughtsTokens: thoughtTokens(own),
      toolUseTokens: own.reduce((sum, part) => sum + toolUse(part), 0),
    };
  };
  return [shareOf(0), ...Array.from({ length: last }, (_, index) => shareOf(index + 1))];
}

function draftsOf(part: GeminiPart, { model, caller, thinking }: GenerateRequest, { ids, streams }: AnswerPlace) {
  const texts = (text: string): string[] => (streams ? pieces(text) : [text]);
  if ('think' in part) {
    return thinking.summaries ? texts(summaryOf(part)).map((text) => ({ part: { text, thought: true } })) : [];
  }
  if ('text' in part) return texts(part.text).map((text) => ({ part: { text } }));
  if ('block' in part) return [{ part: part.block }];
  if ('tool' in part) {
    const id = model.callIds && caller.host === 'developer' ? { id: ids.id('', 8).toLowerCase() } : {};
    const functionCall = { ...id, name: part.tool, args: part.input ?? {} };
    return [{ part: { functionCall }, ...(part.unsigned && { unsigned: true }) }];
  }
  // Only the Developer API shows what its own tools did.
  if (caller.host === 'vertex') return [];
  const shared = { id: ids.id('', 8).toLowerCase(), toolType: part.serverTool };
  return [
    { part: { toolCall: { ...shared, args: part.input ?? {} } } },
    { part: { toolResponse: { ...shared, response: part.result ?? {} } } },
  ];
}

/** The empty text that has nothing but a signature: in streams, and where an answer has nothing else. */
function withCarrier(
  { options }: GeminiContext,
  { model }: GenerateRequest,
  drafts: readonly Draft[],
  thoughts: readonly ThinkPart[],
  { streams }: AnswerPlace,
  isCut: boolean,
): readonly Draft[] {
  const visible = drafts.filter(isVisible);
  const last = visible.at(-1);
  const wanted = model.signs === 'first_call' && thoughts.length > 0 && !visible.some(({ part }) => part.functionCall);
  const ownChunk =
    streams && (options.stream?.signature ?? 'empty_text') === 'empty_text' && last?.part.text !== undefined;
  if (!wanted || isCut || !(ownChunk || last === undefined)) return drafts;
  return [...drafts, { part: { text: '' }, share: drafts.at(-1)?.share ?? 0 }];
}

function isVisible({ part }: Draft): boolean {
  return part.thought !== true;
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures */
function places(
  { model, thinking, tools }: GenerateRequest,
  drafts: readonly Draft[],
  thoughts: number,
): readonly Draft[] {
  const visible = drafts.filter(isVisible);
  const tooled = visible.filter(({ part }) => part.toolCall !== undefined || part.toolResponse !== undefined);
  const [first] = visible;
  switch (model.signs) {
    case 'never':
      return [];
    case 'first_part':
      return first && thinking.thinks && tools.length > 0 && thoughts > 0 ? [first] : [];
    case 'images':
      return visible.filter((draft) => draft === first || draft.part.inlineData !== undefined);
    case 'first_call': {
      const call = visible.find(({ part }) => isWire(part.functionCall));
      const carrier = call ?? (thoughts > 0 ? visible.at(-1) : undefined);
      return visible.filter((draft) => draft === carrier || tooled.includes(draft));
    }
  }
}

function sign(
  { sealer }: GeminiContext,
  request: GenerateRequest,
  { label }: AnswerPlace,
  thoughts: readonly ThinkPart[],
  drafts: readonly Draft[],
): readonly Draft[] {
  const { model, caller } = request;
  const carriers = places(request, drafts, thoughts.length).filter(({ unsigned }) => !unsigned);
  // One signature stands for all that was thought; the others of an answer for nothing.
  const main = carriers.findLastIndex(({ part }) => part.toolCall === undefined && part.toolResponse === undefined);
  const planned = thoughts.findLast((part) => 'plan' in part);
  return drafts.map((draft) => {
    const at = carriers.indexOf(draft);
    if (at < 0) return draft;
    const isMain = at === Math.max(main, 0);
    const thoughtSignature = sealer.seal({
      host: caller.host,
      project: caller.project,
      model: versionOf(model),
      generation: model.generation,
      text: isMain ? thoughts.map(({ think }) => think).join('\n\n') : '',
      tokens: isMain ? thoughtTokens(thoughts) : 0,
      answer: label,
      at,
      on: payloadDigest(draft.part),
      ...(isMain && planned && { plan: planned.plan }),
    });
    return { ...draft, part: { ...draft.part, thoughtSignature } };
  });
}

function toolUse(part: GeminiPart): number {
  return 'serverTool' in part ? partTokens(part) + textTokens(stableJson(part.result ?? {})) : 0;
}
