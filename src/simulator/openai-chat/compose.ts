import type { Wire } from '../json.ts';
import type { CallPart, OpenAiAnswer, OpenAiPart } from '../openai/script.ts';
import type { ThinkPart } from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import type { ChatContext } from './context.ts';
import type { IssuedThought } from './issued-answers.ts';
import type { ChatRequest } from './request.ts';

/** A piece of reasoning, with its seal where the upstream seals. */
export interface Thought {
  readonly text: string;
  readonly summary: string;
  readonly tokens: number;
  readonly seal?: string;
  /** Id of the item behind the API, where there is one. */
  readonly itemId?: string;
  readonly plan?: unknown;
}

/** An answer before it is put into a host's members. */
export interface Composed {
  readonly thoughts: readonly Thought[];
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly Wire[];
  readonly finishReason: string;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

const DELIMITER_TOKENS = 2;
const CALL_OVERHEAD = 6;

export function composeAnswer(
  context: ChatContext,
  request: ChatRequest,
  answer: OpenAiAnswer,
  { response, ids, thinks }: { readonly response: string; readonly ids: Seeded; readonly thinks: boolean },
): Composed {
  const allowed = answer.content.filter((part) => !('think' in part) || thinks);
  const budget = request.body.max_completion_tokens ?? request.body.max_tokens;
  const { parts, isCut, outputTokens, reasoningTokens } = withinBudget(
    allowed,
    typeof budget === 'number' ? budget : Number.POSITIVE_INFINITY,
  );
  const calls = parts.filter((part) => 'tool' in part).map((part) => callOf(part, ids));
  const thinking = thoughtParts(parts, request.upstream.seals === 'call' && thinks && calls.length > 0);
  const thoughts = thinking.map((part, at) =>
    thoughtOf(context, request, part, { at, of: thinking.length, response, calls, ids }),
  );
  const refusals = parts.filter((part) => 'refusal' in part).map(({ refusal }) => refusal);
  return {
    thoughts,
    text: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n'),
    refusal: refusals.length > 0 ? refusals.join('\n') : null,
    calls,
    finishReason: finishReason(answer, isCut, calls.length > 0),
    outputTokens: Math.max(outputTokens, 1),
    reasoningTokens,
  };
}

/** A signature on a call stands for all that was thought before it, and is there even if that was nothing. */
function thoughtParts(parts: readonly OpenAiPart[], signsCall: boolean): readonly ThinkPart[] {
  const thinking = parts.filter((part) => 'think' in part);
  if (!signsCall) return thinking;
  const last = thinking.at(-1) ?? { think: '', tokens: 0 };
  const think = thinking.map((part) => part.think).join('\n\n');
  return [{ ...last, think, tokens: thinking.reduce((sum, part) => sum + partTokens(part), 0) }];
}

export function issuedThoughts(
  { thoughts }: Composed,
  { model }: ChatRequest,
  joins: boolean,
): readonly IssuedThought[] {
  const list = thoughts.map(({ text, tokens, ...rest }) => ({
    text,
    tokens,
    model,
    ...('plan' in rest && { plan: rest.plan }),
  }));
  const last = list.at(-1);
  if (!joins || !last) return list;
  const tokens = list.reduce((sum, one) => sum + one.tokens, 0);
  return [{ ...last, text: joinedText(thoughts), tokens }];
}

/** Several thoughts of one answer are one string where the host has but one. */
export function joinedText(thoughts: readonly Thought[]): string {
  return thoughts.map(({ text }) => text).join('\n\n');
}

function withinBudget(parts: readonly OpenAiPart[], budget: number) {
  const kept: OpenAiPart[] = [];
  let outputTokens = 0;
  let reasoningTokens = 0;
  for (const part of parts) {
    const left = budget - outputTokens;
    const tokens = partTokens(part);
    const spent = Math.min(tokens, left);
    outputTokens += spent;
    if ('think' in part) reasoningTokens += spent;
    if (tokens <= left || 'think' in part) kept.push(part);
    else if ('text' in part && left > 0) kept.push({ ...part, text: part.text.slice(0, left * 4) });
    if (tokens > left) return { parts: kept, isCut: true, outputTokens, reasoningTokens };
  }
  return { parts: kept, isCut: false, outputTokens, reasoningTokens };
}

function partTokens(part: OpenAiPart): number {
  if ('think' in part) return part.tokens ?? textTokens(part.think) + DELIMITER_TOKENS;
  if ('text' in part) return textTokens(part.text);
  if ('refusal' in part) return textTokens(part.refusal);
  return 'tool' in part ? CALL_OVERHEAD + textTokens(part.tool) + textTokens(argumentsOf(part)) : 0;
}

function callOf(part: CallPart, ids: Seeded): Wire {
  return { id: ids.id('call_', 24), type: 'function', function: { name: part.tool, arguments: argumentsOf(part) } };
}

function argumentsOf({ input }: CallPart): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}

interface ThoughtPlace {
  readonly at: number;
  readonly of: number;
  readonly response: string;
  readonly calls: readonly Wire[];
  readonly ids: Seeded;
}

function thoughtOf(
  { sealer }: ChatContext,
  { upstream, organization, model }: ChatRequest,
  part: ThinkPart,
  { at, of, response, calls, ids }: ThoughtPlace,
): Thought {
  const text = part.think;
  const tokens = partTokens(part);
  const plan = 'plan' in part ? { plan: part.plan } : {};
  const thought = { text, summary: part.summary ?? text.split(/(?<=[.!?])\s/)[0] ?? text, tokens, ...plan };
  if (upstream.seals === 'nothing') return thought;
  const call = upstream.seals === 'call' ? calls[0]?.id : undefined;
  const seal = sealer.seal({
    organization: organization.id,
    provider: upstream.provider,
    model,
    text,
    tokens,
    at,
    of,
    response,
    ...(typeof call === 'string' && { call }),
    ...plan,
  });
  return { ...thought, seal, ...(upstream.seals === 'payload' && { itemId: ids.id('rs_', 40) }) };
}

function finishReason({ stop }: OpenAiAnswer, isCut: boolean, calls: boolean): string {
  if (stop === 'content_filter') return 'content_filter';
  if (stop === 'max_output_tokens' || isCut) return 'length';
  return calls ? 'tool_calls' : 'stop';
}
