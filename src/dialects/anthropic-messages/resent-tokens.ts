import type { ResentTokens } from '../../continuity/judgement.ts';
import { type BlockRow, fateOf } from '../../continuity/summary.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate: each earlier answer's reasoning tokens, for as many of its blocks as came back and are read here. Cached is
 * what lies inside the cached beginning of this request, by the place at which the answer began. No provider reports it.
 */
export function resentTokens(draft: Draft, facts: RequestFacts, usage: UsageFacts): ResentTokens | undefined {
  if (usage.input === undefined) return undefined;
  // With thinking off the API shows the model none of it (build-with-claude/thinking).
  if (facts.thinking.on === false) return { resent: 0, openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  const cachedEnd = usage.cacheRead ?? 0;
  let room = usage.input;
  const sums = { openCached: 0, openFresh: 0, closedCached: 0, closedFresh: 0 };
  // The rows of one answer stand together.
  const { rows } = draft;
  for (let i = 0; i < rows.length; ) {
    const { block, cycle } = rows[i] as BlockRow;
    const { answer } = block;
    let count = 0;
    for (; rows[i]?.block.answer === answer; i++) if (fateOf(rows[i] as BlockRow) === 'returned') count++;
    if (answer.reasoningTokens === undefined || count === 0) continue;
    // Models that keep the last turn only take the rest out themselves, unbilled (build-with-claude/thinking).
    if (cycle === 'closed' && facts.model.row?.keepsAll === false && facts.thinkingTurnsKept !== 'all') continue;
    const tokens = Math.min(room, Math.round((answer.reasoningTokens * count) / answer.blocks.length));
    const begins = answer.tokensBefore ?? 0;
    const cached = Math.max(0, Math.min(tokens, cachedEnd - begins));
    sums[cycle === 'open' ? 'openCached' : 'closedCached'] += cached;
    sums[cycle === 'open' ? 'openFresh' : 'closedFresh'] += tokens - cached;
    room -= tokens;
  }
  const resent = sums.openCached + sums.openFresh + sums.closedCached + sums.closedFresh;
  return { resent, ...sums };
}
