import { type Interval, Z } from './interval.ts';

/** A rate with its score interval (Wilson, J. Am. Stat. Assoc. 22, 1927): never outside 0 and 1, of use at both ends. */
export function rateInterval(successes: number, of: number): Interval {
  const estimate = successes / of;
  const middle = estimate + Z ** 2 / (2 * of);
  const width = Z * Math.sqrt((estimate * (1 - estimate)) / of + Z ** 2 / (4 * of ** 2));
  const scale = 1 + Z ** 2 / of;
  // At the ends the two terms are equal but for the last bit.
  return {
    estimate,
    low: successes === 0 ? 0 : (middle - width) / scale,
    high: successes === of ? 1 : (middle + width) / scale,
  };
}

/** How many pairs succeeded in both arms, in one alone, in none. */
export interface PairedOutcomes {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

/**
 * The rate of the second arm minus that of the first, over the same tasks: method 10 of Newcombe (Statistics in Medicine 17,
 * 1998, 2635-2650), which joins the two score intervals by how the pairs hang together.
 */
export function rateDifferenceInterval({ both, onlyFirst, onlySecond, neither }: PairedOutcomes): Interval {
  const of = both + onlyFirst + onlySecond + neither;
  const first = rateInterval(both + onlyFirst, of);
  const second = rateInterval(both + onlySecond, of);
  const estimate = (onlySecond - onlyFirst) / of;
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  const product = both * neither - onlyFirst * onlySecond;
  // The correction for continuity: weak agreement is taken for none.
  const agreement = product > 0 ? Math.max(product - of / 2, 0) : product;
  const phi = margins === 0 ? 0 : agreement / Math.sqrt(margins);
  const reach = (x: number, y: number): number => Math.sqrt(Math.max(0, x ** 2 - 2 * phi * x * y + y ** 2));
  return {
    estimate,
    low: estimate - reach(second.estimate - second.low, first.high - first.estimate),
    high: estimate + reach(second.high - second.estimate, first.estimate - first.low),
  };
}
