import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { findEcho, isOwn } from './echo.ts';
import { appendText, type Piece, type Stray } from './read-content.ts';
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
  readonly loose: (content: number, stray: Omit<Stray, 'seal'>) => void;
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
    loose: (content, { at, placeholder }) => void unknown.push({ content, at, placeholder }),
    borrow: (content, at, block) => void borrowed.push({ content, at, block }),
  };

  const { endpoint, leg } = facts;
  /** An answer in several contents, as a chat keeps the chunks of a stream; its calls have to stand in one. */
  const echoOf = (parts: readonly Placed[], prefix: Digest): Answer | undefined => {
    const [first] = parts;
    if (first === undefined || first.content === parts.at(-1)?.content) return undefined;
    const calling = parts.find(({ piece }) => piece.call !== undefined)?.content;
    if (parts.some(({ content, piece }) => piece.call !== undefined && content !== calling)) return undefined;
    const pieces = parts.map(({ piece }) => piece);
    return findEcho(pieces, { prefix, endpoint, leg }, ledger);
  };
  let run: Placed[] = [];
  let runGroup = -1;
  const waiting: { readonly run: readonly Placed[]; readonly place: RunPlace }[] = [];
  const flush = (): void => {
    const [first] = run;
    if (first !== undefined) {
      const { prefixOf } = turns;
      const place = { group: runGroup, prefix: prefixOf[runGroup] ?? 0, ownPrefix: prefixOf[first.content] ?? 0 };
      const echoed = echoOf(run, place.ownPrefix);
      if (echoed !== undefined && !byAnswer.has(echoed)) meet(echoed, first.content, true, run);
      else if (!matchRun(run, place, search)) waiting.push({ run, place });
    }
    run = [];
  };
  for (let c = 0; c < facts.contents.length; c++) {
    const content = facts.contents[c];
    if (content === undefined) continue;
    if (content.role === 'user') {
      flush();
      for (const stray of content.strays) findStray(stray, c, search);
      continue;
    }
    const group = turns.groupOf[c] ?? c;
    if (group !== runGroup) flush();
    const { pieces } = content;
    if (pieces.length === 0) continue;
    // Ahead of a content stands what its own run holds already: a stream's chunks kept as contents of their own.
    const echoed =
      run.length > 0 ? undefined : findEcho(pieces, { prefix: turns.prefixOf[c] ?? 0, endpoint, leg }, ledger);
    const known = echoed && byAnswer.get(echoed);
    if (echoed !== undefined && known === undefined) {
      meet(echoed, c, true);
      continue;
    }
    if (echoed !== undefined && known?.exact) {
      copies.push({ content: c, answer: echoed });
      continue;
    }
    runGroup = group;
    addToRun(run, c, pieces);
  }
  flush();
  if (waiting.length > 0) {
    // What could have been anybody's is told by what came after it.
    const lineage = lineageOf(seen);
    for (const { run: late, place } of waiting) matchRun(late, place, { ...search, lineage });
    seen.sort((x, y) => x.content - y.content);
  }
  return { seen, byAnswer, occurrences, copies, unknown, borrowed };
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
function addToRun(run: Placed[], content: number, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    const last = run.at(-1);
    if (last === undefined || last.content === content) {
      run.push({ content, piece });
      continue;
    }
    const joined = [last.piece];
    appendText(joined, piece);
    if (joined.length === 1 && joined[0] !== undefined)
      run[run.length - 1] = { content: last.content, piece: joined[0] };
    else run.push({ content, piece });
  }
}

function findStray(stray: Stray, content: number, search: Search): void {
  const block = blocksOf(stray.seal, search.ledger).at(-1);
  if (block === undefined) search.loose(content, stray);
  else if (isOwn(block.answer)) search.occur(block, content, stray.at, undefined);
  else search.borrow(content, stray.at, block);
}

/** The blocks that have exactly this seal; those of this API where there are any. */
export function blocksOf(seal: Digest, ledger: Ledger): readonly IssuedBlock[] {
  const all = ledger.bySeal(seal);
  if (all.length === 1 && all[0]?.seal === seal) return all;
  const exact = all.filter((block) => block.seal === seal);
  const own = exact.filter(({ answer }) => isOwn(answer));
  return own.length > 0 ? own : exact;
}
