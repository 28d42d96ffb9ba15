import { FOREIGN_METRICS, METRICS, type MetricSpec } from '../../src/semconv.ts';

/** What of a metric stands in one series. A counter and a gauge have one series, a histogram three kinds. */
export type Part = 'bucket' | 'sum' | 'count';

const spec = (metric: string): MetricSpec => {
  const found = [...METRICS, ...FOREIGN_METRICS].find(({ name }) => name === metric);
  if (found === undefined) throw new Error(`${metric} is no metric of src/semconv.ts`);
  return found;
};

/**
 * A metric's name in Prometheus, by the default translation of its OTLP receiver and of the Collector's exporters
 * (opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics): dots become underscores, seconds are
 * spelt out, counters end in `_total`. Units in braces add nothing, which is why semconv.ts writes all counts so.
 */
export function prometheusName(metric: string, part: Part = 'bucket'): string {
  const { name, unit, instrument } = spec(metric);
  const base = name.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '');
  return { counter: `${base}_total`, histogram: `${base}_${part}`, gauge: base }[instrument];
}

/** An attribute's name as a label. */
export const labelName = (attribute: string): string => attribute.replaceAll('.', '_');
