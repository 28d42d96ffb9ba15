import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { digest } from '../../continuity/digest.ts';
import { contains } from '../../continuity/passage.ts';
import { asObject } from '../json.ts';
import type { RawBlock } from './carriers.ts';
import type { Found } from './compare.ts';
import { isSealOf, isTextOf } from './derived.ts';
import { rawBlocks } from './issue.ts';
import { asChatAnswer, asChatBlock } from './issued.ts';
import type { BlockPiece } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';
import { isTagged, isVariant, type Return } from './return-of.ts';

/** Blocks that a piece stands for, and how they came back in it. */
export type Owned = readonly { readonly block: IssuedBlock; readonly how: Return }[];

/**
 * The issued blocks that a piece without a known value stands for; `part` for a surplus piece of one that is there, or for
 * what is no reasoning at all; undefined for what nobody issued.
 */
export function findOwner(
  piece: BlockPiece,
  message: number,
  answer: Answer,
  found: ReadonlyMap<IssuedBlock, Found>,
  facts: RequestFacts,
): Owned | 'part' | undefined {
  const raw = rawOf(piece, message, facts);
  const missing = answer.blocks.filter((block) => !found.has(block));
  if (piece.seal !== undefined) return ownerOfSealed(piece, raw, answer, missing);
  const text = raw?.text ?? '';
  // Readable beside a block, and no block itself.
  if (piece.form === 'string' && answer.pieces.some(({ block }) => block && !answer.blocks.includes(block)))
    return 'part';

  const same = missing.find((block) => block.text === piece.text);
  if (same !== undefined) return [{ block: same, how: howText(piece, same) }];
  const string = missing.find((block) => asChatBlock(block)?.chat.form === 'string');
  if (string !== undefined && isVariant(piece, answer)) return [{ block: string, how: 'intact' }];
  if (piece.filler === 'blank') return undefined;
  if (piece.form === 'string') {
    // A list that became one string: what it holds of the elements' texts is left of them.
    const inside = missing.filter(({ passage }) => passage !== undefined && contains(text, passage));
    const several =
      inside.length > 1 || (inside.length === 1 && asChatBlock(inside[0] as IssuedBlock)?.chat.form === 'list');
    if (several) return inside.map((block) => ({ block, how: howText(piece, block) }));
    const only = answer.blocks.length === 1 ? missing[0] : undefined;
    if (only?.seal !== undefined && only.text === undefined && isVariant(piece, answer))
      return [{ block: only, how: 'edited' }];
  }
  const last = asChatAnswer(answer)?.chat.lastValues;
  const isLast = piece.members.some((member) => last?.get(member) === digest(text));
  const alike = missing.find(
    (block) => (isLast && asChatBlock(block)?.chat.form === 'string') || isTextOf(text, piece.text ?? 0, block),
  );
  if (alike !== undefined)
    return [{ block: alike, how: isTagged(piece) && !isOwnTagged(alike) ? 'converted_to_text' : 'edited' }];
  const partOf = answer.blocks.some(
    (block) => found.has(block) && (block.text === piece.text || isTextOf(text, piece.text ?? 0, block)),
  );
  return partOf || isVariant(piece, answer) ? 'part' : undefined;
}

function ownerOfSealed(
  piece: BlockPiece,
  raw: RawBlock | undefined,
  answer: Answer,
  missing: readonly IssuedBlock[],
): Owned | 'part' | undefined {
  // A long id is a seal only where the answer had one there.
  const isId = piece.form === 'signature' && piece.members.every((member) => member === 'id');
  if (isId && piece.seal === piece.call) return 'part';
  const seal = raw?.seal ?? '';
  const derived = (block: IssuedBlock): boolean => piece.filler !== 'bypass' && isSealOf(seal, piece.seal ?? 0, block);
  const edited = missing.find(derived);
  if (edited !== undefined) return [{ block: edited, how: 'edited' }];
  return answer.blocks.some(derived) ? 'part' : undefined;
}

/** The text is the issued one. */
function howText(piece: BlockPiece, block: IssuedBlock): Return {
  // Without its seal the container is left.
  if (block.seal !== undefined) return 'edited';
  const own = asChatBlock(block)?.chat;
  if (own === undefined) return 'intact';
  return isTagged(piece) && !isOwnTagged(block) ? 'converted_to_text' : 'renamed';
}

const isOwnTagged = (block: IssuedBlock): boolean =>
  asChatBlock(block)?.chat.members.includes('content.<think>') ?? false;

/** Whether a piece stands where a block was issued, so that it is put in its place. */
export function isFillerOf(piece: BlockPiece, block: IssuedBlock): boolean {
  const own = asChatBlock(block)?.chat;
  if (own === undefined) return piece.form === 'string';
  if (piece.form !== own.form || (piece.form === 'string' && block.text === undefined)) return false;
  return piece.form === 'string' || (piece.type === block.type && piece.index === own.index);
}

export function rawOf(piece: BlockPiece, message: number, facts: RequestFacts): RawBlock | undefined {
  const raw = asObject(facts.rawMessages[message]) ?? {};
  return rawBlocks(raw).find(({ path, form }) => path === piece.path && form === piece.form);
}
