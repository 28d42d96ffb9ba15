/** Processor time of the whole process, user and system, garbage collector threads included, in microseconds. */
export function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return spent.user + spent.system;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** A step of a typical run: for each step the median of all runs, and the mean of that over the steps. */
export function typical(runs: readonly (readonly number[])[]): number {
  const steps = (runs[0] ?? []).map((_, step) => median(runs.map((run) => run[step] ?? Number.NaN)));
  return steps.reduce((sum, value) => sum + value, 0) / steps.length;
}

/** Collects the young garbage. Needs --expose-gc. */
export function scavenge(): void {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc({ type: 'minor' });
}
