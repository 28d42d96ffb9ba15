/** Positions of a longest increasing subsequence. */
export function longestRise(values: readonly number[]): ReadonlySet<number> {
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
