import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockPiece, Piece } from './read-message.ts';
import { sealedBlocks } from './sealed-blocks.ts';

/**
 * The common case: a message is one answer, untouched.
 * @param leg on which side of a gateway the request was seen: both sides issue the same answer, and not always whole.
 */
export function findEcho(
  pieces: readonly Piece[],
  prefix: Digest,
  leg: string | undefined,
  ledger: Ledger,
): Answer | undefined {
  const first = pieces[0];
  if (first === undefined) return undefined;
  if (first.kind === 'block' && first.seal !== undefined) {
    const blocks = sealedBlocks(first, first.seal, ledger);
    const only = blocks[0]?.answer;
    if (blocks.length === 1 && only !== undefined) return isEcho(pieces, only) ? only : undefined;
  }
  const candidates = candidatesOf(first, prefix, ledger);
  for (const answer of candidates) {
    const { request } = answer;
    if (!isEcho(pieces, answer)) {
      // What was given here on this side is rather meant, damaged.
      if (leg !== undefined && request.leg === leg && request.prefix === prefix) return undefined;
      continue;
    }
    if (request.prefix === prefix && (leg === undefined || request.leg === leg)) return answer;
  }
  const echoed = candidates.find((answer) => isEcho(pieces, answer));
  if (echoed === undefined || echoed.request.prefix === prefix) return echoed;
  // Without a seal or a call, equal words may be another run's.
  const telling = echoed.blocks.length > 0 || pieces.some((piece) => piece.kind === 'call');
  return candidates.length === 1 && telling ? echoed : undefined;
}

function candidatesOf(piece: Piece, prefix: Digest, ledger: Ledger): readonly Answer[] {
  switch (piece.kind) {
    case 'block':
      return piece.seal === undefined
        ? []
        : newestFirst(sealedBlocks(piece, piece.seal, ledger).map(({ answer }) => answer));
    case 'call':
      return newestFirst(ledger.byCall(piece.id, prefix));
    default:
      return newestFirst(ledger.byPiece(piece.key, prefix));
  }
}

function newestFirst(answers: readonly Answer[]): readonly Answer[] {
  return answers.length > 1 ? [...answers].reverse() : answers;
}

function isEcho(pieces: readonly Piece[], answer: Answer): boolean {
  if (pieces.length !== answer.pieces.length) return false;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const issued = answer.pieces[i];
    if (piece === undefined || issued === undefined || !isSame(piece, issued)) return false;
  }
  return true;
}

function isSame(piece: Piece, issued: IssuedPiece): boolean {
  switch (piece.kind) {
    case 'block':
      return issued.block !== undefined && isIntact(piece, issued.block);
    case 'call':
      return issued.kind === 'call' && issued.key === piece.id && issued.call?.input === piece.input;
    default:
      return (issued.kind === piece.kind || issued.kind === 'other') && issued.key === piece.key;
  }
}

/** Same seal, every mandatory member there, readable text as it arrived. */
export function isIntact(piece: BlockPiece, block: IssuedBlock): boolean {
  if (block.seal === undefined || piece.seal !== block.seal) return false;
  // Google serves Claude through its own API, too, where a thinking block is a part with a thought.
  if (piece.type !== block.type && !(piece.type === 'thinking' && block.type === 'thought')) return false;
  if (piece.textMember === 'missing') return false;
  // The API ignores text that is put into a block that arrived without (build-with-claude/thinking).
  return block.text === undefined || block.text === piece.text;
}
