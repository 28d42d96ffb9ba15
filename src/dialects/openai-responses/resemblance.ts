import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { bestOf, CONTEXT_POINTS, type Hit, hit, lineagePoints } from '../../continuity/likely-answer.ts';
import { contains } from '../../continuity/passage.ts';
import { asObject } from '../json.ts';
import type { Search } from './match.ts';
import { type CallItem, isPieceItem, messageText, type PieceItem } from './read-item.ts';

/** How much each kind of likeness says, and how much it takes. */
const POINTS = {
  seal: 100,
  id: 100,
  callWithInput: 30,
  callByName: 15,
  /** A sentence that one answer alone holds. */
  uniqueText: 27,
  text: 10,
  shortText: 2,
  /** Everything that was said before it, though calls and reasoning are gone. */
  sameTalk: 25,
} as const;
/** A call with its name and arguments is enough; a short text needs its context. */
const ACCEPT = 26;
const SENTENCE = 24;

const NOTHING: readonly never[] = [];

/**
 * Finds the answers that the items of one stretch come from, where they are not simply whole answers.
 * @param owners items that are known to belong to whole answers already.
 * @returns false where nothing of the stretch is known.
 */
export function matchStretch(begin: number, end: number, owners: ReadonlyMap<number, Answer>, search: Search): boolean {
  const { ledger, facts, turns } = search;
  const prefix = turns.prefixOf[begin] ?? 0;
  const rest: { readonly at: number; readonly item: PieceItem }[] = [];
  for (let at = begin; at < end; at++) {
    const item = search.items[at];
    if (item !== undefined && isPieceItem(item) && !owners.has(at)) rest.push({ at, item });
  }
  if (rest.length === 0) return true;
  const hits = new Map(rest.map(({ at, item }) => [at, hitsOf(item, prefix, search)]));
  const carried = new Map(rest.map(({ at, item }) => [at, carriedBy(item, ledger)]));
  const rank = new Map<Answer, number>();
  const count = (answer: Answer, points: number): void => {
    rank.set(answer, (rank.get(answer) ?? contextPoints(answer, begin, search)) + points);
  };
  for (const own of hits.values()) for (const { answer, points } of own) count(answer, points);
  for (const own of carried.values()) for (const { answer } of own) count(answer, POINTS.seal);
  for (const [answer, points] of rank) if (points < ACCEPT) rank.delete(answer);

  const ownerAt = (at: number): Answer | undefined => owners.get(at) ?? bestOf(hits.get(at) ?? NOTHING, rank)?.answer;
  const echoed = rest.length < end - begin && isAnyOwned(begin, end, owners);
  if (rank.size === 0 && !echoed) {
    // Nothing of the answer is left as it was, but its reasoning may stand there as text.
    const raws = rest.map(({ at }) => facts.rawItems[at]);
    const buried = ledger.byPrefix(prefix).findLast((answer) => raws.some((raw) => holdsReasoning(raw, answer)));
    if (buried === undefined) return false;
    for (const { at, item } of rest) search.sight(buried, at, item, undefined);
    return true;
  }
  for (const { at, item } of rest) {
    const own = bestOf(hits.get(at) ?? NOTHING, rank);
    const seal = carried.get(at)?.find(({ answer }) => rank.has(answer));
    if (own !== undefined) {
      search.sight(own.answer, at, item, own.issued);
      if (seal !== undefined && item.kind !== 'block') search.stray(at, seal);
      continue;
    }
    if (seal !== undefined) {
      // A block under another label, unless it is but the text that stayed of it.
      const asText = item.kind === 'text' && holdsReasoning(facts.rawItems[at], seal.answer);
      search.sight(seal.answer, at, item, asText ? undefined : seal.answer.pieces[seal.index]);
      continue;
    }
    // What nobody issued belongs, by its place, to the answer around it: the next one known, else the one before.
    let neighbour: Answer | undefined;
    for (let n = at + 1; n < end && neighbour === undefined; n++) neighbour = ownerAt(n);
    for (let n = at - 1; n >= begin && neighbour === undefined; n--) neighbour = ownerAt(n);
    if (neighbour !== undefined) search.sight(neighbour, at, item, undefined);
  }
  return true;
}

function isAnyOwned(begin: number, end: number, owners: ReadonlyMap<number, Answer>): boolean {
  for (let at = begin; at < end; at++) if (owners.has(at)) return true;
  return false;
}

/** What an item may be: by its id, else by what it holds. The side of a gateway at which it is sent goes before the other. */
function hitsOf(item: PieceItem, prefix: Digest, { ledger, facts }: Search): readonly Hit[] {
  const named = item.id === undefined ? NOTHING : byId(item.id, ledger);
  const isNear = ({ answer }: Hit): boolean => answer.request.leg === facts.leg;
  // Another block's payload under this id is this block with another payload.
  if (named.some(isNear)) return named;
  const held = heldBy(item, prefix, ledger);
  const near = held.filter(isNear);
  if (near.length > 0) return near;
  return named.length > 0 ? named : held;
}

function heldBy(item: PieceItem, prefix: Digest, ledger: Ledger): readonly Hit[] {
  if (item.kind === 'block') {
    if (item.seal === undefined) return NOTHING;
    return ledger.bySeal(item.seal).flatMap(({ answer, index }) => hit(answer, answer.pieces[index], POINTS.seal));
  }
  if (item.kind === 'call') {
    const makers = ledger.byCall(item.key);
    // Under an id of the client's own a call is known by what it says behind the very beginning that it was made behind.
    if (makers.length === 0) return ledger.byPrefix(prefix).flatMap((answer) => hit(answer, twinOf(item, answer), 0));
    return makers.flatMap((answer) => {
      const issued = answer.pieces.find((one) => one.kind === 'call' && one.key === item.key);
      if (issued?.call?.name !== item.name) return NOTHING;
      return hit(answer, issued, issued.call.input === item.input ? POINTS.callWithInput : POINTS.callByName);
    });
  }
  const holders = ledger.byPiece(item.key, prefix);
  const long = item.kind !== 'text' || item.length >= SENTENCE;
  const points = !long ? POINTS.shortText : holders.length === 1 ? POINTS.uniqueText : POINTS.text;
  return holders.flatMap((answer) => {
    const issued = answer.pieces.find((one) => one.kind !== 'block' && one.kind !== 'call' && one.key === item.key);
    return hit(answer, issued, points);
  });
}

const twinOf = ({ name, input }: CallItem, { pieces }: Answer): IssuedPiece | undefined =>
  pieces.find(({ call }) => call?.name === name && call.input === input);

function byId(id: Digest, ledger: Ledger): readonly Hit[] {
  return ledger.byPiece(id).flatMap((answer) =>
    hit(
      answer,
      answer.pieces.find((piece) => piece.id === id),
      POINTS.id,
    ),
  );
}

/** Blocks whose seals an item of another kind carries along. */
function carriedBy(item: PieceItem, ledger: Ledger): readonly IssuedBlock[] {
  return item.strings.length === 0 ? NOTHING : item.strings.flatMap((seal) => ledger.bySeal(seal));
}

function contextPoints(answer: Answer, begin: number, { facts, turns, seen, byAnswer }: Search): number {
  const { request } = answer;
  const before = seen.at(-1)?.answer;
  let points = 0;
  if (request.endpoint === facts.endpoint && request.leg === facts.leg) points += CONTEXT_POINTS.samePlace;
  if (request.prefix === turns.prefixOf[begin]) points += CONTEXT_POINTS.samePrefix;
  else if (request.spoken === turns.spokenOf[begin]) points += POINTS.sameTalk;
  if (byAnswer.has(answer)) points += CONTEXT_POINTS.seenAlready;
  points += lineagePoints(answer, before);
  // Goes on from an answer that the request has re-sent just before.
  if (before !== undefined && request.answers?.value === before) points += CONTEXT_POINTS.goesOn;
  return points;
}

function holdsReasoning(raw: unknown, answer: Answer): boolean {
  const text = messageText(asObject(raw)?.content);
  return text !== '' && answer.blocks.some(({ passage }) => passage !== undefined && contains(text, passage));
}
