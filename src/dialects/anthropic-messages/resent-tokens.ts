import type { ResentTokens } from '../../continuity/judgement.ts';
import { fateOf } from '../../continuity/summary.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate: each earlier answer's reasoning tokens, for as many of its blocks as came back and are read here. Cached is
 * what lies inside the cached beginning of this request, by the place at which the answer began. No provider reports it.
 */
export function resentTokens(draft: Draft, facts: RequestFacts, usage: UsageFacts): ResentTokens | undefined {
  if (usage.input === undefined) return undefined;
  let cachedEnd = usage.cacheRead ?? 0;
  let room = usage.input;
  const sums = { openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  for (const { answer, blocks } of draft.compared) {
    if (answer.reasoningTokens === undefined || blocks.length === 0) continue;
    const rows = draft.rows.filter((row) => row.block.answer === answer && fateOf(row) === 'returned');
    const cycle = rows[0]?.cycle;
    if (cycle === undefined) continue;
    // Models that keep the last turn only take the rest out themselves, unbilled (build-with-claude/thinking).
    if (cycle === 'closed' && facts.model.row?.keepsAll === false && facts.thinkingTurnsKept !== 'all') continue;
    const tokens = Math.min(room, Math.round((answer.reasoningTokens * rows.length) / blocks.length));
    const begins = answer.tokensBefore ?? 0;
    const cached = Math.max(0, Math.min(tokens, cachedEnd - begins));
    sums[cycle === 'open' ? 'openCached' : 'closedCached'] += cached;
    sums[cycle === 'open' ? 'openFresh' : 'closedFresh'] += tokens - cached;
    room -= tokens;
    cachedEnd = Math.max(0, cachedEnd);
  }
  const resent = sums.openCached + sums.openFresh + sums.closedCached + sums.closedFresh;
  return { resent, ...sums };
}
