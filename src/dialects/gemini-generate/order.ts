import { longestRise } from '../longest-rise.ts';
import type { ComparedBlock } from './compare.ts';
import type { Placed } from './match.ts';
import type { Slot } from './slots.ts';

/** Signed parts to take out so that what is left of the answer stands in issued order. */
export function outOfOrder(
  slots: readonly Slot[],
  placed: ReadonlyMap<Slot, Placed>,
  blocks: readonly ComparedBlock[],
): ReadonlySet<Slot> {
  const places = new Map<Slot, { readonly content: number; readonly at: number }>();
  for (const [slot, { content, piece }] of placed) places.set(slot, { content, at: piece.at });
  const signed = new Set<Slot>();
  for (const { block, state, content, at } of blocks) {
    const slot = slots.find((one) => one.block === block);
    if (slot === undefined || state !== 'intact' || content === undefined || at === undefined) continue;
    signed.add(slot);
    if (!places.has(slot)) places.set(slot, { content, at });
  }
  const row = [...places].sort(([, x], [, y]) => x.content - y.content || x.at - y.at).map(([slot]) => slot);
  const out = new Set<Slot>();
  if (row.every((slot, i) => i === 0 || slot.index > (row[i - 1]?.index ?? -1))) return out;
  // Unsigned parts stay: a signed one on the wrong side of one of them has to go.
  row.forEach((slot, i) => {
    if (!signed.has(slot)) return;
    const wrong = row.some(
      (other, j) => !signed.has(other) && (j < i ? other.index > slot.index : other.index < slot.index),
    );
    if (wrong) out.add(slot);
  });
  const kept = row.filter((slot) => signed.has(slot) && !out.has(slot));
  const longest = longestRise(kept.map((slot) => slot.index));
  kept.forEach((slot, i) => {
    if (!longest.has(i)) out.add(slot);
  });
  return out;
}
