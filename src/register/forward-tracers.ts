import type { Tracer, TracerProvider } from '@opentelemetry/api';

/**
 * Makes the tracers of a provider of ours forward to another provider, once there is one. Modules keep the tracer that
 * they get: so an application that registers its own provider after its modules have loaded still sees their spans.
 * @returns a function that names the other provider
 */
export function forwardTracers(provider: TracerProvider): (other: TracerProvider) => void {
  const original = provider.getTracer.bind(provider);
  let getTracer = original;

  provider.getTracer = (...identity) => {
    let made = { by: original, tracer: original(...identity) };
    const current = (): Tracer => {
      if (made.by !== getTracer) made = { by: getTracer, tracer: getTracer(...identity) };
      return made.tracer;
    };
    const startActiveSpan = (...args: unknown[]): unknown => {
      const tracer = current();
      return Reflect.apply(tracer.startActiveSpan, tracer, args);
    };
    return {
      startSpan: (...args) => current().startSpan(...args),
      startActiveSpan: startActiveSpan as Tracer['startActiveSpan'],
    };
  };

  return (other) => {
    getTracer = other.getTracer.bind(other);
  };
}
