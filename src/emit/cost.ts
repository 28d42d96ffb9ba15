import type { ResentTokens } from '../continuity/judgement.ts';
import type { CallFacts } from '../dialects/dialect.ts';
import type { COST_KINDS } from '../semconv.ts';
import { metricModel } from './model-name.ts';

/** USD per million tokens. A kind without a price has no cost. */
export interface Price {
  readonly input?: number;
  readonly output?: number;
  /** Input read from the cache; absent: as `input`. */
  readonly cacheRead?: number;
}

/** By model, as its name stands in requests or on metrics. */
export type PriceTable = Readonly<Record<string, Price>>;

export interface Cost {
  readonly kind: (typeof COST_KINDS)[number];
  /** USD. */
  readonly amount: number;
}

const MILLION = 1_000_000;
const byModel = new WeakMap<PriceTable, ReadonlyMap<string, Price>>();

function priceOf(prices: PriceTable, model: string): Price | undefined {
  const known =
    byModel.get(prices) ?? new Map(Object.entries(prices).map(([name, price]) => [metricModel(name), price]));
  byModel.set(prices, known);
  return prices[model] ?? known.get(metricModel(model));
}

/**
 * What the reasoning of one call cost, in USD: what was generated, at the price of output, and what was sent again, at
 * that of input. An estimate, as the tokens sent again are.
 */
export function costsOf(
  prices: PriceTable | undefined,
  { requestModel, responseModel, usage }: CallFacts,
  tokens: ResentTokens | undefined,
): readonly Cost[] {
  if (prices === undefined) return [];
  const price = (responseModel && priceOf(prices, responseModel)) || priceOf(prices, requestModel);
  if (!price) return [];
  const { input, output, cacheRead = input } = price;
  const costs: Cost[] = [];
  const add = (kind: Cost['kind'], count: number | undefined, each: number | undefined): void => {
    if (count !== undefined && each !== undefined) costs.push({ kind, amount: (count * each) / MILLION });
  };
  add('generated', usage?.reasoning, output);
  add('resent_cached', tokens && tokens.openCached + tokens.closedCached, cacheRead);
  add('resent_fresh', tokens && tokens.openFresh + tokens.closedFresh, input);
  return costs;
}
