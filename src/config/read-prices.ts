import * as v from 'valibot';
import type { Price, PriceTable } from '../emit/cost.ts';

const amount = v.pipe(
  v.number('expected a number of USD per million tokens'),
  v.finite('expected a number of USD per million tokens'),
  v.minValue(0, 'expected a number from 0'),
);
const price: v.GenericSchema<unknown, Price> = v.strictObject(
  { input: v.exactOptional(amount), output: v.exactOptional(amount), cacheRead: v.exactOptional(amount) },
  (issue) => (issue.expected === 'never' ? 'no such price: there are input, output, cacheRead' : 'expected an object'),
);

/** Checks a table of prices. A model that cannot be used is told, with its place, and left out. */
export function readPrices(rows: Readonly<Record<string, unknown>>, report: (problem: string) => void): PriceTable {
  const prices: Record<string, Price> = {};
  for (const [model, row] of Object.entries(rows)) {
    const read = v.safeParse(price, row);
    if (read.success) prices[model] = read.output;
    else {
      const [issue] = read.issues;
      const at = [model, ...(issue.path ?? []).map(({ key }) => String(key))].join('.');
      report(`${at}: ${issue.message}; going on without it`);
    }
  }
  return prices;
}
