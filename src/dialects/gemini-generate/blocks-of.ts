import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { isOwn } from './echo.ts';

/** The blocks that have exactly this seal; those of this API where there are any. */
export function blocksOf(seal: Digest, ledger: Ledger): readonly IssuedBlock[] {
  const all = ledger.bySeal(seal);
  if (all.length === 1 && all[0]?.seal === seal) return all;
  const exact = all.filter((block) => block.seal === seal);
  const own = exact.filter(({ answer }) => isOwn(answer));
  return own.length > 0 ? own : exact;
}
