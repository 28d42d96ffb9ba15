import type { Answer, IssuedPiece } from '../../continuity/answer.ts';
import type { Sighting } from './match.ts';

/** Blocks to take out so that what is left of the answer stands in issued order. */
export function displaced(answer: Answer, placed: ReadonlyMap<IssuedPiece, Sighting>): ReadonlySet<IssuedPiece> {
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

/** Positions of a longest increasing subsequence. */
function longestRise(values: readonly number[]): ReadonlySet<number> {
  const length = values.map(() => 1);
  const from = values.map(() => -1);
  let best = -1;
  values.forEach((value, i) => {
    for (let j = 0; j < i; j++) {
      if ((values[j] ?? 0) < value && (length[j] ?? 0) + 1 > (length[i] ?? 0)) {
        length[i] = (length[j] ?? 0) + 1;
        from[i] = j;
      }
    }
    if (best < 0 || (length[i] ?? 0) > (length[best] ?? 0)) best = i;
  });
  const chosen = new Set<number>();
  for (let i = best; i >= 0; i = from[i] ?? -1) chosen.add(i);
  return chosen;
}
