import type { ResentTokens } from '../../continuity/judgement.ts';
import { NOTHING_RESENT, resentTokens as sum } from '../../continuity/resent.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { UsageFacts } from './read-response.ts';

/** Estimate of the reasoning tokens that this request sends again and that are read here. No provider reports it. */
export function resentTokens(draft: Draft, facts: RequestFacts, usage: UsageFacts): ResentTokens | undefined {
  // With thinking off the API shows the model none of it (build-with-claude/thinking).
  if (facts.thinking.on === false) return usage.input === undefined ? undefined : NOTHING_RESENT;
  // Models that keep the last turn only take the rest out themselves, unbilled (build-with-claude/thinking).
  const keepsAll = facts.model.row?.keepsAll !== false || facts.thinkingTurnsKept === 'all';
  return sum(draft.rows, usage, { isInput: (_, cycle) => cycle === 'open' || keepsAll });
}
