import type { ResentTokens } from '../../continuity/judgement.ts';
import { resentTokens as sum } from '../../continuity/resent.ts';
import type { Draft, Request } from './context.ts';
import type { UsageFacts } from './read-response.ts';

/**
 * Estimate of the reasoning tokens that this request sends again, or that are held for it, and that the model is shown.
 * Every token of a chain counts as input again (guides/conversation-state), so held ones count, too. No provider reports it.
 */
export function resentTokens(draft: Draft, { facts }: Request, usage: UsageFacts): ResentTokens | undefined {
  const { context } = facts.reasoning;
  return sum(draft.rows, usage, {
    isCounted: ({ type }) => type === 'reasoning',
    // Reasoning of turns that are over is not shown to such a model (guides/reasoning).
    isInput: (answer) => context === undefined || context === 'all_turns' || draft.turnAnswers.includes(answer),
  });
}
