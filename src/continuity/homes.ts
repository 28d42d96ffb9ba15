import type { Answer, IssuedPiece } from './answer.ts';

/**
 * Messages where an answer is at home. A message that is another answer's home and holds nothing of this one but
 * blocks is not, as long as the answer's calls and texts stand somewhere else.
 */
export function homesOf(
  answer: Answer,
  placed: ReadonlyMap<IssuedPiece, { readonly message: number }>,
  elsewhere: ReadonlySet<number>,
): ReadonlySet<number> {
  const body = new Set<number>();
  const all = new Set<number>();
  for (const [piece, { message }] of placed) {
    all.add(message);
    if (piece.kind !== 'block') body.add(message);
  }
  if (body.size === 0 || answer.blocks.length === 0) return all;
  return new Set([...all].filter((message) => body.has(message) || !elsewhere.has(message)));
}
