import { stableJson } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import type { GeminiAnswer, GeminiPart } from './script.ts';

/** A part of an answer, and which of the requests for the answer it comes with. */
export interface SharedPart {
  readonly part: GeminiPart;
  readonly share: number;
}

interface Budgeted<P> {
  readonly parts: readonly P[];
  /** The budget did not suffice. */
  readonly isCut: boolean;
}

const DELIMITER_TOKENS = 2;
const CALL_OVERHEAD = 6;

/** What a request allows of an answer. */
export function allowedParts(
  { content, pauses = [] }: GeminiAnswer,
  thinks: boolean,
  budget: unknown,
): Budgeted<SharedPart> {
  const allowed = content
    .map((part, index) => ({ part, share: pauses.filter((at) => at <= index).length }))
    .filter(({ part }) => !('think' in part) || thinks);
  const { parts, isCut } = withinBudget(
    allowed.map(({ part }) => part),
    budget,
  );
  return { parts: parts.map((part, index) => ({ part, share: allowed[index]?.share ?? 0 })), isCut };
}

/** Cuts an answer off at its budget, which thoughts use up as well: inside a text, or before what does not fit. */
function withinBudget(parts: readonly GeminiPart[], budget: unknown): Budgeted<GeminiPart> {
  const kept: GeminiPart[] = [];
  let left = typeof budget === 'number' ? budget : Number.POSITIVE_INFINITY;
  for (const part of parts) {
    const tokens = partTokens(part);
    if (tokens > left) {
      if ('think' in part) kept.push({ ...part, tokens: left });
      else if ('text' in part && left > 0) kept.push({ ...part, text: part.text.slice(0, left * 4) });
      return { parts: kept, isCut: true };
    }
    kept.push(part);
    left -= tokens;
  }
  return { parts: kept, isCut: false };
}

export function partTokens(part: GeminiPart): number {
  if ('think' in part) return part.tokens ?? textTokens(part.think) + DELIMITER_TOKENS;
  if ('text' in part) return textTokens(part.text);
  if ('tool' in part) return CALL_OVERHEAD + textTokens(part.tool) + textTokens(stableJson(part.input ?? {}));
  return textTokens(stableJson('serverTool' in part ? (part.input ?? {}) : part.block));
}

export function thoughtTokens(parts: readonly GeminiPart[]): number {
  return parts.reduce((sum, part) => sum + ('think' in part ? partTokens(part) : 0), 0);
}

/** Without what was thought. */
export function visibleTokens(parts: readonly GeminiPart[]): number {
  return parts.reduce((sum, part) => sum + ('think' in part ? 0 : partTokens(part)), 0);
}

export function summaryOf({ think, summary }: { readonly think: string; readonly summary?: string }): string {
  return summary ?? think.split(/(?<=[.!?])\s/)[0] ?? think;
}
