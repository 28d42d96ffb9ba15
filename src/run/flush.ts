import { metrics, trace } from '@opentelemetry/api';
import { processContext } from '../context.ts';
import { guard } from '../observe/guard.ts';

export interface FlushOptions {
  /** Milliseconds after which it is given up. Default 5,000. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 5_000;
// As it was when this module was loaded: a test suite of the application may put fake timers in its place.
const later = setTimeout;
const never = clearTimeout;

interface Flushable {
  forceFlush(): unknown;
}

const isFlushable = (value: unknown): value is Flushable =>
  typeof value === 'object' && value !== null && 'forceFlush' in value && typeof value.forceFlush === 'function';

/** The provider behind the proxy under which the API registers it. */
function behindProxy(provider: unknown): unknown {
  const isProxy = typeof provider === 'object' && provider !== null && 'getDelegate' in provider;
  return isProxy && typeof provider.getDelegate === 'function' ? provider.getDelegate() : provider;
}

/**
 * Sends what has been recorded and not been sent yet, spans and metrics: for handlers of serverless functions, which are
 * frozen or thrown away when they have answered. Call it after the run has ended.
 *
 * @returns a promise that is fulfilled when everything is sent, has failed, or `timeout` milliseconds are over. Never
 *   rejected. Where no OpenTelemetry SDK is registered there is nothing to do.
 */
export async function flush({ timeout = DEFAULT_TIMEOUT }: FlushOptions = {}): Promise<void> {
  const { settings } = processContext();
  const providers = [
    guard('finding the tracer provider', () => behindProxy(settings.tracerProvider ?? trace.getTracerProvider())),
    settings.meterProvider ?? guard('finding the meter provider', () => metrics.getMeterProvider()),
  ];
  const flushing = providers.filter(isFlushable).map(async (provider) => {
    try {
      await provider.forceFlush();
    } catch {
      // The exporter has said so through `diag`; the handler has its answer to give.
    }
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = later(resolve, timeout);
  });
  await Promise.race([Promise.all(flushing), over]);
  never(timer);
}
