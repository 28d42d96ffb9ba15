import type { ResentTokens } from '../../continuity/judgement.ts';
import { resentTokens as sum } from '../../continuity/resent.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';

/** Estimate of the thought tokens that this request sends again, by name or in full. No provider reports it. */
export const resentTokens = (draft: Draft, facts: RequestFacts, { usage }: Response): ResentTokens | undefined =>
  sum(draft.rows, usage, { isInput: (_, cycle) => cycle === 'open' || facts.model.readsEarlier });
