import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/run/experiment/seeded-random.ts';
import { meanInterval } from '../../../src/run/experiment/statistics/mean-interval.ts';
import { permutationTest } from '../../../src/run/experiment/statistics/permutation-test.ts';
import { rateDifferenceInterval, rateInterval } from '../../../src/run/experiment/statistics/rate-interval.ts';

/** Darwin's maize: crossed minus self-fertilised plants, eighths of an inch (Fisher 1935, section 17). */
const DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

describe('permutation test', () => {
  test("Fisher's own count for Darwin's maize: 863 of 32,768 on each side", () => {
    expect(permutationTest(DARWIN)).toBeCloseTo(1726 / 32_768, 12);
  });

  // Fay, vignette of the R package exact2x2: mcnemar.exact(matrix(c(21, 9, 2, 12), 2, 2)) gives p = 0.06543.
  test('of ones it is the exact test of McNemar', () => {
    expect(permutationTest([...repeat(1, 9), ...repeat(-1, 2), ...repeat(0, 33)])).toBeCloseTo(0.06543, 5);
  });

  test.each([
    ['no pairs', [], 1],
    ['no difference anywhere', [0, 0, 0], 1],
    ['differences that cancel out', [3, -3], 1],
    ['five of five the same way', [1, 1, 1, 1, 1], 2 / 32],
  ] as const)('%s', (_, differences, p) => {
    expect(permutationTest(differences)).toBeCloseTo(p, 12);
  });

  test('neither the order nor which arm comes first matters', () => {
    expect(permutationTest([...DARWIN].reverse().map((difference) => -difference))).toBeCloseTo(
      permutationTest(DARWIN),
      12,
    );
  });

  test('where there is no difference it finds one in one case of twenty at most', () => {
    const random = seededRandom('no difference');
    const draw = (): number => 4 + Math.floor(random() ** 2 * 6);
    const found = Array.from({ length: 2000 }, () =>
      permutationTest(Array.from({ length: 30 }, () => draw() - draw())),
    ).filter((p) => p < 0.05).length;
    expect(found / 2000).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 2000));
    // And is not so careful that it finds nothing at all.
    expect(found / 2000).toBeGreaterThan(0.025);
  });

  test('a thousand pairs are no trouble', () => {
    expect(permutationTest([...repeat(1, 600), ...repeat(-1, 400)])).toBeLessThan(1e-9);
  });
});

describe('rates', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%d of %d lies in the published interval', (successes, of, low, high) => {
    const interval = rateInterval(successes, of);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('all of them is not certainty', () => {
    expect(rateInterval(30, 30)).toMatchObject({ estimate: 1, high: 1 });
    expect(rateInterval(30, 30).low).toBeCloseTo(0.8865, 4);
  });

  // Altman et al., Statistics with Confidence (2000), table 6.2: 0.122, from 0.011 to 0.226.
  test('the difference of paired rates', () => {
    const interval = rateDifferenceInterval({ both: 14, onlyFirst: 0, onlySecond: 5, neither: 22 });
    expect(interval.estimate).toBeCloseTo(0.122, 3);
    expect(interval.low).toBeCloseTo(0.011, 3);
    expect(interval.high).toBeCloseTo(0.226, 3);
  });

  test('turned round it changes its sign alone', () => {
    const one = rateDifferenceInterval({ both: 9, onlyFirst: 7, onlySecond: 1, neither: 2 });
    const other = rateDifferenceInterval({ both: 9, onlyFirst: 1, onlySecond: 7, neither: 2 });
    expect([one.estimate, one.low, one.high].map((x) => x + 0)).toEqual([
      -other.estimate,
      expect.closeTo(-other.high, 12),
      expect.closeTo(-other.low, 12),
    ]);
  });

  test('arms that succeed in everything differ by nothing, with a width', () => {
    const interval = rateDifferenceInterval({ both: 30, onlyFirst: 0, onlySecond: 0, neither: 0 });
    expect(interval.estimate).toBe(0);
    expect(interval.low).toBeLessThan(0);
    expect(interval.high).toBeGreaterThan(0);
  });
});

describe('means', () => {
  test('the interval is that of the normal approximation where that one holds', () => {
    const values = Array.from({ length: 400 }, (_, at) => at % 7);
    const center = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / values.length;
    const half = 1.96 * Math.sqrt(variance / values.length);
    const { estimate, low, high } = meanInterval(values, 'means');
    expect(estimate).toBeCloseTo(center, 12);
    expect(Math.abs(low - (center - half))).toBeLessThan(half / 10);
    expect(Math.abs(high - (center + half))).toBeLessThan(half / 10);
  });

  test('a seed gives one interval', () => {
    expect(meanInterval(DARWIN, 'a')).toEqual(meanInterval(DARWIN, 'a'));
    expect(meanInterval(DARWIN, 'a')).not.toEqual(meanInterval(DARWIN, 'b'));
  });

  test('equal values leave no doubt', () => {
    expect(meanInterval([4, 4, 4], 'x')).toEqual({ estimate: 4, low: 4, high: 4 });
  });
});
