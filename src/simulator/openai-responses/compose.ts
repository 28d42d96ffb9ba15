import { asList, isWire, type Wire } from '../json.ts';
import type { CallPart, MessagePart, OpenAiAnswer, OpenAiPart, RefusalPart } from '../openai/script.ts';
import type { ThinkPart } from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import { endUserOf } from './binding.ts';
import type { ResponsesContext } from './context.ts';
import type { Evaluated } from './evaluate.ts';
import { typeOf } from './items.ts';
import { thinks } from './reasoning-config.ts';
import { itemTokens } from './tokens.ts';

export interface Composed {
  readonly output: readonly Wire[];
  /** The same, each reasoning item under other ciphertext. */
  readonly resealed: readonly Wire[];
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** The budget did not suffice. */
  readonly isCut: boolean;
}

const DELIMITER_TOKENS = 2;

/** Turns a script's answer into output items, with what the request allows of it, sealed. */
export function composeOutput(
  context: ResponsesContext,
  evaluated: Evaluated,
  answer: OpenAiAnswer,
  ids: Seeded,
): Composed {
  const { request, config } = evaluated;
  const allowed = answer.content.filter((part) => !('think' in part) || thinks(config));
  const budget = typeof request.body.max_output_tokens === 'number' ? request.body.max_output_tokens : undefined;
  const { parts, isCut, cutText, outputTokens, reasoningTokens } = withinBudget(
    allowed,
    budget ?? Number.POSITIVE_INFINITY,
  );
  const drafts = parts.map((part, index) => draft(part, parts.slice(index + 1), evaluated, ids, part === cutText));
  const output: Wire[] = [];
  const resealed: Wire[] = [];
  for (const [index, item] of drafts.entries()) {
    const part = parts[index];
    if (!(part && 'think' in part)) {
      evaluated.binding.roller.add(item, typeOf(item));
      output.push(item);
      resealed.push(item);
      continue;
    }
    const id = String(item.id);
    const endUser = endUserOf(request.body, context.conflicts.endUser);
    const follower = drafts.slice(index + 1).find(({ type }) => type !== 'reasoning');
    const sealed = {
      kind: 'reasoning',
      id,
      organization: request.organization.id,
      model: request.model.id,
      ...(endUser !== undefined && { endUser }),
      follower: typeof follower?.id === 'string' ? follower.id : null,
      prefix: evaluated.binding.roller.states(),
      text: part.think,
      tokens: partTokens(part),
      ...('plan' in part && { plan: part.plan }),
    } as const;
    output.push({ ...item, encrypted_content: context.sealer.seal(sealed) });
    resealed.push({ ...item, encrypted_content: context.sealer.seal(sealed, 1) });
    evaluated.binding.roller.addReasoning(id, true);
  }
  return { output, resealed, outputTokens: Math.max(outputTokens, 1), reasoningTokens, isCut };
}

/** Cuts an answer off at `max_output_tokens`: inside a text, or before whatever else does not fit. */
function withinBudget(parts: readonly OpenAiPart[], budget: number) {
  const kept: OpenAiPart[] = [];
  let outputTokens = 0;
  let reasoningTokens = 0;
  let cutText: OpenAiPart | undefined;
  for (const part of parts) {
    const left = budget - outputTokens;
    const tokens = partTokens(part);
    const fits = tokens <= left;
    const spent = Math.min(tokens, left);
    if ('think' in part) {
      reasoningTokens += spent;
      kept.push(part);
    } else if (fits) kept.push(part);
    else if ('text' in part && left > 0) {
      cutText = { ...part, text: part.text.slice(0, left * 4) };
      kept.push(cutText);
    }
    outputTokens += spent;
    if (!fits) return { parts: kept, isCut: true, cutText, outputTokens, reasoningTokens };
  }
  return { parts: kept, isCut: false, cutText, outputTokens, reasoningTokens };
}

function partTokens(part: OpenAiPart): number {
  if ('think' in part) return part.tokens ?? textTokens(part.think) + DELIMITER_TOKENS;
  const item = visibleItem(part, () => '');
  return itemTokens(item, typeOf(item));
}

/** An item without its seal: ids come first, since a reasoning item seals the id of what it led to. */
function draft(
  part: OpenAiPart,
  later: readonly OpenAiPart[],
  { request, config }: Evaluated,
  ids: Seeded,
  isCutShort: boolean,
): Wire {
  const id = (prefix: string): string => ids.id(`${prefix}_`, 40);
  if ('think' in part) {
    return { id: id('rs'), type: 'reasoning', summary: summaryOf(part, config.summary) };
  }
  if ('tool' in part) return callItem(part, request.body, id, ids.id('call_', 24));
  const item = visibleItem(part, id);
  if (item.type !== 'message') return item;
  const followedByCall = later.some((other) => 'tool' in other || 'serverTool' in other);
  const phase = ('phase' in part && part.phase) || (followedByCall ? 'commentary' : 'final_answer');
  return {
    ...item,
    status: isCutShort ? 'incomplete' : 'completed',
    ...(request.model.phases && { phase }),
  };
}

function summaryOf({ think, summary }: ThinkPart, asked: string | null): Wire[] {
  if (asked === null) return [];
  return [{ type: 'summary_text', text: summary ?? think.split(/(?<=[.!?])\s/)[0] ?? think }];
}

function visibleItem(part: Exclude<OpenAiPart, ThinkPart>, id: (prefix: string) => string): Wire {
  if ('block' in part) return part.block;
  if ('tool' in part) return callItem(part, {}, id, id('call'));
  if ('serverTool' in part) {
    return {
      id: id(part.serverTool === 'web_search' ? 'ws' : 'srv'),
      type: `${part.serverTool}_call`,
      status: 'completed',
      ...(part.serverTool === 'web_search'
        ? { action: { type: 'search', query: String(part.input?.query ?? '') } }
        : part.input),
    };
  }
  return { id: id('msg'), type: 'message', role: 'assistant', status: 'completed', content: [contentPart(part)] };
}

function contentPart(part: MessagePart | RefusalPart): Wire {
  if ('refusal' in part) return { type: 'refusal', refusal: part.refusal };
  return { type: 'output_text', text: part.text, annotations: [], logprobs: [] };
}

function callItem(part: CallPart, body: Wire, id: (prefix: string) => string, callId: string): Wire {
  const isCustom = asList(body.tools).some((tool) => isWire(tool) && tool.type === 'custom' && tool.name === part.tool);
  const text = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {});
  return {
    id: id(isCustom ? 'ctc' : 'fc'),
    type: isCustom ? 'custom_tool_call' : 'function_call',
    status: 'completed',
    call_id: callId,
    name: part.tool,
    ...(isCustom ? { input: text } : { arguments: text }),
    ...(part.async && { async: true }),
    ...(part.namespace !== undefined && { namespace: part.namespace }),
  };
}
