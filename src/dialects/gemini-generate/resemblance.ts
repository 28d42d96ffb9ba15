import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { contains, joinPassages, type Passage, passageOf } from '../../continuity/passage.ts';
import { asArray, asObject, asString } from '../json.ts';
import { isOwn } from './echo.ts';
import { blocksOf, type Placed, type Search } from './match.ts';
import type { Piece } from './read-content.ts';
import { partsOf, type Slot } from './slots.ts';

/** How much each kind of likeness says, and how much it takes. */
const POINTS = {
  seal: 100,
  /** The API's own id of the call. */
  callById: 30,
  /** A call that says enough, and that one answer alone holds. */
  tellingCall: 27,
  /** Many agents make the same short call. */
  call: 20,
  /** A sentence that one answer alone holds. */
  uniqueText: 27,
  text: 10,
  shortText: 2,
  samePrefix: 40,
  /** Where something further up was changed, the content before it still tells, and its place in the row a little. */
  sameQuestion: 15,
  sameIndex: 3,
  goesOn: 30,
  inLineage: 20,
  seenAlready: 20,
  /** A gateway's two sides issue the same answer twice: the nearer one is meant. */
  samePlace: 1,
} as const;
/** A call or a text by itself is not enough unless nobody else has it. */
const ACCEPT = 26;
const SENTENCE = 24;

interface Hit {
  readonly answer: Answer;
  readonly slot: Slot;
  readonly points: number;
}

const NOTHING: readonly never[] = [];

/** Where a run of neighbouring contents stands. */
export interface RunPlace {
  /** First content of all the neighbouring ones that a model wrote. */
  readonly group: number;
  /** What stands before those. */
  readonly prefix: Digest;
  /** What stands before the run itself. */
  readonly ownPrefix: Digest;
}

/**
 * Finds the answers that a run of pieces comes from, where it is not simply one of them.
 * @returns false where it is worth another look once the rest of the request is known.
 */
export function matchRun(run: readonly Placed[], place: RunPlace, search: Search): boolean {
  const { ledger } = search;
  const hits = run.map(({ piece }) => hitsOf(piece, ledger));
  const sealed = run.map(({ piece }) => (piece.seal === undefined ? NOTHING : blocksOf(piece.seal, ledger)));
  const rank = new Map<Answer, number>();
  const count = (answer: Answer, points: number): void => {
    rank.set(answer, (rank.get(answer) ?? contextPoints(answer, place, search)) + points);
  };
  for (const own of hits) for (const [answer, points] of strongest(own)) count(answer, points);
  for (const { answer } of sealed.flat()) if (isOwn(answer)) count(answer, POINTS.seal);
  const guesses = rank.size;
  keepLikely(rank);
  if (rank.size === 0) {
    if (guesses > 0 && search.lineage === undefined) return false;
    const buried = ledger.byPrefix(place.prefix).findLast((answer) => isOwn(answer) && saysAlike(run, answer, search));
    for (const [i, placed] of run.entries()) {
      if (buried === undefined) tellSeal(placed, sealed[i] ?? NOTHING, search);
      else search.sight(buried, placed, undefined);
    }
    return true;
  }

  const blocks = sealed.map((own) => bestBlock(own, rank));
  const home = new Map<number, Answer>();
  const settle = (i: number, answer: Answer, slot: Slot): void => {
    home.set(i, answer);
    search.sight(answer, run[i] as Placed, slot);
  };
  // Parts that are whole claim their place first; of equal ones the order decides.
  for (const [i, { piece }] of run.entries()) {
    const block = blocks[i];
    const slot = block && partsOf(block.answer).slotOf.get(block);
    if (block === undefined || slot === undefined || slot.key !== piece.key || slot.kind !== piece.kind) continue;
    if (!search.isTaken(block.answer, slot)) settle(i, block.answer, slot);
  }
  for (const [i, own] of hits.entries()) {
    if (home.has(i)) continue;
    const best = bestHit(own, rank, search);
    if (best !== undefined) settle(i, best.answer, best.slot);
  }
  for (const [i, placed] of run.entries()) {
    const block = blocks[i];
    if (block !== undefined) search.occur(block, placed.content, placed.piece.at, placed.piece);
    else if (sealed[i]?.length) tellSeal(placed, sealed[i] ?? NOTHING, search);
    if (home.has(i)) continue;
    // What nobody issued belongs, by its place, to the answer around it: the next one known, else the one before.
    const near =
      block?.answer ?? nearest(i, run.length, home) ?? hits[i]?.find(({ answer }) => rank.has(answer))?.answer;
    if (near !== undefined) search.sight(near, placed, undefined);
  }
  return true;
}

/** Leaves out what could be anybody's, unless it goes on from what is certain. */
function keepLikely(rank: Map<Answer, number>): void {
  const doubtful = [...rank].filter(([, points]) => points < ACCEPT);
  for (const [answer] of doubtful) rank.delete(answer);
  for (const [answer, points] of doubtful.reverse()) {
    const before = answer.request.answers?.value;
    if (before !== undefined && rank.has(before)) rank.set(answer, points + POINTS.goesOn);
  }
}

/** Several equal parts of one answer say no more than one. */
function strongest(hits: readonly Hit[]): ReadonlyMap<Answer, number> {
  const best = new Map<Answer, number>();
  for (const { answer, points } of hits) best.set(answer, Math.max(points, best.get(answer) ?? 0));
  return best;
}

function nearest(at: number, length: number, home: ReadonlyMap<number, Answer>): Answer | undefined {
  for (let i = at + 1; i < length; i++) if (home.has(i)) return home.get(i);
  for (let i = at - 1; i >= 0; i--) if (home.has(i)) return home.get(i);
  return undefined;
}

/** A seal in a place that nobody here knows. */
function tellSeal({ content, piece }: Placed, blocks: readonly IssuedBlock[], search: Search): void {
  const block = blocks.at(-1);
  if (block !== undefined) search.borrow(content, piece.at, block);
  else if (piece.seal !== undefined) search.loose(content, piece);
}

function hitsOf(piece: Piece, ledger: Ledger): readonly Hit[] {
  const { call } = piece;
  if (call !== undefined) {
    const named = call.id === undefined ? NOTHING : ledger.byPiece(call.id).flatMap((answer) => byId(answer, piece));
    const holders = ledger.byCall(piece.key).filter(isOwn);
    const points = call.telling && holders.length === 1 ? POINTS.tellingCall : POINTS.call;
    return [...named, ...holders.flatMap((answer) => byKey(answer, piece, points))];
  }
  if (piece.kind === 'empty') return NOTHING;
  const holders = ledger.byPiece(piece.key).filter(isOwn);
  const long = piece.passage === undefined || piece.passage.length >= SENTENCE;
  const points = !long ? POINTS.shortText : holders.length === 1 ? POINTS.uniqueText : POINTS.text;
  return holders.flatMap((answer) => byKey(answer, piece, points));
}

function byKey(answer: Answer, piece: Piece, points: number): readonly Hit[] {
  const slots = partsOf(answer).slots.filter((slot) => slot.kind === piece.kind && slot.key === piece.key);
  return slots.map((slot) => ({ answer, slot, points }));
}

/** The same call by the API's own id, whatever became of its arguments. */
function byId(answer: Answer, { call }: Piece): readonly Hit[] {
  if (!isOwn(answer)) return NOTHING;
  const slot = partsOf(answer).slots.find((one) => one.id === call?.id && one.call?.name === call?.name);
  return slot === undefined ? NOTHING : [{ answer, slot, points: POINTS.callById }];
}

function contextPoints(
  answer: Answer,
  { group, prefix, ownPrefix }: RunPlace,
  { facts, seen, byAnswer, lineage }: Search,
): number {
  const { request } = answer;
  const before = seen.at(-1)?.answer;
  let points = 0;
  if (request.endpoint === facts.endpoint && request.leg === facts.leg) points += POINTS.samePlace;
  if (request.prefix === prefix || request.prefix === ownPrefix) points += POINTS.samePrefix;
  else {
    if (group > 0 && request.lastMessage === facts.contents[group - 1]?.whole) points += POINTS.sameQuestion;
    if (request.messageCount === group) points += POINTS.sameIndex;
  }
  if (byAnswer.has(answer)) points += POINTS.seenAlready;
  if (lineage !== undefined) points += lineage.has(answer) ? POINTS.inLineage : 0;
  else if (isBehind(before, answer)) points += POINTS.inLineage;
  // Goes on from an answer that the request has re-sent just before.
  if (before !== undefined && request.answers?.value === before) points += POINTS.goesOn;
  return points;
}

/** At equal scores the newest answer is meant, and of its equal parts the first. */
function bestHit(hits: readonly Hit[], rank: ReadonlyMap<Answer, number>, search: Search): Hit | undefined {
  let best: Hit | undefined;
  let bestRank = 0;
  for (const hit of hits) {
    const own = rank.get(hit.answer) ?? 0;
    if (own === 0 || own < bestRank || search.isTaken(hit.answer, hit.slot)) continue;
    if (own === bestRank && best?.answer === hit.answer) continue;
    best = hit;
    bestRank = own;
  }
  return best;
}

function bestBlock(blocks: readonly IssuedBlock[], rank: ReadonlyMap<Answer, number>): IssuedBlock | undefined {
  let best: IssuedBlock | undefined;
  let bestRank = 0;
  for (const block of blocks) {
    const own = rank.get(block.answer) ?? 0;
    if (own === 0 || own < bestRank) continue;
    best = block;
    bestRank = own;
  }
  return best;
}

function isBehind(answer: Answer | undefined, earlier: Answer): boolean {
  for (let node = answer?.request.answers; node !== undefined; node = node.previous) {
    if (node.value === earlier) return true;
  }
  return false;
}

/** Nothing of the answer is left as it was, but what it said, or thought, stands there in other parts. */
function saysAlike(run: readonly Placed[], answer: Answer, { facts }: Search): boolean {
  const { slots, thoughts } = partsOf(answer);
  const said = [...slots, ...thoughts].flatMap(({ passage }) => passage ?? []);
  const whole = slots.reduce<Passage>((all, { passage }) => (passage ? joinPassages(all, passage) : all), NO_TEXT);
  return run.some(({ content, piece }) => {
    if (piece.kind !== 'text' || piece.passage === undefined) return false;
    if (piece.passage.length === whole.length && piece.passage.hash === whole.hash) return true;
    const text = textOf(facts, content);
    return said.some((passage) => contains(text, passage));
  });
}

const NO_TEXT = passageOf('');

/** Everything that a content says. */
export function textOf(facts: RequestLike, content: number): string {
  const parts = asArray(asObject(facts.rawContents[content])?.parts) ?? [];
  return parts.map((part) => (asObject(part)?.thought === true ? '' : (asString(asObject(part)?.text) ?? ''))).join('');
}

interface RequestLike {
  readonly rawContents: readonly unknown[];
}
