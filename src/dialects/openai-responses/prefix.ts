import { type Answer, type Chain, extend, type IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { PrefixChange } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer } from './compare.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/**
 * How what stands before an answer differs from what it was given to: earlier items, tools and their order, the output
 * format. Instructions do not count, since the API puts them behind the input (guides/keep-prefix-unchanged).
 */
export function changeBefore(compared: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const { request } = compared.answer;
  // Behind the provider's own summary everything starts anew; what stands before it is gone.
  if (turns.compaction !== 0 && request.compaction !== turns.compaction) return 'none';
  if (request.tools !== facts.tools) return 'tools';
  if (request.binding !== facts.format) return 'config';
  if (compared.held || compared.at < 0) return 'none';
  const first = compared.whole ? compared.at : firstPlace(compared);
  return turns.prefixOf[first] === request.prefix ? 'none' : 'messages';
}

function firstPlace(compared: ComparedAnswer): number {
  let first = Number.POSITIVE_INFINITY;
  for (const [piece, { at }] of compared.placed) if (piece.kind !== 'block') first = Math.min(first, at);
  return Number.isFinite(first) ? first : compared.at;
}

/** Calls and texts of the same answer, in front of a block, that are gone or say something else. */
export function isBrokenInside({ answer, whole, held, placed }: ComparedAnswer, block: IssuedBlock): boolean {
  if (whole || held) return false;
  return answer.pieces.slice(0, block.index).some((piece) => {
    if (piece.kind === 'block' || piece.call?.optional) return false;
    const item = placed.get(piece)?.item;
    return item === undefined || item.part !== piece.part;
  });
}

/** A piece of the row of blocks that a request shows its model: a whole answer, a known block, or one nobody here saw issued. */
export type Sent = Answer | IssuedBlock | Digest;

export interface Row {
  readonly chain: Chain<Digest> | undefined;
  /** Blocks whose predecessors are not the ones that they were produced behind. */
  readonly broken: ReadonlySet<IssuedBlock>;
}

/** What a block is known by. */
export const keyOf = (block: IssuedBlock): Digest => block.seal ?? block.id ?? block.text ?? block.summary ?? 0;

/** The row behind a block; a summary by the provider begins a new one. */
function rowBehind(row: Chain<Digest> | undefined, block: IssuedBlock): Chain<Digest> {
  return extend(block.type === 'compaction' ? undefined : row, keyOf(block));
}

/**
 * Reasoning belongs to the context before it, and that context holds the earlier reasoning.
 * @param whole the model is shown the reasoning of every turn; otherwise what is missing at the front was not shown.
 */
export function checkRow(start: Chain<Digest> | undefined, sent: readonly Sent[], whole: boolean): Row {
  const broken = new Set<IssuedBlock>();
  let row = start;
  const check = (block: IssuedBlock): void => {
    const produced = producedBehind(block);
    const isSame = isSameRow(row, produced, whole);
    if (!isSame && block.type !== 'compaction') broken.add(block);
    // Where it is the very row that it was produced behind, that one goes on, so that a healthy history is known by identity.
    row = isSame && row?.length === produced?.length ? ownRow(block, produced) : rowBehind(row, block);
  };
  for (const item of sent) {
    if (typeof item === 'number') row = extend(row, item);
    else if (!('request' in item)) check(item);
    else if (row === item.request.seals) row = item.sealsAfter;
    else for (const block of item.blocks) check(block);
  }
  return { chain: row, broken };
}

const ownRows = new WeakMap<IssuedBlock, Chain<Digest>>();

/** The row behind a block in the answer that it came with. */
export function ownRow(block: IssuedBlock, produced: Chain<Digest> | undefined): Chain<Digest> {
  let own = ownRows.get(block);
  if (own === undefined) {
    own = rowBehind(produced, block);
    ownRows.set(block, own);
  }
  return own;
}

function producedBehind(block: IssuedBlock): Chain<Digest> | undefined {
  let row = block.answer.request.seals;
  for (const earlier of block.answer.blocks) {
    if (earlier === block) break;
    row = ownRow(earlier, row);
  }
  return row;
}

function isSameRow(shown: Chain<Digest> | undefined, produced: Chain<Digest> | undefined, whole: boolean): boolean {
  let left = shown;
  let right = produced;
  while (left !== undefined && left !== right) {
    if (right === undefined || left.value !== right.value) return false;
    left = left.previous;
    right = right.previous;
  }
  return left === right || (left === undefined && !whole);
}
