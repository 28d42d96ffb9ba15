import type { Answer } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { Piece } from './read-content.ts';
import { isSame, partsOf } from './slots.ts';

export const API = 'gemini.generateContent';

export const isOwn = (answer: Answer): boolean => answer.request.api === API;

/** Where a request was seen; a gateway's two sides issue the same answer twice. */
export interface Place {
  readonly prefix: Digest;
  /** Answers that the rest of the request goes back to, of those that it does not hold yet. */
  readonly missing?: ReadonlySet<Answer>;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
}

/** The common case: a content is one answer, untouched. */
export function findEcho(pieces: readonly Piece[], place: Place, ledger: Ledger): Answer | undefined {
  const first = pieces[0];
  if (first === undefined) return undefined;
  let found: Answer | undefined;
  let count = 0;
  let elsewhere: Answer | undefined;
  let owed: Answer | undefined;
  for (const answer of candidatesOf(first, place.prefix, ledger)) {
    if (!isOwn(answer) || !isEcho(pieces, answer)) continue;
    const { request } = answer;
    if (request.leg !== place.leg || request.endpoint !== place.endpoint) {
      elsewhere ??= answer;
      continue;
    }
    if (request.prefix === place.prefix) return answer;
    if (place.missing?.has(answer)) owed = answer;
    found = answer;
    count++;
  }
  if (owed !== undefined) return owed;
  // Only a seal tells for certain that it is the same answer, seen from another side.
  if (count === 0 && first.seal !== undefined) return elsewhere;
  // Without a seal or a call, equal words may be another run's.
  const telling = found !== undefined && (found.blocks.length > 0 || pieces.some(({ kind }) => kind === 'call'));
  return count === 1 && telling ? found : undefined;
}

function candidatesOf(piece: Piece, prefix: Digest, ledger: Ledger): readonly Answer[] {
  if (piece.seal !== undefined) return newestFirst(ledger.bySeal(piece.seal).map(({ answer }) => answer));
  return newestFirst(piece.kind === 'call' ? ledger.byCall(piece.key, prefix) : ledger.byPiece(piece.key, prefix));
}

function newestFirst(answers: readonly Answer[]): readonly Answer[] {
  return answers.length > 1 ? [...answers].reverse() : answers;
}

function isEcho(pieces: readonly Piece[], answer: Answer): boolean {
  const { slots } = partsOf(answer);
  if (pieces.length !== slots.length) return false;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const slot = slots[i];
    if (piece === undefined || slot === undefined || !isSame(piece, slot)) return false;
  }
  return true;
}
