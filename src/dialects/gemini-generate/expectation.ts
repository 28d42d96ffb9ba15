import type { Expectation } from '../../continuity/vocabulary.ts';
import type { RequestInput } from '../dialect.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';

/**
 * Whether the answer has to hold reasoning. A level or a budget only bounds it: the model may decide not to think. What
 * this catches is thinking switched off inside an open cycle, and a call of a strict model that came without any.
 */
export function expectationOf(input: RequestInput, facts: RequestFacts, draft: Draft): Expectation {
  if (input.expectReasoning !== undefined) return input.expectReasoning ? 'expected' : 'not_expected';
  if (draft.others.some((entry) => entry.kind === 'mode_toggled')) return 'expected';
  return facts.thinking.on === false ? 'not_expected' : 'not_applicable';
}
