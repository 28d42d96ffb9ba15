import type { Standing } from '../../continuity/answer.ts';
import { digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { FetchedAnswer } from '../dialect.ts';
import { issueAnswer } from './issue.ts';
import { createReader } from './read-response.ts';
import { isOwn } from './slots.ts';
import { readTurns } from './turns.ts';

/** States in which an interaction has not come to its end (SDK typings, `InteractionStatus`). */
const ON_ITS_WAY = new Set<unknown>(['queued', 'in_progress']);

/**
 * An interaction in the background has no steps when it is created, and has them when it is fetched by its id
 * (ai.google.dev gemini-api/docs/interactions): only then are they issued, as the answer to the request that asked for
 * them. One whose steps have been seen is no second answer.
 */
export function openFetch(id: string, ledger: Ledger): FetchedAnswer | undefined {
  const key = digest(id);
  const promised = ledger.byPiece(key).findLast((answer) => answer.key === key && isOwn(answer));
  if (promised === undefined || promised.pieces.length > 0) return undefined;
  const reader = createReader();
  return {
    event: reader.event,
    response: reader.whole,
    close(end) {
      const response = reader.end();
      if (response === undefined || ON_ITS_WAY.has(response.status)) return;
      const { request, after, runId, producer } = promised;
      const turns = readTurns([], after && before(after));
      const turnAnswers = (after?.turnAnswers ?? 1) - 1;
      ledger.record(
        issueAnswer(response, { request, turns, turnAnswers, runId, producer, completed: end === 'completed' }),
      );
    },
  };
}

/** Where the conversation stood: an answer without steps has added nothing to it, and has closed nothing. */
function before(after: Standing): Standing {
  return { ...after, open: after.cycleGroups > 0 };
}
