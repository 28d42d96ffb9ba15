import type { ResentTokens } from '../../continuity/judgement.ts';
import { resentTokens as sum } from '../../continuity/resent.ts';
import { fateOf } from '../../continuity/summary.ts';
import type { Draft } from './judge.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate of the reasoning tokens that this request sends again; what was sent for nothing is taken as input all the
 * same. No provider reports it.
 */
export const resentTokens = (draft: Draft, usage: UsageFacts): ResentTokens | undefined =>
  sum(draft.rows, usage, { isBack: (row) => fateOf(row) === 'returned' || row.entry?.kind === 'carried' });
