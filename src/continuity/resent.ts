import type { Answer, IssuedBlock } from './answer.ts';
import type { ResentTokens } from './judgement.ts';
import { type BlockRow, fateOf } from './summary.ts';
import type { CycleState } from './vocabulary.ts';

/** Tokens of a request, as the provider reports them. */
export interface RequestUsage {
  /** All input, cached included. */
  readonly input?: number;
  readonly cacheRead?: number;
}

export interface ResentRules {
  /** Whether a row counts as sent again. Default: what came back whole. */
  readonly isBack?: (row: BlockRow) => boolean;
  /** Whether what came back of an answer is part of the input. Default: always. */
  readonly isInput?: (answer: Answer, cycle: CycleState) => boolean;
  /** Whether a block is one of those that the answer's reasoning tokens stand for. Default: all are. */
  readonly isCounted?: (block: IssuedBlock) => boolean;
}

const isWhole = (row: BlockRow): boolean => fateOf(row) === 'returned';

/** Nothing is sent again. */
export const NOTHING_RESENT: ResentTokens = { resent: 0, openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };

/**
 * Estimate: each earlier answer's reasoning tokens, for as many of its blocks as came back. Cached is what lies inside the
 * cached beginning of this request, by the place at which the answer began. Never more than the request's input.
 * @returns undefined where the request's tokens, or those of all that came back, are not reported: nothing is made up.
 */
export function resentTokens(
  rows: readonly BlockRow[],
  { input, cacheRead = 0 }: RequestUsage,
  { isBack = isWhole, isInput, isCounted }: ResentRules = {},
): ResentTokens | undefined {
  if (input === undefined) return undefined;
  const sums = { openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  let room = input;
  let unreported = false;
  // The rows of one answer stand together. At every step for every answer before it, so nothing is set up for it.
  for (let i = 0; i < rows.length; ) {
    const { block, cycle } = rows[i] as BlockRow;
    const { answer } = block;
    let count = 0;
    for (; rows[i]?.block.answer === answer; i++) {
      const row = rows[i] as BlockRow;
      if (isBack(row) && (!isCounted || isCounted(row.block))) count++;
    }
    if (count === 0 || (isInput && !isInput(answer, cycle))) continue;
    const { reasoningTokens, blocks, tokensBefore = 0 } = answer;
    if (reasoningTokens === undefined) {
      unreported = true;
      continue;
    }
    const whole = isCounted ? blocks.filter(isCounted).length : blocks.length;
    const tokens = Math.min(room, Math.round((reasoningTokens * Math.min(count, whole)) / whole));
    const cached = Math.max(0, Math.min(tokens, cacheRead - tokensBefore));
    sums[cycle === 'open' ? 'openCached' : 'closedCached'] += cached;
    sums[cycle === 'open' ? 'openFresh' : 'closedFresh'] += tokens - cached;
    room -= tokens;
  }
  const resent = input - room;
  return unreported && resent === 0 ? undefined : { resent, ...sums };
}
