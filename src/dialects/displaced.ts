import type { Answer, IssuedPiece } from '../continuity/answer.ts';
import { longestRise } from './longest-rise.ts';

/** Where an issued piece stands in a request. */
interface Place {
  readonly message: number;
  readonly piece: { readonly at: number };
}

/** The fewest blocks to take out so that what is left of the answer, calls and texts included, stands in issued order. */
export function displaced(answer: Answer, placed: ReadonlyMap<IssuedPiece, Place>): ReadonlySet<IssuedPiece> {
  const indexOf = new Map(answer.pieces.map((piece, index) => [piece, index]));
  const row = [...placed]
    .sort(([, x], [, y]) => x.message - y.message || x.piece.at - y.piece.at)
    .map(([piece]) => ({ piece, index: indexOf.get(piece) ?? 0, block: piece.kind === 'block' }));
  const out = new Set<IssuedPiece>();
  if (row.every((entry, i) => i === 0 || entry.index > (row[i - 1]?.index ?? -1))) return out;
  // Calls and texts stay: a block on the wrong side of one of them has to go.
  row.forEach((entry, i) => {
    if (!entry.block) return;
    const wrong = row.some(
      (other, j) => !other.block && (j < i ? other.index > entry.index : other.index < entry.index),
    );
    if (wrong) out.add(entry.piece);
  });
  const kept = row.filter((entry) => entry.block && !out.has(entry.piece));
  const longest = longestRise(kept.map((entry) => entry.index));
  kept.forEach((entry, i) => {
    if (!longest.has(i)) out.add(entry.piece);
  });
  return out;
}
