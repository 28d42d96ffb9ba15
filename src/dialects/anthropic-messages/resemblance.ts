import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { bestOf, contextPoints, type Hit, hit, isTaken } from '../../continuity/likely-answer.ts';
import { contains, type Passage } from '../../continuity/passage.ts';
import { asArray, asObject, asString } from '../json.ts';
import type { Search } from './match.ts';
import type { BlockPiece, Piece, TextPiece } from './read-message.ts';
import { sealedBlocks } from './sealed-blocks.ts';

/** How much each kind of likeness says, and how much it takes. */
const POINTS = {
  seal: 100,
  callWithInput: 30,
  callByName: 15,
  /** A sentence that one answer alone holds. */
  uniqueText: 27,
  text: 10,
  /** A few words that one answer alone holds and that are the whole message: behind its own question it is that answer. */
  uniqueShortText: 9,
  shortText: 2,
} as const;
/** A call with its name and arguments is enough; a short text needs its context. */
const ACCEPT = 26;
const SENTENCE = 24;
const FEW_WORDS = 12;
/** Steps between answers that were made one message. */
const NEAR = 8;

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
  const said = pieces.every(({ kind }) => kind === 'text');
  const hits = pieces.map((piece) => hitsOf(piece, said, prefix, ledger));
  const carried = pieces.map((piece) => (piece.kind === 'block' ? NOTHING : carriedBy(piece, ledger)));
  const { endpoint, leg } = facts;
  const place = { prefix, index: group, question: facts.messages[group - 1]?.whole, endpoint, leg };
  const rank = new Map<Answer, number>();
  const count = (answer: Answer, points: number): void => {
    rank.set(answer, (rank.get(answer) ?? contextPoints(answer, place, search)) + points);
  };
  for (const { answer, points } of hits.flat()) count(answer, points);
  for (const { answer } of carried.flat()) count(answer, POINTS.seal);
  for (const [answer, points] of rank) if (points < ACCEPT) rank.delete(answer);

  const raw = facts.rawMessages[m];
  if (rank.size === 0) {
    // Nothing of the answer is left as it was, but its reasoning may stand there as text, or its text inside a longer one.
    const given = ledger.byPrefix(prefix);
    const buried =
      given.findLast((answer) => holdsReasoning(raw, answer)) ?? given.findLast((answer) => holdsText(raw, answer));
    if (buried !== undefined) {
      for (const piece of pieces) search.sight(buried, m, piece, undefined);
      return true;
    }
    return matchRenamed(m, pieces, prefix, search);
  }
  // Two turns that said the same: where nothing but the text is left, each stands for one of them.
  const free = (own: readonly Hit[]): readonly Hit[] => own.filter((one) => !isTaken(one, search));
  const chosen = hits.map((own) => (said ? bestOf(free(own), rank) : undefined) ?? bestOf(own, rank));
  const [main] = [...rank].sort(([, x], [, y]) => y - x);
  pieces.forEach((piece, i) => {
    if (piece.kind !== 'text' || chosen[i] !== undefined || main === undefined) return;
    for (const [answer, own] of joinedTo(main[0], textAt(raw, piece.at), search)) search.sight(answer, m, piece, own);
  });
  pieces.forEach((piece, i) => {
    const own = chosen[i];
    const seal = carried[i]?.find(({ answer }) => rank.has(answer));
    if (own !== undefined) {
      search.sight(own.answer, m, piece, own.issued);
      if (seal !== undefined) search.stray(m, piece.at, seal);
    } else if (seal !== undefined) {
      // A block under another label, unless it is but the text that stayed of it.
      const asText = piece.kind === 'text' && holdsReasoning(raw, seal.answer);
      search.sight(seal.answer, m, piece, asText ? undefined : seal.answer.pieces[seal.index]);
    } else {
      // What nobody issued belongs, by its place, to the answer around it: the next one known, else the one before.
      const neighbour = chosen.find((hit, n) => n > i && hit) ?? chosen.findLast((hit, n) => n < i && hit);
      const owner = neighbour?.answer ?? main?.[0];
      if (owner !== undefined) search.sight(owner, m, piece, undefined);
    }
  });
  return true;
}

/** Answers before this one, seen nowhere else, whose texts stand in the same string: two messages were made one. */
function joinedTo(answer: Answer, text: string, { byAnswer }: Search): readonly (readonly [Answer, IssuedPiece])[] {
  const found: (readonly [Answer, IssuedPiece])[] = [];
  let steps = 0;
  for (let node = answer.request.answers; node !== undefined && steps < NEAR; node = node.previous, steps++) {
    if (byAnswer.has(node.value)) break;
    const own = node.value.pieces.find(
      ({ passage }) => passage !== undefined && passage.length >= FEW_WORDS && contains(text, passage),
    );
    if (own !== undefined) found.unshift([node.value, own]);
  }
  return found;
}

/**
 * Calls under ids that nobody issued, as a gateway mints them anew: the answer to the same beginning made the same calls.
 * With reasoning of its own beside them the message is another answer, which nobody here has seen.
 */
function matchRenamed(m: number, pieces: readonly Piece[], prefix: Digest, { ledger, sight }: Search): boolean {
  const calls = pieces.filter((piece) => piece.kind === 'call');
  if (calls.length === 0 || pieces.some(({ kind }) => kind === 'block')) return false;
  if (calls.some(({ id }) => ledger.byCall(id).length > 0)) return false;
  for (const answer of [...ledger.byPrefix(prefix)].reverse()) {
    const left = answer.pieces.filter(({ kind }) => kind === 'call');
    const issued = new Map<Piece, IssuedPiece>();
    for (const call of calls) {
      const at = left.findIndex((one) => one.call?.name === call.name && one.call.input === call.input);
      if (at >= 0) issued.set(call, left.splice(at, 1)[0] as IssuedPiece);
    }
    if (issued.size < calls.length) continue;
    for (const piece of pieces) sight(answer, m, piece, issued.get(piece));
    return true;
  }
  return false;
}

function hitsOf(piece: Piece, said: boolean, prefix: Digest, ledger: Ledger): readonly Hit[] {
  if (piece.kind === 'block') {
    if (piece.seal === undefined) return piece.text === undefined ? NOTHING : unsealedHits(piece.text, ledger);
    const blocks = sealedBlocks(piece, piece.seal, ledger);
    return blocks.flatMap(({ answer, index }) => hit(answer, answer.pieces[index], POINTS.seal));
  }
  if (piece.kind === 'call') {
    // Of an API that knows a call by what it says, the id stands beside it.
    return [...ledger.byCall(piece.id), ...ledger.byPiece(piece.id)].flatMap((answer) => {
      const issued = answer.pieces.find((one) => one.kind === 'call' && [one.key, one.id].includes(piece.id));
      if (issued?.call?.name !== piece.name) return NOTHING;
      return hit(answer, issued, issued.call.input === piece.input ? POINTS.callWithInput : POINTS.callByName);
    });
  }
  const holders = ledger.byPiece(piece.key, prefix);
  const only = holders.length === 1;
  const points = isShorter(piece, SENTENCE)
    ? POINTS[said && only && !isShorter(piece, FEW_WORDS) ? 'uniqueShortText' : 'shortText']
    : POINTS[only ? 'uniqueText' : 'text'];
  const same = holders.flatMap((answer) => {
    const issued = answer.pieces.find((one) => one.kind !== 'block' && one.kind !== 'call' && one.key === piece.key);
    return hit(answer, issued, points);
  });
  return same.length > 0 || piece.kind !== 'text' ? same : joinedHits(piece, ledger);
}

function isShorter(piece: Exclude<Piece, BlockPiece>, limit: number): boolean {
  return piece.kind === 'text' && piece.length < limit;
}

/** All texts of an answer in one string, one with other white space, or its reasoning written out as text. */
function joinedHits(piece: TextPiece, ledger: Ledger): readonly Hit[] {
  const written = ledger.byReasoning(piece.squeezed).map(({ answer }) => answer);
  const holders = [...ledger.byPiece(piece.squeezed), ...written];
  const unique = holders.length === 1 && piece.length >= SENTENCE;
  const points = unique ? POINTS.uniqueText : piece.length >= SENTENCE ? POINTS.text : POINTS.shortText;
  return holders.map((answer) => ({ answer, issued: undefined, points }));
}

/** A block without a seal has its text alone: it is the block where that one arrived without, too. */
function unsealedHits(text: Digest, ledger: Ledger): readonly Hit[] {
  const holders = ledger.byReasoning(text);
  const points = holders.length === 1 ? POINTS.uniqueText : POINTS.text;
  return holders.map(({ answer, index, seal }) => {
    return { answer, issued: seal === undefined ? answer.pieces[index] : undefined, points };
  });
}

const NOTHING: readonly never[] = [];

/** Blocks whose seals a piece of another kind carries along. */
function carriedBy(piece: Exclude<Piece, BlockPiece>, ledger: Ledger): readonly IssuedBlock[] {
  return piece.strings.length === 0 ? NOTHING : piece.strings.flatMap((seal) => ledger.bySeal(seal));
}

function holdsReasoning(message: unknown, { blocks }: Answer): boolean {
  return holds(message, blocks);
}

function holdsText(message: unknown, { pieces }: Answer): boolean {
  return holds(message, pieces);
}

function textAt(message: unknown, at: number): string {
  const content = asObject(message)?.content;
  return (typeof content === 'string' ? content : asString(asObject(asArray(content)?.[at])?.text)) ?? '';
}

function holds(message: unknown, sought: readonly { readonly passage?: Passage }[]): boolean {
  const content = asObject(message)?.content;
  const texts = asArray(content)?.map((block) => asString(asObject(block)?.text)) ?? [asString(content)];
  return sought.some(
    ({ passage }) => passage !== undefined && texts.some((text) => text !== undefined && contains(text, passage)),
  );
}
