import type { Answer } from '../../continuity/answer.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { isAside } from '../../continuity/sideline.ts';
import { API } from './echo.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/**
 * The answer of another API that the run goes on from here: the history's newest calls bear its ids, and nothing of the
 * history is this API's own. A helper that is only shown what happened takes no tools along.
 */
export function arrivedFrom(facts: RequestFacts, turns: Turns, ledger: Ledger): Answer | undefined {
  const ids = facts.contents.flatMap(({ pieces }) => pieces.flatMap(({ call }) => call?.id ?? []));
  const [id] = ids.slice(-1);
  const answer = id === undefined ? undefined : ledger.byCall(id).findLast(({ request }) => request.api !== API);
  if (answer === undefined) return undefined;
  const { system, tools, hasTools, model } = facts;
  const { open, prefix } = turns;
  const asking = { api: API, system, tools, hasTools, model: model.id, isReasoningOff: false, open, prefix };
  return isAside(asking, [answer]) ? undefined : answer;
}
