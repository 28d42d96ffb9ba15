/**
 * The paired permutation test of Fisher (The Design of Experiments, 1935, section 21), exact: were the two arms the same, each
 * difference might as well have had the other sign. For differences of -1, 0 and 1 it is the exact test of McNemar.
 *
 * @param differences whole numbers, one a pair
 * @returns the two-sided p: how often signs drawn at random add up to a sum at least as far from 0
 */
export function permutationTest(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let chances = new Map<number, number>([[0, 1]]);
  for (const difference of differences) {
    if (difference === 0) continue;
    const next = new Map<number, number>();
    for (const [sum, chance] of chances) {
      for (const reached of [sum + difference, sum - difference]) {
        next.set(reached, (next.get(reached) ?? 0) + chance / 2);
      }
    }
    chances = next;
  }
  let p = 0;
  for (const [sum, chance] of chances) if (Math.abs(sum) >= observed) p += chance;
  return Math.min(1, p);
}
