import type { ResentTokens } from '../../continuity/judgement.ts';
import { NOTHING_RESENT, resentTokens as sum } from '../../continuity/resent.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate of the thought tokens that this request sends again, as seals, and that are read here. The API does not report
 * it, and recordings disagree on whether it counts them in the prompt at all.
 */
export function resentTokens(draft: Draft, facts: RequestFacts, usage: UsageFacts): ResentTokens | undefined {
  if (facts.thinking.on === false) return usage.input === undefined ? undefined : NOTHING_RESENT;
  // Before 3.5 nothing says that earlier turns' seals are read, or billed.
  const readsEarlier = facts.model.row?.readsEarlier !== false;
  return sum(draft.rows, usage, { isInput: (_, cycle) => cycle === 'open' || readsEarlier });
}
