import { diag } from '@opentelemetry/api';
import { metricPipeline } from './metric-pipeline.ts';
import type { OtelPackages } from './otel-packages.ts';
import type { Parcel } from './parcel.ts';
import { attempt, type Pipeline } from './pipeline.ts';
import { tracePipeline } from './trace-pipeline.ts';

interface NodeSdkPackage {
  readonly NodeSDK: new (configuration: object) => { start(): void };
}

/** The SDK that `register` has started. */
export interface StartedSdk {
  /** In words, where what goes. */
  readonly destination: string;
  /**
   * How often `beforeExit` may flush. A flush can be news in itself (an SDK that measures its own exports), and then the
   * event loop would never stay empty.
   */
  readonly rounds: number;
  /** Sends what is unsent, as the last thing that the process does. Never rejects. */
  flush(): Promise<void>;
  /** What is unsent and has somewhere to go, ready for a child process to post. Does not wait. */
  leftovers(): readonly Parcel[];
  /** Sends what spans there are and takes no more: another tracer provider has taken over. */
  stopTraces(): void;
  /** The same for metrics. */
  stopMetrics(): void;
}

/**
 * Starts `NodeSDK` from the standard variables. Exporters, processors and readers are made here rather than by NodeSDK:
 * older lines start no metrics unless asked, and only who has made an exporter knows what is unsent.
 */
export function startSdk(packages: OtelPackages): StartedSdk {
  const { NodeSDK } = packages.load<NodeSdkPackage>('@opentelemetry/sdk-node');
  const traces = tracePipeline(packages);
  const metrics = metricPipeline(packages);
  const [firstReader] = metrics.readers;
  const sdk = withLogsOff(() => {
    const made = new NodeSDK({
      spanProcessors: traces.processors,
      metricReaders: metrics.readers,
      // Up to 0.203 there is one reader, under this name.
      ...(firstReader && { metricReader: firstReader }),
    });
    made.start();
    return made;
  });
  const pipelines = new Set([traces, metrics]);
  let flushing = 0;

  return {
    rounds: 10,
    destination: describe(traces.destination, metrics.destination),
    async flush() {
      flushing += 1;
      for (const each of pipelines) each.hurry(true);
      await Promise.all([...[...pipelines].map((each) => each.flush()), attempt(() => logsOf(sdk).forceFlush?.())]);
      flushing -= 1;
      // The process may go on after all: a listener of the application decides.
      for (const each of pipelines) each.hurry(flushing > 0);
    },
    leftovers: () => [...pipelines].flatMap(leftoverOf),
    stopTraces() {
      pipelines.delete(traces);
      for (const processor of traces.processors) void attempt(() => processor.shutdown());
    },
    stopMetrics() {
      pipelines.delete(metrics);
      for (const reader of metrics.readers) void attempt(() => reader.shutdown());
    },
  };
}

/** Called while the process ends, where an error would become its exit code. */
function leftoverOf(pipeline: Pipeline): Parcel[] {
  try {
    const left = pipeline.isDown ? undefined : pipeline.leftover();
    return left ? [left] : [];
  } catch (error) {
    diag.debug('reasoning-otel: what is unsent could not be put together', error);
    return [];
  }
}

/** Logs, where somebody has asked for them, have a provider of NodeSDK's making. */
function logsOf(sdk: object): { forceFlush?: () => Promise<void> } {
  const provider: unknown = Reflect.get(sdk, '_loggerProvider');
  return typeof provider === 'object' && provider !== null ? provider : {};
}

function describe(traces: string | undefined, metrics: string | undefined): string {
  if (traces === metrics) return traces === undefined ? 'nothing is sent' : `traces and metrics go to ${traces}`;
  const to = (what: string, where: string | undefined) => (where === undefined ? `no ${what}` : `${what} to ${where}`);
  return `${to('traces', traces)}, ${to('metrics', metrics)}`;
}

const LOGS = 'OTEL_LOGS_EXPORTER';

/** Logs are nothing of ours, and the SDK's default is to send them: off, unless somebody has asked for them. */
function withLogsOff<T>(fn: () => T): T {
  if (process.env[LOGS]?.trim()) return fn();
  const before = process.env[LOGS];
  process.env[LOGS] = 'none';
  try {
    return fn();
  } finally {
    if (before === undefined) delete process.env[LOGS];
    else process.env[LOGS] = before;
  }
}
