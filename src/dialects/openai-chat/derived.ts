import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import { isDerived } from '../../continuity/likeness.ts';

/** What was found out about a block: a damaged value comes back at every later step, and is held against it once. */
const known = new WeakMap<IssuedBlock, Map<Digest, boolean>>();
const REMEMBERED = 8;

/** Whether a seal was made from the issued one: cut, changed, encoded once more. */
export const isSealOf = (seal: string, key: Digest, block: IssuedBlock): boolean =>
  derives(seal, key, block, block.sealLikeness, true);

/** The same of a readable text. */
export const isTextOf = (text: string, key: Digest, block: IssuedBlock): boolean =>
  derives(text, key, block, block.textLikeness);

function derives(
  value: string,
  key: Digest,
  block: IssuedBlock,
  likeness: IssuedBlock['textLikeness'],
  isOpaque = false,
): boolean {
  if (likeness === undefined) return false;
  let results = known.get(block);
  if (results === undefined) {
    results = new Map();
    known.set(block, results);
  }
  let found = results.get(key);
  if (found === undefined) {
    found = isDerived(value, likeness, isOpaque);
    if (results.size >= REMEMBERED) results.clear();
    results.set(key, found);
  }
  return found;
}
