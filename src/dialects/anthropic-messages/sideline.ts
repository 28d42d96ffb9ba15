import { isAside } from '../../continuity/sideline.ts';
import type { ComparedAnswer } from './compare.ts';
import type { Match } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** A request that re-sends the visible history but none of its reasoning, and is not the run itself going on. */
export function isSideline(
  facts: RequestFacts,
  turns: Turns,
  compared: readonly ComparedAnswer[],
  match: Match,
): boolean {
  if (match.strays.length > 0) return false;
  if (compared.some((answer) => answer.blocks.some((row) => row.message !== undefined))) return false;
  if (compared.some((answer) => answer.fabricated.length > 0)) return false;
  const { system, tools, model, thinking } = facts;
  const asking = {
    api: 'anthropic.messages',
    system,
    tools: tools.bound,
    hasTools: tools.count > 0,
    model: model.id,
    isReasoningOff: thinking.on !== true,
    open: turns.open,
    prefix: turns.prefix,
  };
  return isAside(
    asking,
    compared.map(({ answer }) => answer),
  );
}
