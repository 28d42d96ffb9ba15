import { pickBelow, seededRandom } from '../seeded-random.ts';
import { CONFIDENCE, type Interval } from './interval.ts';

const RESAMPLES = 10_000;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * A mean with its bootstrap percentile interval (Efron, Annals of Statistics 7, 1979): counts of calls are skewed, so no bell
 * curve is assumed. The same values and seed give the same interval.
 */
export function meanInterval(values: readonly number[], seed: string): Interval {
  const random = seededRandom(seed);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++) sum += values[pickBelow(random, values.length)] ?? 0;
    return sum / values.length;
  }).sort();
  const at = (share: number): number => means[Math.round(share * (RESAMPLES - 1))] ?? Number.NaN;
  const tail = (1 - CONFIDENCE) / 2;
  return { estimate: mean(values), low: at(tail), high: at(1 - tail) };
}
