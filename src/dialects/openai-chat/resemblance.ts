import type { Answer } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { bestOf, contextPoints, type Hit, hit, isTaken } from '../../continuity/likely-answer.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { contains } from '../../continuity/passage.ts';
import { asObject } from '../json.ts';
import type { Search } from './match.ts';
import { textOf } from './raw-text.ts';
import type { Piece } from './read-message.ts';

/** How much each kind of likeness says, and how much it takes. */
const POINTS = {
  seal: 100,
  callWithInput: 30,
  callByName: 15,
  /** An id that several answers gave says little: some hosts number their calls anew in each answer. */
  sharedCall: 12,
  /** A sentence that one answer alone holds. */
  uniqueText: 27,
  text: 10,
  shortText: 2,
} as const;
/** A call with its name and arguments is enough; a short text needs its context. */
const ACCEPT = 26;
const SENTENCE = 24;

/**
 * Finds the answers that the pieces of one message come from, where it is not simply one of them.
 * @returns false where nothing of the message is known.
 */
export function matchPieces(
  m: number,
  group: number,
  pieces: readonly Piece[],
  prefix: Digest,
  search: Search,
): boolean {
  const { ledger, facts } = search;
  const hits = pieces.map((piece) => hitsOf(piece, prefix, ledger));
  const { endpoint, leg } = facts;
  const place = { prefix, index: group, question: facts.messages[group - 1]?.part, endpoint, leg };
  const rank = new Map<Answer, number>();
  for (const { answer, points } of hits.flat()) {
    rank.set(answer, (rank.get(answer) ?? contextPoints(answer, place, search)) + points);
  }
  for (const [answer, points] of rank) if (points < ACCEPT) rank.delete(answer);
  if (rank.size === 0) {
    const found = answerAtPlace(pieces, facts.rawMessages[m], prefix, ledger);
    if (found === undefined) return false;
    for (const piece of pieces) search.sight(found, m, piece, undefined);
    return true;
  }
  // Two turns that said the same: where nothing but the text is left, each stands for one of them.
  const said = pieces.every(({ kind }) => kind === 'text');
  const free = (own: readonly Hit[]): readonly Hit[] => own.filter((one) => !isTaken(one, search));
  const chosen = hits.map((own) => (said ? bestOf(free(own), rank) : undefined) ?? bestOf(own, rank));
  pieces.forEach((piece, i) => {
    const own = chosen[i];
    if (own !== undefined) {
      search.sight(own.answer, m, piece, own.issued);
      return;
    }
    // What nobody issued belongs, by its place, to the answer around it: the next one known, else the one before.
    const neighbour = chosen.find((hit, n) => n > i && hit) ?? chosen.findLast((hit, n) => n < i && hit);
    if (neighbour !== undefined) search.sight(neighbour.answer, m, piece, undefined);
  });
  return true;
}

/**
 * Nothing of the answer is left as it was. It still stands where it was given, and its calls (under other ids), its words
 * or its reasoning, turned into words, tell it from another answer to the same question.
 */
function answerAtPlace(pieces: readonly Piece[], raw: unknown, prefix: Digest, ledger: Ledger): Answer | undefined {
  const answers = ledger.byPrefix(prefix);
  if (answers.length === 0) return undefined;
  const text = textOf(asObject(raw) ?? {});
  const calls = pieces.flatMap((piece) => (piece.kind === 'call' ? [piece] : []));
  return answers.findLast((answer) => {
    if (text !== '' && saysAloud(text, answer)) return true;
    const own = answer.pieces.flatMap(({ call }) => call ?? []);
    return calls.some(({ name, input }) => own.some((call) => call.name === name && call.input === input));
  });
}

function saysAloud(text: string, answer: Answer): boolean {
  const said = [...answer.blocks, ...answer.pieces];
  if (said.some(({ passage }) => passage !== undefined && contains(text, passage))) return true;
  return answer.pieces.some(({ textLikeness }) => textLikeness !== undefined && isDerived(text, textLikeness));
}

function hitsOf(piece: Piece, prefix: Digest, ledger: Ledger): readonly Hit[] {
  if (piece.kind === 'block') {
    if (piece.filler === 'bypass') return NOTHING;
    const blocks = piece.seal === undefined ? ledger.byReasoning(piece.text ?? 0) : ledger.bySeal(piece.seal);
    const known = piece.seal !== undefined && blocks.length === 0 && piece.text !== undefined;
    const holders = known ? ledger.byReasoning(piece.text ?? 0) : blocks;
    const telling = piece.textLength >= SENTENCE && holders.length === 1;
    const points =
      piece.seal !== undefined && !known
        ? POINTS.seal
        : telling
          ? POINTS.uniqueText
          : piece.textLength >= SENTENCE
            ? POINTS.text
            : POINTS.shortText;
    return holders.flatMap(({ answer, index }) => hit(answer, answer.pieces[index], points));
  }
  if (piece.kind === 'call') {
    // Of an API that knows a call by what it says, the id stands beside it.
    const holders = [...ledger.byCall(piece.id, prefix), ...ledger.byPiece(piece.id)];
    return holders.flatMap((answer) => {
      const issued = answer.pieces.find((one) => one.kind === 'call' && [one.key, one.id].includes(piece.id));
      if (issued?.call?.name !== piece.name) return NOTHING;
      const same = issued.call.input === piece.input;
      if (holders.length > 1) return hit(answer, issued, same ? 2 * POINTS.sharedCall : POINTS.sharedCall);
      return hit(answer, issued, same ? POINTS.callWithInput : POINTS.callByName);
    });
  }
  const holders = ledger.byPiece(piece.key, prefix);
  const long = piece.length >= SENTENCE;
  const points = !long ? POINTS.shortText : holders.length === 1 ? POINTS.uniqueText : POINTS.text;
  return holders.flatMap((answer) => {
    const issued = answer.pieces.find((one) => one.kind === 'text' && one.key === piece.key);
    return hit(answer, issued, points);
  });
}

const NOTHING: readonly never[] = [];
