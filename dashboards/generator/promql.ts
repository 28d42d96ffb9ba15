/** PromQL from the names of src/semconv.ts. Every function returns an expression that can stand inside another one. */
import {
  GEN_AI_METRIC_ATTRIBUTES,
  METRIC_REASONING_INSTRUMENTATION_INFO,
  METRICS,
  REASONING_METRIC_ATTRIBUTES,
} from '../../src/semconv.ts';
import { labelName, type Part, prometheusName } from './prometheus-name.ts';

/** A condition on one attribute. */
export interface Matcher {
  readonly attribute: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

export const is = (attribute: string, value: string): Matcher => ({ attribute, operator: '=', value });
export const oneOf = (attribute: string, values: readonly string[]): Matcher => ({
  attribute,
  operator: '=~',
  value: values.join('|'),
});
export const matches = (attribute: string, value: string): Matcher => ({ attribute, operator: '=~', value });

/** Labels that the way to Prometheus adds: they are no attributes of ours. */
export const TARGET_LABELS: readonly string[] = ['job', 'instance'];

/** The attributes that a metric's series can have. */
export function attributesOf(metric: string): readonly string[] {
  const own = METRICS.find(({ name }) => name === metric)?.attributes ?? [];
  if (metric === METRIC_REASONING_INSTRUMENTATION_INFO) return own;
  return [...own, ...(metric.startsWith('gen_ai.') ? GEN_AI_METRIC_ATTRIBUTES : REASONING_METRIC_ATTRIBUTES)];
}

/** A misspelt label selects nothing and says nothing, so it must not get as far as Prometheus. */
function known(metric: string, attribute: string): string {
  if (TARGET_LABELS.includes(attribute) || attribute === 'le') return attribute;
  if (!attributesOf(metric).includes(attribute)) throw new Error(`${metric} has no attribute ${attribute}`);
  return labelName(attribute);
}

export interface Series {
  readonly metric: string;
  readonly part?: Part;
  readonly where?: readonly Matcher[];
}

/** The series of a metric, as in `reasoning_calls_total{job=~"$job"}`. */
export function select({ metric, part, where = [] }: Series): string {
  const conditions = where.map(({ attribute, operator, value }) => `${known(metric, attribute)}${operator}"${value}"`);
  return `${prometheusName(metric, part)}${conditions.length > 0 ? `{${conditions.join(', ')}}` : ''}`;
}

/** Labels of a metric to group by; `sum by` throughout, since not every route to Prometheus adds the same labels. */
export const labels = (metric: string, by: readonly string[]): string =>
  by.map((attribute) => known(metric, attribute)).join(', ');

export const sumBy = (metric: string, by: readonly string[], expression: string): string =>
  by.length === 0 ? `sum(${expression})` : `sum by (${labels(metric, by)}) (${expression})`;

/** A part of a whole. Empty, not NaN, where there is no whole. */
export const share = (part: string, whole: string): string => `${part} / (${whole} > 0)`;

/** Parts, each with labels, of one whole without. */
export const shareOfAll = (parts: string, whole: string): string => `${parts} / on () group_left () (${whole} > 0)`;

/** The highest that are above 0; one that is 0 where all are, so that a table is never empty on a good day. */
export const highest = (count: number, values: string): string => `topk(${count}, ${values} > 0) or topk(1, ${values})`;

/** Of a histogram's buckets. Nothing, not NaN, where nothing was observed. */
export const quantile = (rank: number, buckets: string): string => `histogram_quantile(${rank}, ${buckets}) >= 0`;

/** A count whose series may not exist yet: 0 wherever `beside` has a value. */
export const zeroBeside = (count: string, beside: string): string => `(${count} or ${beside} * 0)`;

/** A count that is 0 where nothing of the kind has been reported at all. */
export const orZero = (count: string): string => `(${count} or vector(0))`;
