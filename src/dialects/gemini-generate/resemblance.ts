import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { CONTEXT_POINTS, leftOutPoints } from '../../continuity/likely-answer.ts';
import { contains, joinPassages, type Passage, passageOf } from '../../continuity/passage.ts';
import { asArray, asObject, asString } from '../json.ts';
import { blocksOf } from './blocks-of.ts';
import { isOwn } from './echo.ts';
import type { Placed, Search, SeenAnswer } from './match.ts';
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
  ...CONTEXT_POINTS,
  /** Contents are cut otherwise than answers: the place in the row says little. */
  sameQuestion: 15,
  sameIndex: 3,
  /** Some of it has been seen, and some of it not yet. */
  begun: 45,
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

/** Finds the answers that a run of pieces comes from, where it is not simply one of them. */
export function matchRun(run: readonly Placed[], place: RunPlace, search: Search): void {
  const { ledger } = search;
  const hits = run.map(({ piece }) => hitsOf(piece, place.prefix, ledger));
  const sealed = run.map(({ piece }) => (piece.seal === undefined ? NOTHING : blocksOf(piece.seal, ledger)));
  const rank = new Map<Answer, number>();
  const count = (answer: Answer, points: number): void => {
    rank.set(answer, (rank.get(answer) ?? contextPoints(answer, place, search)) + points);
  };
  for (const own of hits) for (const [answer, points] of strongest(own)) count(answer, points);
  for (const { answer } of sealed.flat()) if (isOwn(answer)) count(answer, POINTS.seal);
  keepLikely(rank);
  if (rank.size === 0) {
    const given = ledger.byPrefix(place.prefix).filter(isOwn);
    const rebuilt = given.findLast((answer) => callsAlike(run, answer));
    const buried = rebuilt ?? given.findLast((answer) => saysAlike(run, answer, search));
    const slots = rebuilt === undefined ? NOTHING : callsOf(rebuilt);
    let called = 0;
    for (const [i, placed] of run.entries()) {
      if (buried === undefined) tellSeal(placed, sealed[i] ?? NOTHING, search);
      else search.sight(buried, placed, placed.piece.call === undefined ? undefined : slots[called++]);
    }
    return;
  }

  const blocks = sealed.map((own) => bestBlock(own, rank));
  const home: Home = new Map();
  const settle = (i: number, answer: Answer, slot: Slot): void => {
    home.set(i, { answer, slot });
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
    const open = own.filter(({ answer, slot }) => rank.has(answer) && !search.isTaken(answer, slot));
    const best = besideHit(i, open, run.length, home) ?? bestHit(open, rank);
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

/** Where the pieces of a run belong. */
type Home = Map<number, { readonly answer: Answer; readonly slot: Slot }>;

function nearest(at: number, length: number, home: Home): Answer | undefined {
  return homeBehind(at, length, home)?.answer ?? homeBefore(at, home)?.answer;
}

function homeBehind(at: number, length: number, home: Home): ReturnType<Home['get']> {
  for (let i = at + 1; i < length; i++) if (home.has(i)) return home.get(i);
  return undefined;
}

function homeBefore(at: number, home: Home): ReturnType<Home['get']> {
  for (let i = at - 1; i >= 0; i--) if (home.has(i)) return home.get(i);
  return undefined;
}

/** Parts of one answer stand together: of equal ones that which goes on with the part before, or leads to the next. */
function besideHit(at: number, hits: readonly Hit[], length: number, home: Home): Hit | undefined {
  const before = homeBefore(at, home);
  const behind = homeBehind(at, length, home);
  return (
    hits.find(({ answer, slot }) => answer === before?.answer && slot.index > before.slot.index) ??
    hits.findLast(({ answer, slot }) => answer === behind?.answer && slot.index < behind.slot.index)
  );
}

/** A seal in a place that nobody here knows. */
function tellSeal({ content, piece }: Placed, blocks: readonly IssuedBlock[], search: Search): void {
  const block = blocks.at(-1);
  if (block !== undefined) search.borrow(content, piece.at, block);
  else if (piece.seal !== undefined) {
    const { at, placeholder, kind } = piece;
    search.loose({ content, at, placeholder, empty: kind === 'empty' });
  }
}

function hitsOf(piece: Piece, prefix: Digest, ledger: Ledger): readonly Hit[] {
  const { call } = piece;
  if (call !== undefined) {
    const named = call.id === undefined ? NOTHING : ledger.byPiece(call.id).flatMap((answer) => byId(answer, piece));
    const holders = ledger.byCall(piece.key, prefix).filter(isOwn);
    const points = call.telling && holders.length === 1 ? POINTS.tellingCall : POINTS.call;
    return [...named, ...holders.flatMap((answer) => byKey(answer, piece, points))];
  }
  if (piece.kind === 'empty') return NOTHING;
  const holders = ledger.byPiece(piece.key, prefix).filter(isOwn);
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

function contextPoints(answer: Answer, { group, prefix, ownPrefix }: RunPlace, search: Search): number {
  const { facts, seen, byAnswer, lineage } = search;
  const { request } = answer;
  const { before, after } = neighbours(seen, group);
  let points = 0;
  if (request.endpoint === facts.endpoint && request.leg === facts.leg) points += POINTS.samePlace;
  if (request.prefix === prefix || request.prefix === ownPrefix) points += POINTS.samePrefix;
  else {
    if (group > 0 && request.lastMessage === facts.contents[group - 1]?.whole) points += POINTS.sameQuestion;
    if (request.messageCount === group) points += POINTS.sameIndex;
  }
  if (byAnswer.has(answer)) points += isBegun(answer, search) ? POINTS.begun : POINTS.seenAlready;
  if (lineage?.has(answer) || isBehind(before, answer)) points += POINTS.inLineage;
  // Goes on from an answer that the request has re-sent just before, or leads to the one behind it.
  if (before !== undefined && request.answers?.value === before) points += POINTS.goesOn;
  else if (request.prefix !== prefix && request.prefix !== ownPrefix) points += leftOutPoints(answer, before, prefix);
  if (after !== undefined && after.request.answers?.value === answer) points += POINTS.goesOn;
  return points;
}

/** The answers that are known around a place. */
function neighbours(
  seen: readonly SeenAnswer[],
  content: number,
): { readonly before: Answer | undefined; readonly after: Answer | undefined } {
  let before: SeenAnswer | undefined;
  let after: SeenAnswer | undefined;
  for (const one of seen) {
    if (one.content < content && (before === undefined || one.content >= before.content)) before = one;
    if (one.content > content && (after === undefined || one.content < after.content)) after = one;
  }
  return { before: before?.answer, after: after?.answer };
}

/** At equal scores the newest answer is meant, and of its equal parts the first. */
function bestHit(hits: readonly Hit[], rank: ReadonlyMap<Answer, number>): Hit | undefined {
  let best: Hit | undefined;
  let bestRank = 0;
  for (const hit of hits) {
    const own = rank.get(hit.answer) ?? 0;
    if (own === 0 || own < bestRank) continue;
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

function isBegun(answer: Answer, { byAnswer, isTaken }: Search): boolean {
  if (byAnswer.get(answer)?.exact !== false) return false;
  return partsOf(answer).slots.some((slot) => slot.kind !== 'empty' && !isTaken(answer, slot));
}

function isBehind(answer: Answer | undefined, earlier: Answer): boolean {
  for (let node = answer?.request.answers; node !== undefined; node = node.previous) {
    if (node.value === earlier) return true;
  }
  return false;
}

const callsOf = (answer: Answer): readonly Slot[] => partsOf(answer).slots.filter(({ call }) => call !== undefined);

/**
 * The same functions are called in the same order, behind the very beginning that the answer was given to, with other
 * arguments and no seal: a history rebuilt from names (end-4/dots-hyprland#3596). Another answer would have its own seal.
 */
function callsAlike(run: readonly Placed[], answer: Answer): boolean {
  const calls = run.flatMap(({ piece }) => piece.call ?? []);
  const issued = callsOf(answer);
  return (
    calls.length > 0 &&
    calls.length === issued.length &&
    issued.some(({ block }) => block?.seal !== undefined) &&
    run.every(({ piece }) => piece.seal === undefined || piece.placeholder) &&
    calls.every(({ name, id }, i) => {
      const slot = issued[i];
      return name === slot?.call?.name && (id === undefined || slot.id === undefined || id === slot.id);
    })
  );
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
