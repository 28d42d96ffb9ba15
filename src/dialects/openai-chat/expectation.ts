import type { Expectation } from '../../continuity/vocabulary.ts';
import type { RequestInput } from '../dialect.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { Rule } from './rules.ts';
import type { Turns } from './turns.ts';

/**
 * Whether the answer has to hold reasoning. A model that decides by itself may skip it; all others begin a turn with it.
 * Inside a loop they may go on without, unless it was switched off there, or the proxy in between does so by itself.
 */
export function expectationOf(
  input: RequestInput,
  facts: RequestFacts,
  turns: Turns,
  draft: Draft,
  rule: Rule,
): Expectation {
  if (input.expectReasoning !== undefined) return input.expectReasoning ? 'expected' : 'not_expected';
  if (draft.others.some(({ kind }) => kind === 'mode_toggled')) return 'expected';
  const { on, adaptive } = facts.thinking;
  if (on === undefined) return 'not_applicable';
  if (!on) return 'not_expected';
  if (turns.open) return mayBeSwitchedOff(facts, draft, rule) ? 'expected' : 'not_applicable';
  return adaptive ? 'not_applicable' : 'expected';
}

/** docs.litellm.ai reasoning_content, `modify_params`: where blocks are missing, the proxy takes `thinking` out and only logs it. */
function mayBeSwitchedOff(facts: RequestFacts, draft: Draft, rule: Rule): boolean {
  const lost = draft.rows.some(({ cycle, entry }) => cycle === 'open' && entry?.kind === 'dropped');
  return rule.profile.name === 'litellm' && facts.model.vendor === 'anthropic' && lost;
}
