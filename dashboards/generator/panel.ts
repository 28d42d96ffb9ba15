/** What a panel is, before it has a place on a board. */
import type { FieldLink } from './links.ts';

/** Units that Grafana and its dashboard linter know. Tokens and blocks have none: `short`. */
export type Unit = 'none' | 'short' | 'percentunit' | 'currencyUSD' | 's';

export interface Query {
  readonly expr: string;
  /** What a series is called, `{{label}}` for a label's value. */
  readonly legend: string;
}

/** A value from which on a colour holds. */
export interface Step {
  readonly color: 'green' | 'yellow' | 'red';
  readonly from: number;
}

interface Common {
  readonly title: string;
  /** What it says and what to do about it. */
  readonly description: string;
  readonly unit: Unit;
  /** Colours from the lowest value up; the first holds below the second. */
  readonly steps?: readonly Step[];
  readonly decimals?: number;
  readonly max?: number;
  /** Shown where there is nothing to show. */
  readonly noValue?: string;
  readonly links?: readonly FieldLink[];
}

export interface StatSpec extends Common {
  readonly kind: 'stat';
  readonly queries: readonly Query[];
  /** Name and value, where there are several values. */
  readonly named?: true;
}

export interface TrendSpec extends Common {
  readonly kind: 'timeseries';
  readonly queries: readonly Query[];
  /** Areas on top of one another, for parts of a whole. */
  readonly stacked?: true;
}

export interface TableSpec extends Common {
  readonly kind: 'table';
  readonly expr: string;
  /** Attributes to show, in this order, with their headings and, where their values are short, the width in pixels. */
  readonly columns: ReadonlyArray<readonly [attribute: string, heading: string, width?: number]>;
  /** Heading of the number. Hidden where it says nothing. */
  readonly value?: string;
}

export type PanelSpec = StatSpec | TrendSpec | TableSpec;

export const stat = (spec: Omit<StatSpec, 'kind'>): StatSpec => ({ kind: 'stat', ...spec });
export const trend = (spec: Omit<TrendSpec, 'kind'>): TrendSpec => ({ kind: 'timeseries', ...spec });
export const table = (spec: Omit<TableSpec, 'kind'>): TableSpec => ({ kind: 'table', ...spec });

/** Good above, bad below. */
export const goodAbove = (yellow: number, green: number): readonly Step[] => [
  { color: 'red', from: 0 },
  { color: 'yellow', from: yellow },
  { color: 'green', from: green },
];
/** Anything above nothing is bad. `increase` extrapolates, so one of something can be less than 1. */
export const BAD_ABOVE_ZERO: readonly Step[] = [
  { color: 'green', from: 0 },
  { color: 'red', from: 0.001 },
];
export const badAbove = (yellow: number, red: number): readonly Step[] => [
  { color: 'green', from: 0 },
  { color: 'yellow', from: yellow },
  { color: 'red', from: red },
];

/** Belongs to counts that may be small; they show their fractions, so that an estimate looks like one. */
export const EXTRAPOLATED =
  'Prometheus extrapolates growth beyond its samples, so what lives for seconds counts up to half too much, and in fractions; the counters themselves are exact.';
