import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import { type Passage, passageKey, passageOf } from '../../continuity/passage.ts';
import { BARE, THOUGHT } from './issue.ts';
import { EMPTY_KEY, type Piece } from './read-content.ts';

/** One part of an issued answer: what it says, and the seal on it where it has one. */
export interface Slot {
  readonly index: number;
  readonly kind: Piece['kind'];
  readonly key: Digest;
  readonly block: IssuedBlock | undefined;
  readonly call: IssuedPiece['call'];
  readonly id: Digest | undefined;
  readonly passage: Passage | undefined;
  /** Arrived with nothing beside the seal. */
  readonly bare: boolean;
}

export interface IssuedParts {
  readonly slots: readonly Slot[];
  readonly slotOf: ReadonlyMap<IssuedBlock, Slot>;
  /** Summaries of thoughts. */
  readonly thoughts: readonly IssuedPiece[];
}

const NO_TEXT = passageOf('');

const read = new WeakMap<Answer, IssuedParts>();

/** The parts of an answer, read back from the pieces under which the ledger keeps it. */
export function partsOf(answer: Answer): IssuedParts {
  let parts = read.get(answer);
  if (parts === undefined) {
    parts = readParts(answer);
    read.set(answer, parts);
  }
  return parts;
}

function readParts({ pieces }: Answer): IssuedParts {
  const slots: Slot[] = [];
  const slotOf = new Map<IssuedBlock, Slot>();
  let block: IssuedBlock | undefined;
  const add = (kind: Slot['kind'], key: Digest, carrier: IssuedPiece | undefined, bare: boolean): void => {
    const slot: Slot = {
      index: slots.length,
      kind,
      key,
      block,
      call: carrier?.call,
      id: carrier?.id,
      passage: carrier?.passage ?? block?.passage,
      bare,
    };
    slots.push(slot);
    if (block !== undefined) slotOf.set(block, slot);
    block = undefined;
  };
  for (const piece of pieces) {
    if (piece.label === THOUGHT) continue;
    if (piece.block === undefined) {
      add(piece.kind === 'call' ? 'call' : piece.kind === 'text' ? 'text' : 'other', piece.key, piece, false);
      continue;
    }
    block = piece.block;
    const bare = piece.label === BARE;
    if (block.type === 'empty') add('empty', EMPTY_KEY, undefined, bare);
    else if (block.type === 'thought') add('thought', passageKey(block.passage ?? NO_TEXT), undefined, bare);
  }
  return { slots, slotOf, thoughts: pieces.filter(({ label }) => label === THOUGHT) };
}

/** A part as it was issued, seal included. */
export function isSame(piece: Piece, slot: Slot): boolean {
  return (
    piece.kind === slot.kind &&
    piece.key === slot.key &&
    piece.seal === slot.block?.seal &&
    (piece.hasData || slot.bare || piece.kind === 'thought')
  );
}
