import type { Answer } from '../../continuity/answer.ts';
import type { ResentTokens } from '../../continuity/judgement.ts';
import { fateOf } from '../../continuity/summary.ts';
import type { CycleState } from '../../continuity/vocabulary.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate: each earlier answer's thought tokens, for as many of its seals as came back and are read here. Cached is
 * what lies inside the cached beginning of this request, by the place at which the answer began. The API does not
 * report it, and recordings disagree on whether it counts them in the prompt at all.
 */
export function resentTokens(draft: Draft, facts: RequestFacts, usage: UsageFacts): ResentTokens | undefined {
  if (usage.input === undefined) return undefined;
  const sums = { openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  if (facts.thinking.on === false) return { resent: 0, ...sums };
  const cachedEnd = usage.cacheRead ?? 0;
  let room = usage.input;
  const back = new Map<Answer, { count: number; readonly cycle: CycleState }>();
  for (const row of draft.rows) {
    if (fateOf(row) !== 'returned') continue;
    const known = back.get(row.block.answer);
    if (known === undefined) back.set(row.block.answer, { count: 1, cycle: row.cycle });
    else known.count++;
  }
  for (const [answer, { count, cycle }] of back) {
    if (answer.reasoningTokens === undefined) continue;
    // Before 3.5 nothing says that earlier turns' seals are read, or billed.
    if (cycle === 'closed' && facts.model.row?.readsEarlier === false) continue;
    const tokens = Math.min(room, Math.round((answer.reasoningTokens * count) / answer.blocks.length));
    const begins = answer.tokensBefore ?? 0;
    const cached = Math.max(0, Math.min(tokens, cachedEnd - begins));
    sums[cycle === 'open' ? 'openCached' : 'closedCached'] += cached;
    sums[cycle === 'open' ? 'openFresh' : 'closedFresh'] += tokens - cached;
    room -= tokens;
  }
  return { resent: sums.openCached + sums.openFresh + sums.closedCached + sums.closedFresh, ...sums };
}
