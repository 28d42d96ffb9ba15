import { type TracerProvider, trace } from '@opentelemetry/api';
import { forwardTracers } from './forward-tracers.ts';
import { type ApiPart, isRegistered, yieldRegistration } from './registrations.ts';
import { sayOnce } from './say.ts';
import type { StartedSdk } from './start-sdk.ts';

const HANDED_OVER =
  'the application registers an OpenTelemetry SDK of its own, which takes over from the one that register has started. ' +
  'To start only one, load reasoning-otel/register last, or set REASONING_OTEL_SDK=off';

/**
 * Lets an application that registers its own SDK after ours take over, part by part, as if nothing had been registered.
 * Without this the API refuses theirs with an error for each part, and their exporters get nothing.
 */
export function handOverWhenAsked(sdk: StartedSdk): void {
  const provider = registeredProvider();
  const forwardTo = provider && forwardTracers(provider);
  const onYield: Readonly<Record<Exclude<ApiPart, 'diag'>, (given: unknown) => void>> = {
    trace(theirs) {
      sayOnce('info', 'handed-over', HANDED_OVER);
      if (isTracerProvider(theirs)) forwardTo?.(theirs);
      sdk.stopTraces();
    },
    metrics() {
      sayOnce('info', 'handed-over', HANDED_OVER);
      sdk.stopMetrics();
    },
    context: () => undefined,
    propagation: () => undefined,
  };
  for (const [part, yielded] of Object.entries(onYield)) {
    if (isRegistered(part as ApiPart)) yieldRegistration(part as ApiPart, yielded);
  }
}

/** The provider behind the proxy under which the API registers it; by shape, since the proxy can be of another copy. */
function registeredProvider(): TracerProvider | undefined {
  const proxy: unknown = trace.getTracerProvider();
  const isProxy = typeof proxy === 'object' && proxy !== null && 'getDelegate' in proxy;
  const provider: unknown = isProxy && typeof proxy.getDelegate === 'function' ? proxy.getDelegate() : undefined;
  return isTracerProvider(provider) ? provider : undefined;
}

function isTracerProvider(value: unknown): value is TracerProvider {
  return typeof value === 'object' && value !== null && 'getTracer' in value;
}
