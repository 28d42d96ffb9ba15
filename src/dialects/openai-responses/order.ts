import type { IssuedPiece } from '../../continuity/answer.ts';
import { longestRise } from '../longest-rise.ts';

/** An issued piece, where the request has it, and where in the issued order it belongs. */
export interface Placed {
  readonly piece: IssuedPiece;
  readonly at: number;
  readonly order: number;
}

const NONE: ReadonlySet<IssuedPiece> = new Set();

/** The fewest blocks to take out so that what is left, calls and texts included, stands in issued order. */
export function displaced(placed: readonly Placed[]): ReadonlySet<IssuedPiece> {
  const row = [...placed].sort((x, y) => x.at - y.at);
  if (row.every((entry, i) => i === 0 || entry.order > (row[i - 1]?.order ?? -1))) return NONE;
  const out = new Set<IssuedPiece>();
  // Calls and texts stay: a block on the wrong side of one of them has to go.
  row.forEach((entry, i) => {
    if (entry.piece.kind !== 'block') return;
    const wrong = row.some(
      (other, j) => other.piece.kind !== 'block' && (j < i ? other.order > entry.order : other.order < entry.order),
    );
    if (wrong) out.add(entry.piece);
  });
  const kept = row.filter(({ piece }) => piece.kind === 'block' && !out.has(piece));
  const longest = longestRise(kept.map(({ order }) => order));
  kept.forEach(({ piece }, i) => {
    if (!longest.has(i)) out.add(piece);
  });
  return out;
}
