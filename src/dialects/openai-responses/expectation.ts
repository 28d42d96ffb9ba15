import type { Expectation } from '../../continuity/vocabulary.ts';
import type { RequestInput } from '../dialect.ts';
import type { Draft, Request } from './context.ts';

/** Efforts at which a model may well not reason. */
const LEAST = new Set<string | undefined>(['none', 'minimal', 'low', undefined]);

/**
 * Whether the answer has to hold reasoning. Newer models decide for themselves; the first reasoning models always
 * begin a turn with it. A configuration that changed inside an open cycle switches reasoning off without a word, which
 * is what this is there to catch.
 */
export function expectationOf(input: RequestInput, { facts, turns }: Request, draft: Draft): Expectation {
  if (input.expectReasoning !== undefined) return input.expectReasoning ? 'expected' : 'not_expected';
  if (draft.others.some((entry) => entry.kind === 'mode_toggled')) return 'expected';
  const { on, effort } = facts.reasoning;
  if (on === undefined) return 'not_applicable';
  if (!on) return 'not_expected';
  return facts.model.row?.always && !turns.open && !LEAST.has(effort) ? 'expected' : 'not_applicable';
}
