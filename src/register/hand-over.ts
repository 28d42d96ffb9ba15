import { type TracerProvider, trace } from '@opentelemetry/api';
import { type ForwardingProvider, forwardingProvider } from './forwarding-tracer.ts';
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
  const tracers = forwardTracers();
  const onYield: Readonly<Record<Exclude<ApiPart, 'diag'>, (given: unknown) => void>> = {
    trace(provider) {
      sayOnce('info', 'handed-over', HANDED_OVER);
      if (isTracerProvider(provider)) tracers?.forwardTo(provider);
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

/** From now on tracers go by way of a provider that can change its mind. */
function forwardTracers(): ForwardingProvider | undefined {
  const proxy: unknown = trace.getTracerProvider();
  if (!isProxy(proxy)) return undefined;
  const forwarding = forwardingProvider(proxy.getDelegate());
  proxy.setDelegate(forwarding.provider);
  return forwarding;
}

interface Proxy {
  getDelegate(): TracerProvider;
  setDelegate(delegate: TracerProvider): void;
}

/** By shape: the proxy belongs to the copy of the API under which the SDK was registered. */
function isProxy(value: unknown): value is Proxy {
  return typeof value === 'object' && value !== null && 'getDelegate' in value && 'setDelegate' in value;
}

function isTracerProvider(value: unknown): value is TracerProvider {
  return typeof value === 'object' && value !== null && 'getTracer' in value;
}
