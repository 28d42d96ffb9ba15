import type { Expectation } from '../../continuity/vocabulary.ts';
import type { RequestInput } from '../dialect.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/**
 * Whether the answer has to hold reasoning. Adaptive thinking may decide not to think; a budget always does, but without
 * interleaving only at the start of a turn. A configuration that changed inside an open cycle switches thinking off
 * without a word (build-with-claude/thinking), which is what this is there to catch.
 */
export function expectationOf(input: RequestInput, facts: RequestFacts, turns: Turns, draft: Draft): Expectation {
  if (input.expectReasoning !== undefined) return input.expectReasoning ? 'expected' : 'not_expected';
  const toggledOff = draft.others.some((entry) => entry.kind === 'mode_toggled');
  if (toggledOff) return 'expected';
  const { on, budgeted } = facts.thinking;
  if (on === undefined) return 'not_applicable';
  if (!on) return 'not_expected';
  if (turns.open) {
    const opener = draft.compared.find(({ message }) => turns.turnOf[message] === turns.lastTurn);
    if (opener?.answer.request.reasoningOn === false) return 'expected';
    return 'not_applicable';
  }
  return budgeted ? 'expected' : 'not_applicable';
}
