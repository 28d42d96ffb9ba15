import type { Returned } from '../gemini/verdict.ts';
import { digest, isWire, stableJson, type Wire } from '../json.ts';
import type { Segment } from '../openai/prefix-cache.ts';
import { textTokens } from '../text-tokens.ts';
import { callOf, type PlacedContent, type PlacedPart, resultOf } from './contents.ts';
import type { GeminiContext } from './context.ts';
import type { GenerateRequest } from './request.ts';

const FILE_TOKENS = 258;
const CALL_OVERHEAD = 6;

export interface View {
  readonly segments: readonly Segment[];
  /** Tokens of the beginning that a context cache holds. */
  readonly cachedTokens: number;
}

/** What the model reads of a request, piece by piece, for billing and for the caches. */
export function renderView(
  { conflicts }: GeminiContext,
  { body, contents, model, cached, tools }: GenerateRequest,
  returned: Returned,
): View {
  const instruction = (cached?.body ?? body).systemInstruction;
  const head = headSegment(tools, instruction);
  const counts =
    conflicts.countsThoughts === 'always' || (conflicts.countsThoughts === 'from_3_5' && model.generation >= 3.5);
  const thoughts = new Map(returned.shown.map(({ path, sealed }) => [path, counts ? sealed.tokens : 0]));
  const render = (list: readonly PlacedContent[]): Segment[] =>
    list.flatMap((content) => content.parts.map((part) => partSegment(content, part, thoughts.get(part.path) ?? 0)));
  const before = render(cached?.contents ?? []);
  const all = [head, ...before, ...render(contents.slice(cached?.contents.length ?? 0))];
  return { segments: all, cachedTokens: cached ? tokensOf([head, ...before]) : 0 };
}

export function headSegment(tools: readonly unknown[], instruction: unknown): Segment {
  const declared = tools.length > 0 ? stableJson(tools) : '';
  const system = instruction == null ? '' : stableJson(instruction);
  return { hash: digest('head', declared, system), tokens: textTokens(declared) + textTokens(systemText(instruction)) };
}

export function tokensOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

export function partSegment({ role }: PlacedContent, placed: PlacedPart, thoughtTokens: number): Segment {
  const { part } = placed;
  const { thoughtSignature, ...visible } = part;
  // Nothing of a summary is read.
  if (part.thought === true) return { hash: digest('summary'), tokens: 0 };
  return {
    hash: digest(role, stableJson(visible), String(thoughtSignature ?? '')),
    tokens: visibleTokens(placed) + thoughtTokens,
  };
}

function visibleTokens(placed: PlacedPart): number {
  const { part } = placed;
  if (typeof part.text === 'string') return textTokens(part.text);
  const named = callOf(placed) ?? resultOf(placed);
  if (named) {
    return CALL_OVERHEAD + textTokens(String(named.name)) + textTokens(stableJson(named.args ?? named.response ?? {}));
  }
  return part.inlineData !== undefined || part.fileData !== undefined ? FILE_TOKENS : textTokens(stableJson(part));
}

function systemText(instruction: unknown): string {
  if (!isWire(instruction)) return '';
  const parts = Array.isArray(instruction.parts) ? instruction.parts : [];
  return parts.map((part: Wire) => String(part.text ?? '')).join('');
}
