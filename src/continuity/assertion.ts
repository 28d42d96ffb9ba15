import type { AssertionResult, Expectation } from './vocabulary.ts';

/** @param present whether the response holds reasoning; undefined where there was no response to look at. */
export function assertionOf(expectation: Expectation, present: boolean | undefined): AssertionResult {
  if (present === undefined || expectation === 'not_expected') return 'skip';
  if (present) return 'pass';
  return expectation === 'expected' ? 'fail' : 'skip';
}
