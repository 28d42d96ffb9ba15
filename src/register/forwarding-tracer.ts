import type { Tracer, TracerOptions, TracerProvider } from '@opentelemetry/api';

/** A tracer provider whose tracers make their spans with whatever provider is the current one. */
export interface ForwardingProvider {
  readonly provider: TracerProvider;
  forwardTo(provider: TracerProvider): void;
}

/**
 * Modules keep the tracer that they get. Tracers from here outlive a change of provider, so that an application that
 * registers its own after its modules have loaded sees their spans. In all else `provider` is the first provider.
 */
export function forwardingProvider(first: TracerProvider): ForwardingProvider {
  let current = first;
  const getTracer = (name: string, version?: string, options?: TracerOptions): Tracer => {
    let made = { by: first, tracer: first.getTracer(name, version, options) };
    const tracer = (): Tracer => {
      if (made.by !== current) made = { by: current, tracer: current.getTracer(name, version, options) };
      return made.tracer;
    };
    const startActiveSpan = (...args: unknown[]): unknown => {
      const target = tracer();
      return Reflect.apply(target.startActiveSpan, target, args);
    };
    return {
      startSpan: (...args) => tracer().startSpan(...args),
      startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
    };
  };
  return {
    provider: Object.create(first, { getTracer: { value: getTracer } }),
    forwardTo(provider) {
      current = provider;
    },
  };
}
