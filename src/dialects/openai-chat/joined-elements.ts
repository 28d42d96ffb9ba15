import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { contains } from '../../continuity/passage.ts';
import type { Found } from './compare.ts';
import { rawOf } from './owner.ts';
import type { RequestFacts } from './read-request.ts';

/**
 * Elements of one list put together into one (a library that merges parts of one type): one seal survives, and its text has
 * grown by those of the elements that are gone. What the survivor gained is no edit of it.
 * @returns how many elements went into others.
 */
export function settleJoined(answer: Answer, found: Map<IssuedBlock, Found>, facts: RequestFacts): number {
  let joined = 0;
  const missing = answer.blocks.filter((block) => !found.has(block));
  if (missing.length === 0) return joined;
  for (const [block, own] of found) {
    const { piece, message, how } = own;
    const survives = how === 'edited' && piece.form === 'list' && piece.seal !== undefined && piece.seal === block.seal;
    if (!survives || block.passage === undefined) continue;
    const text = rawOf(piece, message, facts)?.text ?? '';
    if (!contains(text, block.passage)) continue;
    const gained = missing.filter(({ passage }) => passage !== undefined && contains(text, passage)).length;
    if (gained === 0) continue;
    found.set(block, { ...own, how: 'intact' });
    joined += gained;
  }
  return joined;
}
