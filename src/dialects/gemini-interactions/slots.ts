import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Step } from './read-step.ts';

export const API = 'gemini.interactions';
export const isOwn = (answer: Answer): boolean => answer.request.api === API;

/** One step of an issued answer. */
export interface Slot {
  readonly index: number;
  readonly kind: 'thought' | 'tool' | 'call' | 'output';
  readonly key: Digest;
  readonly block: IssuedBlock | undefined;
  readonly call: IssuedPiece['call'];
}

const read = new WeakMap<Answer, readonly Slot[]>();

/** The steps of an answer, read back from the pieces under which the ledger keeps it. */
export function slotsOf(answer: Answer): readonly Slot[] {
  let slots = read.get(answer);
  if (slots === undefined) {
    slots = readSlots(answer);
    read.set(answer, slots);
  }
  return slots;
}

function readSlots({ pieces }: Answer): readonly Slot[] {
  const slots: Slot[] = [];
  let block: IssuedBlock | undefined;
  for (const piece of pieces) {
    if (piece.block !== undefined) {
      block = piece.block;
      if (block.type !== 'thought') continue;
      slots.push({ index: slots.length, kind: 'thought', key: block.seal ?? 0, block, call: undefined });
    } else {
      const kind = piece.kind === 'call' ? 'call' : piece.kind === 'text' ? 'output' : 'tool';
      slots.push({ index: slots.length, kind, key: piece.key, block, call: piece.call });
    }
    block = undefined;
  }
  return slots;
}

/** A step as it was issued. */
export function isSame(step: Step, slot: Slot): boolean {
  if (step.kind !== slot.kind || step.seal !== slot.block?.seal) return false;
  if (step.kind === 'thought') return step.summary === slot.block?.text;
  return step.key === slot.key && (step.call === undefined || step.call.input === slot.call?.input);
}
