import type { Answer, IssuedPiece } from '../../continuity/answer.ts';
import type { Sighting } from './match.ts';
import type { Turns } from './turns.ts';

/** Whose calls and texts stand in a stretch; `several` where it is not one answer's alone. */
export type Body = Answer | 'several';

/** Holds calls or texts of the answer; or nobody's. */
export type Home = 'own' | 'free';

/**
 * Stretches where the answer is at home: those with its calls and texts, and those without any. A stretch that is another answer's home and
 * holds nothing of this one but blocks is none; where all calls and texts are gone, one of another conversation.
 */
export function homesOf(
  answer: Answer,
  placed: ReadonlyMap<IssuedPiece, Sighting>,
  turns: Turns,
  bodyOf: (stretch: number) => Body | undefined,
): ReadonlyMap<number, Home> {
  const body = new Set<number>();
  const all = new Set<number>();
  for (const [piece, { at }] of placed) {
    const stretch = turns.stretchOf[at] ?? at;
    all.add(stretch);
    if (piece.kind !== 'block') body.add(stretch);
  }
  const homes = new Map<number, Home>();
  for (const stretch of all) {
    const other = bodyOf(stretch);
    if (body.has(stretch)) homes.set(stretch, 'own');
    else if (other === undefined || other === answer) homes.set(stretch, body.size === 0 ? 'own' : 'free');
    else if (body.size === 0 && (other === 'several' || isBehind(other, answer) || isBehind(answer, other))) {
      homes.set(stretch, 'own');
    }
  }
  return homes;
}

/** One answer was given to a history with the other in it. */
function isBehind({ request }: Answer, earlier: Answer): boolean {
  for (let node = request.answers; node !== undefined; node = node.previous) if (node.value === earlier) return true;
  return false;
}
