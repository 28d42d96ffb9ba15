import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { contains, joinPassages, passageKey, passageOf } from '../../continuity/passage.ts';
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
    const gained = gainedBy(text, block, answer, missing);
    if (gained === 0) continue;
    found.set(block, { ...own, how: 'intact' });
    joined += gained;
  }
  return joined;
}

/** How many of the missing elements a text holds beside its own: all of them in their order, or those that it contains. */
function gainedBy(text: string, own: IssuedBlock, answer: Answer, missing: readonly IssuedBlock[]): number {
  const row = answer.blocks.flatMap((block) =>
    block.passage !== undefined && (block === own || missing.includes(block)) ? [block.passage] : [],
  );
  // However short: a text that is the others and itself, one after the other, is no accident.
  if (row.length > 1 && passageKey(row.reduce(joinPassages)) === passageKey(passageOf(text))) return row.length - 1;
  if (own.passage === undefined || !contains(text, own.passage)) return 0;
  return missing.filter(({ passage }) => passage !== undefined && contains(text, passage)).length;
}
