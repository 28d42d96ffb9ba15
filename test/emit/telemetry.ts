import type { AttributeValue } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** One data point: a sum's value, or a histogram's count and sum. */
export interface Point {
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>;
  readonly value: number;
  readonly count?: number;
}

export interface Metric {
  readonly unit: string;
  readonly points: readonly Point[];
  readonly boundaries?: readonly number[];
}

const isHistogram = (value: unknown): value is Histogram =>
  typeof value === 'object' && value !== null && 'buckets' in value;

/** A real metrics SDK that keeps what it exports. */
export function meterHarness() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })],
  });
  /** Everything recorded so far, by metric. */
  const collect = async (): Promise<ReadonlyMap<string, Metric>> => {
    exporter.reset();
    await meterProvider.forceFlush();
    const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return new Map(
      scopes.flatMap(({ metrics }) =>
        metrics.map((metric): [string, Metric] => [
          metric.descriptor.name,
          {
            unit: metric.descriptor.unit,
            points: metric.dataPoints.map(({ attributes, value }) =>
              isHistogram(value)
                ? { attributes, value: value.sum ?? 0, count: value.count }
                : { attributes, value: value as number },
            ),
            ...(metric.dataPointType === DataPointType.HISTOGRAM && {
              boundaries: metric.dataPoints[0]?.value.buckets.boundaries ?? [],
            }),
          },
        ]),
      ),
    );
  };
  return { meterProvider, collect };
}

/** A real tracing SDK that keeps the spans that ended. */
export function tracerHarness(sampler: Sampler = new AlwaysOnSampler()) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = tracerProvider.getTracer('application');
  const ended = (): ReadableSpan[] => exporter.getFinishedSpans();
  return { tracerProvider, tracer, ended };
}

/** The points of a metric that carry all of `attributes`. */
export const pointsOf = (
  metrics: ReadonlyMap<string, Metric>,
  name: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
): readonly Point[] =>
  (metrics.get(name)?.points ?? []).filter((point) =>
    Object.entries(attributes).every(([key, value]) => point.attributes[key] === value),
  );

export const total = (points: readonly Point[]): number => points.reduce((sum, { value }) => sum + value, 0);
