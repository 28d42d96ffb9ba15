import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { type Digest, digest } from '../../continuity/digest.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { contains, type Passage } from '../../continuity/passage.ts';
import { asArray, asObject, type Json } from '../json.ts';
import { findJoins } from './joins.ts';
import type { Match, Occurrence, Placed, SeenAnswer } from './match.ts';
import { outOfOrder } from './order.ts';
import { sealOf } from './read-content.ts';
import type { RequestFacts } from './read-request.ts';
import { textOf } from './resemblance.ts';
import { partsOf, type Slot } from './slots.ts';
import type { Turns } from './turns.ts';

/** What became of one issued seal in one request. */
export type BlockState =
  | 'intact'
  | 'edited'
  | 'misplaced'
  | 'reordered'
  | 'dropped'
  | 'converted_to_text'
  /** The part arrived without the seal that it should have, and is carried on as it arrived. */
  | 'unsigned'
  /** Nothing is owed: never completed, or to be thrown away. */
  | 'exempt';

export interface ComparedBlock {
  readonly block: IssuedBlock;
  state: BlockState;
  /** Place in the request; undefined for what is absent. */
  readonly content: number | undefined;
  readonly at: number | undefined;
  /** The seal stands under another name. */
  readonly renamed: boolean;
}

export interface ComparedAnswer {
  readonly answer: Answer;
  /** One untouched content. */
  readonly echo: boolean;
  readonly blocks: readonly ComparedBlock[];
  /** First content that holds something of it. */
  readonly content: number;
  /** Contents that hold what it says. */
  readonly contents: readonly number[];
  readonly duplicated: number;
  readonly fabricated: readonly { readonly content: number; readonly at: number; readonly placeholder: boolean }[];
  readonly split: number;
  /** Parts joined with a signed one. */
  readonly merged: number;
  /** A call of the batch is gone. */
  readonly callRemoved: boolean;
  /** Summaries of thoughts that were sent as something said, beyond those that took a seal along. */
  readonly converted: readonly number[];
}

/** An answer that came back as it was issued; its seals may stand elsewhere, too. */
export function compareEcho(seen: SeenAnswer, match: Match): ComparedAnswer {
  const { answer, content, run } = seen;
  const { slotOf } = partsOf(answer);
  const contentOf = (block: IssuedBlock): number => run?.[slotOf.get(block)?.index ?? 0]?.content ?? content;
  const copies = match.occurrences.size === 0 ? 0 : copiesOf(answer, match);
  return {
    answer,
    echo: copies === 0 && seen.sightings.length === 0,
    blocks: answer.blocks.map((block) => ({
      block,
      state: block.seal === undefined ? 'unsigned' : 'intact',
      content: contentOf(block),
      at: undefined,
      renamed: false,
    })),
    content,
    contents: run === undefined ? [content] : [...new Set(run.map((placed) => placed.content))],
    duplicated: copies,
    fabricated: seen.sightings.length === 0 ? NONE : inventedOf(seen.sightings, match, new Set()),
    split: 0,
    merged: 0,
    callRemoved: false,
    converted: NONE,
  };
}

const NONE: readonly never[] = [];

function copiesOf(answer: Answer, match: Match): number {
  return answer.blocks.reduce((sum, block) => sum + (match.occurrences.get(block)?.length ?? 0), 0);
}

/** Holds what a request shows of one answer against what was issued. */
export function compareAnswer(seen: SeenAnswer, match: Match, facts: RequestFacts, turns: Turns): ComparedAnswer {
  const { answer, sightings } = seen;
  const { slots, slotOf } = partsOf(answer);
  const placed = new Map<Slot, Placed>();
  for (const { slot, content, piece } of sightings) {
    if (slot !== undefined && !placed.has(slot)) placed.set(slot, { content, piece });
  }
  const joins = findJoins(seen, placed, match, facts);
  const claimed = new Set<Placed['piece']>();
  const contents = contentsOf(placed);
  const context: Comparison = { answer, seen, match, facts, placed, contents, claimed };

  let duplicated = 0;
  const blocks: ComparedBlock[] = [];
  for (const block of answer.blocks) {
    const slot = slotOf.get(block);
    if (slot === undefined) continue;
    const occurrences = match.occurrences.get(block) ?? [];
    duplicated += Math.max(0, occurrences.length - 1);
    blocks.push(compareBlock(block, slot, occurrences, joins.survivors, context));
  }
  placeReworded(slots, context);

  const order = outOfOrder(slots, placed, blocks);
  for (const row of blocks) {
    const slot = slotOf.get(row.block);
    if (row.state === 'intact' && slot !== undefined && order.has(slot)) row.state = 'reordered';
  }
  const converted = conversions(context);
  for (const row of blocks) {
    if (row.state !== 'dropped' || converted.length === 0) continue;
    row.state = 'converted_to_text';
    converted.shift();
  }
  const sealsLeft = blocks.some(({ content, block }) => content !== undefined && block.seal !== undefined);
  return {
    answer,
    echo: false,
    blocks,
    content: seen.content,
    contents: contentsOf(placed),
    duplicated,
    fabricated: inventedOf(sightings, match, claimed),
    split: answer.blocks.length > 0 ? splitOf(placed, turns) : 0,
    merged: joins.count,
    // A seal that strayed into another conversation leaves that one's calls where they are.
    callRemoved:
      sealsLeft &&
      placed.size > 0 &&
      answer.complete &&
      slots.some((slot) => slot.call !== undefined && !slot.call.optional && !placed.has(slot)),
    converted,
  };
}

function contentsOf(placed: ReadonlyMap<Slot, Placed>): readonly number[] {
  return [...new Set([...placed.values()].map(({ content }) => content))].sort((x, y) => x - y);
}

interface Comparison {
  readonly answer: Answer;
  readonly seen: SeenAnswer;
  readonly match: Match;
  readonly facts: RequestFacts;
  readonly placed: Map<Slot, Placed>;
  readonly contents: readonly number[];
  /** Pieces whose damaged seal is accounted for. */
  readonly claimed: Set<Placed['piece']>;
}

function compareBlock(
  block: IssuedBlock,
  slot: Slot,
  occurrences: readonly Occurrence[],
  survivors: ReadonlySet<IssuedBlock>,
  context: Comparison,
): ComparedBlock {
  const { answer, placed } = context;
  const own = placed.get(slot);
  if (block.seal === undefined) {
    const state = own === undefined ? 'exempt' : 'unsigned';
    return { block, state, content: own?.content, at: own?.piece.at, renamed: false };
  }
  const home = occurrences.find((one) => isHome(one, slot, context));
  if (home?.piece !== undefined && own === undefined) {
    placed.set(slot, { content: home.content, piece: home.piece });
  }
  const found = home ?? occurrences[0];
  if (found !== undefined) {
    const { content, at, piece } = found;
    const at_ = { block, content, at, renamed: false };
    if (home !== undefined || survivors.has(block)) {
      // A seal alone, without the member that stood beside it, is refused now and then.
      const bare = piece !== undefined && !piece.hasData && !slot.bare && !survivors.has(block);
      const reworded = slot.kind === 'thought' && piece?.key !== slot.key;
      return { ...at_, state: bare || reworded ? 'edited' : 'intact' };
    }
    const said = slot.kind === 'thought' && piece?.kind === 'text' && piece.key === slot.key;
    return { ...at_, state: said ? 'converted_to_text' : 'misplaced' };
  }
  const damaged = findDamaged(block, own, context);
  if (damaged !== undefined) {
    const { content, piece } = damaged;
    // An unfinished seal may be carried on as far as it came.
    const state = block.complete ? 'edited' : 'exempt';
    return { block, state, content, at: piece.at, renamed: piece.seal === undefined };
  }
  const owed = block.complete && !answer.discardable;
  const lost = slot.kind === 'thought' && isSpoken(slot, context) ? 'converted_to_text' : 'dropped';
  return { block, state: owed ? lost : 'exempt', content: undefined, at: undefined, renamed: false };
}

/** The seal stands on the part that it was issued on, whatever became of what that part says. */
function isHome({ content, piece }: Occurrence, slot: Slot, { seen, placed, contents }: Comparison): boolean {
  if (piece === undefined) return false;
  const own = placed.get(slot);
  if (own !== undefined) return own.piece === piece;
  if (piece.kind !== slot.kind) return false;
  if (contents.length > 0 && !contents.includes(content)) return false;
  return seen.sightings.some((sighting) => sighting.piece === piece && sighting.slot === undefined);
}

/** A call with other arguments is still that call: nobody knows of an API that ties them to the seal. */
function placeReworded(slots: readonly Slot[], { seen, placed }: Comparison): void {
  const used = new Set([...placed.values()].map(({ piece }) => piece));
  for (const { piece, content } of seen.sightings) {
    if (piece.call === undefined || used.has(piece)) continue;
    const slot = slots.find((one) => !placed.has(one) && one.call?.name === piece.call?.name);
    if (slot !== undefined) placed.set(slot, { content, piece });
  }
}

/** A part whose seal was made from the issued one, or that carries it under another name. */
function findDamaged(block: IssuedBlock, own: Placed | undefined, context: Comparison): Placed | undefined {
  const { seen, facts, match, claimed } = context;
  const candidates = own === undefined ? seen.sightings : [own, ...seen.sightings];
  for (const candidate of candidates) {
    const { piece } = candidate;
    if (claimed.has(piece)) continue;
    const renamed = block.seal !== undefined && piece.strings.includes(block.seal);
    if (!renamed) {
      if (piece.seal === undefined || piece.placeholder || isKnown(piece.seal, match)) continue;
      if (isBorrowed(candidate, match)) continue;
      if (!isMadeFrom(block, candidate, facts)) continue;
      claimFragments(block, context);
    }
    claimed.add(piece);
    return candidate;
  }
  return undefined;
}

/** The pieces of one seal, sent in several parts, are one damaged unit. */
function claimFragments(block: IssuedBlock, { seen, facts, match, claimed }: Comparison): void {
  const row = seen.sightings
    .filter(({ piece }) => piece.seal !== undefined && !piece.placeholder && !isKnown(piece.seal, match))
    .sort((x, y) => x.content - y.content || x.piece.at - y.piece.at);
  const values = row.map(({ content, piece }) => sealOf(rawPart(facts, content, piece.at)) ?? '');
  for (const [from] of row.entries()) {
    for (let to = from + 2; to <= row.length; to++) {
      if (digest(values.slice(from, to).join('')) !== block.seal) continue;
      for (const { piece } of row.slice(from, to)) claimed.add(piece);
      return;
    }
  }
  for (const sighting of row) if (isMadeFrom(block, sighting, facts)) claimed.add(sighting.piece);
}

function isMadeFrom(block: IssuedBlock, { content, piece }: Placed, facts: RequestFacts): boolean {
  if (piece.seal !== undefined && block.partialSeals?.includes(piece.seal)) return true;
  const value = sealOf(rawPart(facts, content, piece.at)) ?? '';
  return block.sealLikeness !== undefined && isDerived(value, block.sealLikeness);
}

function isKnown(seal: number, match: Match): boolean {
  for (const block of match.occurrences.keys()) if (block.seal === seal) return true;
  return false;
}

/** The seal is one that another API issued. */
function isBorrowed({ content, piece }: Placed, match: Match): boolean {
  return match.borrowed.some((one) => one.content === content && one.at === piece.at);
}

/** Seals and fillers on parts of the answer that nobody issued there. */
function inventedOf(
  sightings: readonly Placed[],
  match: Match,
  claimed: ReadonlySet<Placed['piece']>,
): ComparedAnswer['fabricated'] {
  const found: { content: number; at: number; placeholder: boolean }[] = [];
  for (const { content, piece } of sightings) {
    if (piece.seal === undefined || claimed.has(piece)) continue;
    if (isKnown(piece.seal, match) || isBorrowed({ content, piece }, match)) continue;
    found.push({ content, at: piece.at, placeholder: piece.placeholder });
  }
  return found;
}

/**
 * Pieces of one answer: the API takes each content with a call for a step of its own (googleapis/js-genai#1275), while
 * the texts around it may stand in neighbouring contents, as a stream's chunks do in the SDK's chat.
 */
function splitOf(placed: ReadonlyMap<Slot, Placed>, turns: Turns): number {
  const groups = new Map<number, Set<number>>();
  for (const [slot, { content }] of placed) {
    const group = turns.groupOf[content] ?? content;
    const withCalls = groups.get(group) ?? new Set();
    if (slot.call !== undefined) withCalls.add(content);
    groups.set(group, withCalls);
  }
  let pieces = 0;
  for (const withCalls of groups.values()) pieces += Math.max(1, withCalls.size);
  return Math.max(0, pieces - 1);
}

/** Contents in which a summary of thoughts stands as something said. */
function conversions(context: Comparison): number[] {
  const { thoughts } = partsOf(context.answer);
  return thoughts.flatMap((thought) => spokenAt(thought, context) ?? []);
}

const isSpoken = (slot: Slot, context: Comparison): boolean => spokenAt(slot, context) !== undefined;

/** Content in which a thought stands as something said, beside what the answer did say. */
function spokenAt(
  { key, passage }: { readonly key: Digest; readonly passage?: Passage | undefined },
  { seen, facts, placed }: Comparison,
): number | undefined {
  const asIssued = new Set([...placed].flatMap(([slot, { piece }]) => (slot.key === piece.key ? [piece] : [])));
  return seen.sightings.find(
    ({ content, piece }) =>
      piece.kind === 'text' &&
      !asIssued.has(piece) &&
      (piece.key === key || (passage !== undefined && contains(textOf(facts, content), passage))),
  )?.content;
}

function rawPart(facts: RequestFacts, content: number, at: number): Json {
  return asObject(asArray(asObject(facts.rawContents[content])?.parts)?.[at]) ?? {};
}
