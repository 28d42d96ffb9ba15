import type { Answer } from '../../continuity/answer.ts';
import type { ResentTokens } from '../../continuity/judgement.ts';
import { fateOf } from '../../continuity/summary.ts';
import type { CycleState } from '../../continuity/vocabulary.ts';
import type { Draft } from './judge.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate: each earlier answer's reasoning tokens, for as many of its blocks as came back; what was sent for nothing is
 * taken as input all the same. Cached is what lies inside the cached beginning of this request, by the place at which the
 * answer began. No provider reports it.
 */
export function resentTokens(draft: Draft, usage: UsageFacts): ResentTokens | undefined {
  if (usage.input === undefined) return undefined;
  const cachedEnd = usage.cacheRead ?? 0;
  let room = usage.input;
  const sums = { openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  const back = new Map<Answer, { count: number; readonly cycle: CycleState }>();
  for (const row of draft.rows) {
    if (fateOf(row) !== 'returned' && row.entry?.kind !== 'carried') continue;
    const known = back.get(row.block.answer);
    if (known === undefined) back.set(row.block.answer, { count: 1, cycle: row.cycle });
    else known.count++;
  }
  for (const [answer, { count, cycle }] of back) {
    if (answer.reasoningTokens === undefined) continue;
    const tokens = Math.min(room, Math.round((answer.reasoningTokens * count) / answer.blocks.length));
    const cached = Math.max(0, Math.min(tokens, cachedEnd - (answer.tokensBefore ?? 0)));
    sums[cycle === 'open' ? 'openCached' : 'closedCached'] += cached;
    sums[cycle === 'open' ? 'openFresh' : 'closedFresh'] += tokens - cached;
    room -= tokens;
  }
  const resent = sums.openCached + sums.openFresh + sums.closedCached + sums.closedFresh;
  return { resent, ...sums };
}
