import type { Answer } from '../../continuity/answer.ts';
import { digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { FetchedAnswer } from '../dialect.ts';
import { asString } from '../json.ts';
import { issueAnswer } from './issue.ts';
import { idKey } from './read-item.ts';
import { createReader, type Response } from './read-response.ts';

/** States after which a response changes no more (SDK typings, `ResponseStatus`). */
const FINAL = new Set<unknown>(['completed', 'incomplete', 'failed', 'cancelled']);

const NOTHING_BEFORE = { turnAnswers: 1, open: false, cycleGroups: 0, cycleCalls: 0 } as const;

/**
 * A response in the background is `queued` when it is created, and has its items when it is fetched by its id
 * (guides/background): only then are they issued, as the answer to the request that asked for them. One whose items have
 * been seen, be it in part, is no second answer; but it may show its reasoning under another ciphertext, which is as good.
 */
export function openFetch(id: string, ledger: Ledger): FetchedAnswer | undefined {
  const key = idKey(id);
  const promised = ledger.byPiece(key).findLast((answer) => answer.key === key);
  if (promised === undefined) return undefined;
  const reader = createReader();
  return {
    event: reader.event,
    response: reader.whole,
    close(end) {
      const response = reader.end();
      if (response === undefined || !FINAL.has(response.status)) return;
      if (promised.pieces.length > 0) {
        learnSeals(promised, response, ledger);
        return;
      }
      const { request, after = NOTHING_BEFORE, runId, producer } = promised;
      ledger.record(issueAnswer(response, request, after, runId, producer, end === 'completed'));
    },
  };
}

function learnSeals({ blocks }: Answer, { items }: Response, ledger: Ledger): void {
  for (const { item, complete } of items) {
    const seal = asString(item.encrypted_content) ?? '';
    const id = asString(item.id);
    const block = id === undefined ? undefined : blocks.find((one) => one.id === idKey(id));
    if (complete && seal !== '' && block !== undefined) ledger.alsoSealed(block, digest(seal));
  }
}
