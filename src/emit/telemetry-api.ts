import { type MeterProvider, metrics, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { SCHEMA_URL, SCOPE_NAME, SCOPE_VERSION } from '../semconv.ts';
import { createInstruments, type Instruments } from './instruments.ts';

/** Providers that were set explicitly; absent means the global one, whenever it is registered. */
export interface Providers {
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

const remembered = new WeakMap<MeterProvider, Instruments>();

export const tracerOf = ({ tracerProvider }: Providers): Tracer =>
  (tracerProvider ?? trace.getTracerProvider()).getTracer(SCOPE_NAME, SCOPE_VERSION, { schemaUrl: SCHEMA_URL });

/**
 * The instruments of the provider that is registered now. The metrics API has no proxy: an instrument made before the
 * provider is registered records nothing for ever, so they are made when they are needed, once for each provider.
 */
export function instrumentsOf({ meterProvider }: Providers): Instruments {
  const provider = meterProvider ?? metrics.getMeterProvider();
  const known = remembered.get(provider);
  if (known !== undefined) return known;
  const made = createInstruments(provider.getMeter(SCOPE_NAME, SCOPE_VERSION, { schemaUrl: SCHEMA_URL }));
  remembered.set(provider, made);
  return made;
}
