import { isAside } from '../../continuity/sideline.ts';
import type { ComparedAnswer } from './compare.ts';
import { API } from './echo.ts';
import type { Match } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** A request that re-sends the visible history but none of its seals, and is not the run itself going on. */
export function isSideline(
  facts: RequestFacts,
  turns: Turns,
  compared: readonly ComparedAnswer[],
  match: Match,
): boolean {
  if (match.occurrences.size > 0) return false;
  if (compared.some((answer) => answer.blocks.some((row) => row.content !== undefined))) return false;
  if (compared.some((answer) => answer.fabricated.length > 0)) return false;
  const { system, tools, hasTools, model, thinking } = facts;
  const asking = {
    api: API,
    system,
    tools,
    hasTools,
    model: model.id,
    isReasoningOff: thinking.on === false,
    open: turns.open,
    prefix: turns.prefix,
  };
  return isAside(
    asking,
    compared.map(({ answer }) => answer),
  );
}
