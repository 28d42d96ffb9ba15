import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import { isIntact } from './echo.ts';
import { asChatAnswer, asChatBlock } from './issued.ts';
import type { Sighting } from './match.ts';
import type { BlockPiece } from './read-message.ts';

/** How a block that is there has come back. */
export type Return =
  | 'intact'
  /** The same value under another member: what that means, the host decides. */
  | 'renamed'
  /** On another call, or in another message than its own. */
  | 'misplaced'
  | 'edited'
  /** As text that the model says aloud. */
  | 'converted_to_text';

type Placed = ReadonlyMap<IssuedPiece, Sighting>;

export function returnOf(piece: BlockPiece, block: IssuedBlock, placed: Placed): Return {
  if (isIntact(piece, block)) return 'intact';
  const own = asChatBlock(block)?.chat;
  // What another API issued has nothing but its value.
  if (own === undefined)
    return (block.seal === undefined ? piece.text === block.text : piece.seal === block.seal) ? 'intact' : 'edited';
  if (piece.seal !== block.seal) return 'edited';
  if (own.form === 'signature') {
    if (piece.form !== 'signature') return 'edited';
    if (own.call !== piece.call && callNow(own.call, block.answer, placed) !== piece.call) return 'misplaced';
    return piece.members.every((member) => own.members.includes(member)) ? 'intact' : 'renamed';
  }
  if (piece.text !== block.text) return isVariant(piece, block.answer) ? 'intact' : 'edited';
  // Under its own member something else differs: elements, id, index, format.
  if (piece.members.every((member) => own.members.includes(member))) return 'edited';
  return isTagged(piece) ? 'converted_to_text' : 'renamed';
}

/** Id that a call has now: a client may have given it another one. */
function callNow(issued: number | undefined, answer: Answer, placed: Placed): number | undefined {
  const call = answer.pieces.find((one) => one.kind === 'call' && one.key === issued);
  const piece = call && placed.get(call)?.piece;
  return piece?.kind === 'call' ? piece.id : undefined;
}

/** One of the readable strings that were delivered beside one another. */
export function isVariant({ members, text }: BlockPiece, answer: Answer): boolean {
  const siblings = asChatAnswer(answer)?.chat.siblings;
  return text !== undefined && members.some((member) => siblings?.get(member) === text);
}

export const isTagged = ({ members }: BlockPiece): boolean => members.includes('content.<think>');
