import { TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { OtelPackages } from './otel-packages.ts';
import { type OtlpProtocol, originOf, otlpTarget } from './otlp-target.ts';
import { parcel } from './parcel.ts';
import { attempt, exporterNames, type Pipeline, positiveNumber } from './pipeline.ts';
import { reachability } from './reachability.ts';
import { say } from './say.ts';
import { type Exports, watchExporter } from './watch-exporter.ts';

type ExporterClass = new () => SpanExporter;
type ProcessorClass = new (first: unknown, second?: unknown) => SpanProcessor;

interface TracePackage {
  readonly BatchSpanProcessor: ProcessorClass;
  readonly SimpleSpanProcessor: ProcessorClass;
  readonly ConsoleSpanExporter: ExporterClass;
}

const OTLP_PACKAGES: Readonly<Record<OtlpProtocol, string>> = {
  'http/json': '@opentelemetry/exporter-trace-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  grpc: '@opentelemetry/exporter-trace-otlp-grpc',
};

/** The batch processor forgets what comes while its queue is full; so is this forgotten. */
const MAX_UNSENT = 4096;

/** The traces' way out, with the span processors that lead there, from `OTEL_TRACES_EXPORTER` and its kin. */
export function tracePipeline(packages: OtelPackages): Pipeline & { readonly processors: SpanProcessor[] } {
  const sdk = packages.load<TracePackage>(
    packages.isLine3 ? '@opentelemetry/sdk-trace' : '@opentelemetry/sdk-trace-base',
  );
  const target = otlpTarget('traces');
  const reach = reachability(target);
  const unsent = new Set<ReadableSpan>();
  let otlp: Exports | undefined;

  const processor = (Processor: ProcessorClass, exporter: SpanExporter): SpanProcessor =>
    packages.isLine3 ? new Processor({ exporter, ...batchOptions() }) : new Processor(exporter);

  const builders: Readonly<Record<string, () => SpanProcessor>> = {
    console: () => processor(sdk.SimpleSpanProcessor, new sdk.ConsoleSpanExporter()),
    zipkin: () => {
      const { ZipkinExporter } = packages.load<{ ZipkinExporter: ExporterClass }>('@opentelemetry/exporter-zipkin');
      return processor(sdk.BatchSpanProcessor, new ZipkinExporter());
    },
    otlp: () => {
      const { OTLPTraceExporter } = packages.load<{ OTLPTraceExporter: ExporterClass }>(OTLP_PACKAGES[target.protocol]);
      const exporter = new OTLPTraceExporter();
      otlp = watchExporter(exporter, target, reach, (spans) => {
        for (const span of spans) unsent.delete(span);
      });
      const batch = processor(sdk.BatchSpanProcessor, exporter);
      const onEnd = batch.onEnd.bind(batch);
      batch.onEnd = (span) => {
        const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
        if (isSampled && unsent.size < MAX_UNSENT) unsent.add(span);
        onEnd(span);
      };
      return batch;
    },
  };

  const names = exporterNames('OTEL_TRACES_EXPORTER');
  const processors = names.flatMap((name) => {
    const build = Object.hasOwn(builders, name) ? builders[name] : undefined;
    if (!build) say('warn', `OTEL_TRACES_EXPORTER names ${name}: expected ${Object.keys(builders).join(', ')} or none`);
    return build ? [build()] : [];
  });

  return {
    processors,
    destination: names.includes('otlp') ? `${originOf(target)} (${target.protocol})` : names[0],
    get isDown() {
      return reach.isDown;
    },
    async flush() {
      for (const each of processors) await attempt(() => each.forceFlush());
      await attempt(() => otlp?.settled());
    },
    leftover() {
      if (unsent.size === 0) return undefined;
      const body = serializer(packages, target.protocol).serializeRequest([...unsent]);
      return body && parcel(target, body);
    },
    hurry: reach.hurry,
  };
}

/** SDK 2.x reads these for itself; 3.x leaves them to who makes the processor. */
const batchOptions = () => ({
  maxQueueSize: positiveNumber('OTEL_BSP_MAX_QUEUE_SIZE'),
  scheduledDelayMillis: positiveNumber('OTEL_BSP_SCHEDULE_DELAY'),
  exportTimeoutMillis: positiveNumber('OTEL_BSP_EXPORT_TIMEOUT'),
  maxExportBatchSize: positiveNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
});

/** Of `@opentelemetry/otlp-transformer`, which comes with each exporter. */
interface Serializer {
  serializeRequest(items: ReadableSpan[]): Uint8Array | undefined;
}

function serializer(packages: OtelPackages, protocol: OtlpProtocol): Serializer {
  const { JsonTraceSerializer, ProtobufTraceSerializer } = packages.load<Record<string, Serializer>>(
    '@opentelemetry/otlp-transformer',
    OTLP_PACKAGES[protocol],
  );
  const chosen = protocol === 'http/json' ? JsonTraceSerializer : ProtobufTraceSerializer;
  if (!chosen) throw new Error('@opentelemetry/otlp-transformer has no serializer for traces');
  return chosen;
}
