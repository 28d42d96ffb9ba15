import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { asChatBlock } from './issued.ts';
import type { Member } from './profiles.ts';
import type { BlockPiece, Piece } from './read-message.ts';

/**
 * The common case: a message is one answer, untouched.
 * @param leg on which side of a gateway the request was seen: both sides issue the same answer, in forms of their own.
 */
export function findEcho(
  pieces: readonly Piece[],
  prefix: Digest,
  leg: string | undefined,
  ledger: Ledger,
): Answer | undefined {
  // A call tells more than a text, and anything more than a seal that many calls could share.
  const anchor = pieces.find(({ kind }) => kind === 'call') ?? pieces[0];
  if (anchor === undefined) return undefined;
  const candidates = candidatesOf(anchor, prefix, ledger);
  let atPlace: Answer | undefined;
  let elsewhere: Answer | undefined;
  let rivals = 0;
  let damaged = false;
  for (let i = candidates.length - 1; i >= 0; i--) {
    const answer = candidates[i];
    if (answer === undefined) continue;
    const { request } = answer;
    const here = request.prefix === prefix;
    if (!isEcho(pieces, answer)) {
      if (here && request.leg === leg) damaged = true;
    } else if (here) {
      if (request.leg === leg) return answer;
      atPlace ??= answer;
    } else {
      rivals++;
      elsewhere ??= answer;
    }
  }
  // What was given here on this side is rather meant, damaged.
  if (damaged || atPlace !== undefined) return damaged ? undefined : atPlace;
  if (rivals !== 1 || elsewhere === undefined) return undefined;
  // Behind another beginning, equal words may be another run's.
  if (ledger.byPrefix(prefix).some((answer) => sharesPiece(pieces, answer))) return undefined;
  return elsewhere.blocks.length > 0 || anchor.kind === 'call' ? elsewhere : undefined;
}

const sharesPiece = (pieces: readonly Piece[], answer: Answer): boolean =>
  answer.pieces.some(({ kind, key }) =>
    pieces.some(
      (piece) =>
        piece.kind === kind && (piece.kind === 'call' ? piece.id : piece.kind === 'text' ? piece.key : 0) === key,
    ),
  );

function candidatesOf(piece: Piece, prefix: Digest, ledger: Ledger): readonly Answer[] {
  if (piece.kind === 'call') return ledger.byCall(piece.id, prefix);
  if (piece.kind === 'text') return ledger.byPiece(piece.key, prefix);
  const blocks = piece.seal === undefined ? ledger.byReasoning(piece.text ?? 0) : ledger.bySeal(piece.seal);
  return blocks.map(({ answer }) => answer);
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
  if (piece.kind === 'block') return issued.block !== undefined && isIntact(piece, issued.block);
  if (piece.kind === 'call') {
    const { call } = issued;
    return call !== undefined && issued.key === piece.id && call.name === piece.name && call.input === piece.input;
  }
  return issued.kind === 'text' && issued.key === piece.key;
}

/** Same value, under a member that it was delivered under, in as many elements, with the labels that it had. */
export function isIntact(piece: BlockPiece, block: IssuedBlock): boolean {
  const own = asChatBlock(block)?.chat;
  if (own === undefined || piece.seal !== block.seal) return false;
  // Words put to a seal that arrived without any are ignored (platform.claude.com build-with-claude/thinking).
  const unsaid = block.text === undefined && block.seal !== undefined;
  if (piece.text !== block.text && !unsaid) return false;
  if (piece.call !== own.call) return false;
  const isOwn = (member: Member): boolean => own.members.includes(member);
  // The same text under another name as well is no other text.
  if (!(piece.form === 'string' ? piece.members.some(isOwn) : piece.members.every(isOwn))) return false;
  // The same value in the other form that it was delivered in has no labels.
  if (piece.form !== own.form) return true;
  if (piece.elements !== own.elements || piece.type !== block.type) return false;
  // A different id is an edit, a missing one never (langchain-ai/langchain#38383); a missing format is the default.
  if (piece.id !== undefined && block.id !== undefined && piece.id !== block.id) return false;
  if (piece.index !== undefined && own.index !== undefined && piece.index !== own.index) return false;
  return piece.format === own.format || (piece.format === undefined && DEFAULT_FORMATS.has(own.format));
}

/** openrouter.ai reasoning-tokens: what an element without `format` is taken for. */
const DEFAULT_FORMATS: ReadonlySet<string | undefined> = new Set(['anthropic-claude-v1', 'unknown']);
