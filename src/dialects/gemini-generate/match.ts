import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { blocksOf } from './blocks-of.ts';
import { findEcho, isOwn } from './echo.ts';
import { joinText, type Piece, type Stray, type Thought } from './read-content.ts';
import type { RequestFacts } from './read-request.ts';
import { matchRun, type RunPlace } from './resemblance.ts';
import type { Slot } from './slots.ts';
import type { Turns } from './turns.ts';

/** A piece of the request and the content that it stands in. */
export interface Placed {
  readonly content: number;
  readonly piece: Piece;
}

/** A piece that says what a part of an answer says; without `slot` it belongs to the answer by its place only. */
export interface Sighting extends Placed {
  readonly slot: Slot | undefined;
}

/** An answer of which the request holds something. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly sightings: Sighting[];
  /** First content that holds something of it. */
  readonly content: number;
  /** One content, or a run of neighbours, is the answer, untouched; then the sightings are what stands elsewhere. */
  readonly exact: boolean;
  /** The run, piece by piece. */
  readonly run?: readonly Placed[];
}

/** Where a seal stands; without a piece, in a content that no model wrote. */
export interface Occurrence {
  readonly content: number;
  readonly at: number;
  readonly piece: Piece | undefined;
}

export interface LooseSeal {
  readonly content: number;
  readonly at: number;
  readonly placeholder: boolean;
  /** Nothing stands beside it. */
  readonly empty: boolean;
}

export interface Match {
  /** In the order in which the request holds them. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  /** Every place of a seal, those in untouched answers left out. */
  readonly occurrences: ReadonlyMap<IssuedBlock, readonly Occurrence[]>;
  /** Copies of whole contents that were echoed once already. */
  readonly copies: readonly { readonly content: number; readonly answer: Answer }[];
  /** Seals that nobody here issued, on parts that nobody here issued. */
  readonly unknown: readonly LooseSeal[];
  /** Seals that another API issued. */
  readonly borrowed: readonly { readonly content: number; readonly at: number; readonly block: IssuedBlock }[];
}

/** What is found so far, from the first content on. */
export interface Search {
  readonly facts: RequestFacts;
  readonly ledger: Ledger;
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  /** Answers that those seen were given behind; undefined before everything has been looked at once. */
  readonly lineage: ReadonlySet<Answer> | undefined;
  readonly sight: (answer: Answer, placed: Placed, slot: Slot | undefined) => void;
  readonly isTaken: (answer: Answer, slot: Slot) => boolean;
  readonly occur: (block: IssuedBlock, content: number, at: number, piece: Piece | undefined) => void;
  readonly loose: (seal: LooseSeal) => void;
  readonly borrow: (content: number, at: number, block: IssuedBlock) => void;
}

/**
 * Finds out which answers a request re-sends, by seals, calls and texts, never by position alone. What several answers
 * share is told apart by what stands before it.
 */
export function matchRequest(facts: RequestFacts, turns: Turns, ledger: Ledger): Match {
  const byAnswer = new Map<Answer, SeenAnswer>();
  const seen: SeenAnswer[] = [];
  const taken = new Map<Answer, Set<Slot>>();
  const occurrences = new Map<IssuedBlock, Occurrence[]>();
  const copies: { content: number; answer: Answer }[] = [];
  const unknown: LooseSeal[] = [];
  const borrowed: { content: number; at: number; block: IssuedBlock }[] = [];

  const meet = (answer: Answer, content: number, exact: boolean, run?: readonly Placed[]): SeenAnswer => {
    const known = byAnswer.get(answer);
    if (known !== undefined) return known;
    const entry: SeenAnswer = { answer, sightings: [], content, exact, ...(run === undefined ? {} : { run }) };
    byAnswer.set(answer, entry);
    seen.push(entry);
    ledger.touch(answer);
    return entry;
  };
  const search: Search = {
    facts,
    ledger,
    seen,
    byAnswer,
    lineage: undefined,
    sight(answer, placed, slot) {
      meet(answer, placed.content, false).sightings.push({ ...placed, slot });
      if (slot === undefined) return;
      const own = taken.get(answer);
      if (own === undefined) taken.set(answer, new Set([slot]));
      else own.add(slot);
    },
    isTaken: (answer, slot) => byAnswer.get(answer)?.exact === true || taken.get(answer)?.has(slot) === true,
    occur(block, content, at, piece) {
      meet(block.answer, content, false);
      const known = occurrences.get(block);
      const occurrence = { content, at, piece };
      if (known === undefined) occurrences.set(block, [occurrence]);
      else known.push(occurrence);
    },
    loose: (seal) => void unknown.push(seal),
    borrow: (content, at, block) => void borrowed.push({ content, at, block }),
  };

  const { endpoint, leg } = facts;
  const echoAt = (pieces: readonly Piece[], prefix: Digest, missing?: ReadonlySet<Answer>) =>
    findEcho(pieces, { prefix, endpoint, leg, ...(missing === undefined ? {} : { missing }) }, ledger);
  /** @returns false where the answer is known already, but not whole. */
  const settle = (answer: Answer, content: number, run?: readonly Placed[]): boolean => {
    const known = byAnswer.get(answer);
    if (known === undefined) meet(answer, content, true, run);
    else if (known.exact) copies.push({ content, answer });
    else return false;
    return true;
  };

  // What has a seal, or stands behind the very beginning that its answer was given to, is certain.
  const late: Run[] = [];
  for (let from = 0; from < facts.contents.length; from++) {
    if (facts.contents[from]?.role !== 'model') continue;
    const prefix = turns.prefixOf[from] ?? 0;
    let to = from;
    while (facts.contents[to + 1]?.role === 'model') to++;
    let c = from;
    for (; c <= to; c++) {
      const pieces = facts.contents[c]?.pieces ?? [];
      const ownPrefix = turns.prefixOf[c] ?? 0;
      const echoed = echoAt(pieces, ownPrefix);
      if (echoed === undefined || !isCertain(echoed, ownPrefix) || !settle(echoed, c)) break;
    }
    // Neighbours that hold one answer between them, as a chat keeps the chunks of a stream.
    const run = joinContents(facts, c, to);
    if (run.length > 0) {
      const ownPrefix = turns.prefixOf[c] ?? 0;
      const pieces = run.map(({ piece }) => piece);
      const whole = c < to && isOneStep(run) ? echoAt(pieces, ownPrefix) : undefined;
      const place = { group: from, prefix, ownPrefix };
      if (whole !== undefined && isCertain(whole, ownPrefix) && settle(whole, c, run)) {
        // Known at a glance.
      } else if (run.some(({ piece }) => holdsOwnSeal(piece, ledger))) matchRun(run, place, search);
      else late.push({ run, place });
    }
    from = to;
  }
  if (late.length > 0) {
    // What could be anybody's is told by what stands before and behind it.
    const lineage = lineageOf(seen);
    const known = { ...search, lineage };
    const missing = new Set([...lineage].filter((answer) => !byAnswer.has(answer)));
    for (const { run, place } of late) {
      const content = run[0]?.content ?? 0;
      const pieces = run.map(({ piece }) => piece);
      const whole = isOneStep(run) ? echoAt(pieces, place.ownPrefix, missing) : undefined;
      if (whole !== undefined) missing.delete(whole);
      const spread = run.at(-1)?.content === content ? undefined : run;
      if (whole === undefined || !settle(whole, content, spread)) matchRun(run, place, known);
    }
  }
  for (const [c, { role, strays, thoughts, pieces }] of facts.contents.entries()) {
    for (const stray of strays) findStray(stray, c, search);
    if (role === 'model' && pieces.length === 0) for (const one of thoughts) findThought(one, c, meet, ledger);
  }
  return { seen: inOrder(seen), byAnswer, occurrences, copies, unknown, borrowed };
}

interface Run {
  readonly run: readonly Placed[];
  readonly place: RunPlace;
}

function isCertain({ request, blocks }: Answer, prefix: Digest): boolean {
  return request.prefix === prefix || blocks.some(({ seal }) => seal !== undefined);
}

/** The API takes each content with a call for a step of its own. */
function isOneStep(run: readonly Placed[]): boolean {
  const calling = run.find(({ piece }) => piece.call !== undefined)?.content;
  return run.every(({ content, piece }) => piece.call === undefined || content === calling);
}

function holdsOwnSeal({ seal }: Piece, ledger: Ledger): boolean {
  return seal !== undefined && blocksOf(seal, ledger).some(({ answer }) => isOwn(answer));
}

/** Nothing is left of the answer but what it thought. */
function findThought(
  { key }: Thought,
  content: number,
  meet: (answer: Answer, content: number, exact: boolean) => void,
  ledger: Ledger,
): void {
  const [only, ...others] = ledger.byPiece(key).filter(isOwn);
  if (only !== undefined && others.length === 0) meet(only, content, false);
}

function inOrder(seen: readonly SeenAnswer[]): readonly SeenAnswer[] {
  const ordered = seen.every((one, i) => i === 0 || one.content >= (seen[i - 1]?.content ?? 0));
  return ordered ? seen : [...seen].sort((x, y) => x.content - y.content);
}

function lineageOf(seen: readonly SeenAnswer[]): ReadonlySet<Answer> {
  const lineage = new Set<Answer>();
  for (const { answer } of seen) {
    for (let node = answer.request.answers; node !== undefined && !lineage.has(node.value); node = node.previous) {
      lineage.add(node.value);
    }
  }
  return lineage;
}

/** Texts without a seal are one across contents, too. */
function joinContents(facts: RequestFacts, from: number, to: number): readonly Placed[] {
  const run: Placed[] = [];
  for (let content = from; content <= to; content++) {
    for (const piece of facts.contents[content]?.pieces ?? []) {
      const last = run.at(-1);
      const joined = last === undefined || last.content === content ? undefined : joinText(last.piece, piece);
      if (last === undefined || joined === undefined) run.push({ content, piece });
      else run[run.length - 1] = { content: last.content, piece: joined };
    }
  }
  return run;
}

function findStray(stray: Stray, content: number, search: Search): void {
  const block = blocksOf(stray.seal, search.ledger).at(-1);
  if (block === undefined) search.loose({ content, at: stray.at, placeholder: stray.placeholder, empty: false });
  else if (isOwn(block.answer)) search.occur(block, content, stray.at, undefined);
  else search.borrow(content, stray.at, block);
}
