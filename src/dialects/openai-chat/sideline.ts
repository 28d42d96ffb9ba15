import { isAside } from '../../continuity/sideline.ts';
import type { ComparedAnswer } from './compare.ts';
import { API } from './issued.ts';
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
  if (match.relabelled.length > 0) return false;
  if (compared.some(({ blocks }) => blocks.some((row) => row.message !== undefined))) return false;
  if (compared.some(({ fabricated }) => fabricated.length > 0)) return false;
  const { system, tools, model, thinking } = facts;
  const asking = {
    api: API,
    system,
    tools,
    hasTools: facts.toolCount > 0,
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
