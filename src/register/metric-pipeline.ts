import { metrics } from '@opentelemetry/api';
import type { IMetricReader, PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { collectNow, valuesOf } from './collect-now.ts';
import type { OtelPackages } from './otel-packages.ts';
import { type OtlpProtocol, originOf, otlpTarget } from './otlp-target.ts';
import { parcel } from './parcel.ts';
import { attempt, exporterNames, type Pipeline, positiveNumber } from './pipeline.ts';
import { reachability } from './reachability.ts';
import { say } from './say.ts';
import { type Exports, watchExporter } from './watch-exporter.ts';

type ExporterClass = new () => PushMetricExporter;
type ReaderClass = new (options: object) => IMetricReader;

interface MetricsPackage {
  readonly PeriodicExportingMetricReader: ReaderClass;
  readonly ConsoleMetricExporter: ExporterClass;
}

const OTLP_PACKAGES: Readonly<Record<OtlpProtocol, string>> = {
  'http/json': '@opentelemetry/exporter-metrics-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-metrics-otlp-proto',
  grpc: '@opentelemetry/exporter-metrics-otlp-grpc',
};

const SUCCESS = { code: 0 };

/** The metrics' way out, with the readers that lead there, from `OTEL_METRICS_EXPORTER` and its kin. */
export function metricPipeline(packages: OtelPackages): Pipeline & { readonly readers: IMetricReader[] } {
  const sdk = packages.load<MetricsPackage>('@opentelemetry/sdk-metrics');
  const target = otlpTarget('metrics');
  const reach = reachability(target);
  let otlp: Exports | undefined;
  let otlpReader: IMetricReader | undefined;
  /** Values that need not be sent once more before the end. */
  let done: string | undefined;
  let ending = false;

  const periodic = (exporter: PushMetricExporter): IMetricReader =>
    new sdk.PeriodicExportingMetricReader({ exporter, ...periodicOptions() });

  const builders: Readonly<Record<string, () => IMetricReader>> = {
    console: () => periodic(new sdk.ConsoleMetricExporter()),
    prometheus: () => {
      const { PrometheusExporter } = packages.load<{ PrometheusExporter: ReaderClass }>(
        '@opentelemetry/exporter-prometheus',
      );
      const host = process.env.OTEL_EXPORTER_PROMETHEUS_HOST?.trim();
      const port = positiveNumber('OTEL_EXPORTER_PROMETHEUS_PORT');
      return new PrometheusExporter({ ...(host && { host }), ...(port !== undefined && { port }) });
    },
    otlp: () => {
      const { OTLPMetricExporter } = packages.load<{ OTLPMetricExporter: ExporterClass }>(
        OTLP_PACKAGES[target.protocol],
      );
      const exporter = new OTLPMetricExporter();
      otlp = watchExporter(exporter, target, reach, (collected, taken) => {
        // At the end one attempt has to do.
        if (taken || ending) done = valuesOf(collected);
      });
      exportUnless(exporter, (collected) => ending && valuesOf(collected) === done);
      otlpReader = periodic(exporter);
      return otlpReader;
    },
  };

  const names = exporterNames('OTEL_METRICS_EXPORTER');
  const readers = names.flatMap((name) => {
    const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
    if (!build)
      say('warn', `OTEL_METRICS_EXPORTER names ${name}: expected ${Object.keys(builders).join(', ')} or none`);
    return build ? [build()] : [];
  });

  return {
    readers,
    destination: names.includes('otlp') ? `${originOf(target)} (${target.protocol})` : names[0],
    get isDown() {
      return reach.isDown;
    },
    async flush() {
      for (const reader of readers) await attempt(() => reader.forceFlush());
      await attempt(() => otlp?.settled());
    },
    leftover() {
      const collected = otlpReader && collectNow(metrics.getMeterProvider(), otlpReader);
      if (!collected || valuesOf(collected) === done) return undefined;
      const body = serializer(packages, target.protocol).serializeRequest(collected);
      return body && parcel(target, body);
    },
    hurry(now) {
      ending = now;
      reach.hurry(now);
    },
  };
}

/**
 * While a process ends, the same values are not sent once more: the event loop would start again each time it had run
 * empty. At other times they are sent again and again, as back ends expect.
 */
function exportUnless(exporter: PushMetricExporter, isRepeated: (collected: ResourceMetrics) => boolean): void {
  const original = exporter.export.bind(exporter);
  exporter.export = (collected, done) => {
    if (collected.scopeMetrics.length === 0 || isRepeated(collected)) done(SUCCESS);
    else original(collected, done);
  };
}

/** The interval must not be shorter than the time-out. */
function periodicOptions(): { exportIntervalMillis: number; exportTimeoutMillis: number } {
  const exportIntervalMillis = positiveNumber('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000;
  const timeout = positiveNumber('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000;
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) };
}

/** Of `@opentelemetry/otlp-transformer`, which comes with each exporter. */
interface Serializer {
  serializeRequest(items: ResourceMetrics): Uint8Array | undefined;
}

function serializer(packages: OtelPackages, protocol: OtlpProtocol): Serializer {
  const { JsonMetricsSerializer, ProtobufMetricsSerializer } = packages.load<Record<string, Serializer>>(
    '@opentelemetry/otlp-transformer',
    OTLP_PACKAGES[protocol],
  );
  const chosen = protocol === 'http/json' ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  if (!chosen) throw new Error('@opentelemetry/otlp-transformer has no serializer for metrics');
  return chosen;
}
