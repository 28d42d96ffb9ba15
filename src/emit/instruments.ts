import type { Meter } from '@opentelemetry/api';
import { METRIC_REASONING_INSTRUMENTATION_INFO, METRICS } from '../semconv.ts';
import { type Gated, gate } from './gate.ts';
import { seenSdks } from './seen-sdks.ts';

/** Attributes of one data point, before the gate. */
export type Labels = Iterable<readonly [name: string, value: unknown]>;

/** The instruments of one meter, made from the registry. */
export interface Instruments {
  /** Adds to a counter, or records in a histogram, by the metric's name. What the gate refuses is left out. */
  record(metric: string, value: number, labels: Labels): void;
  /** True the first time it is asked of this key: series are set to 0 once for each provider and model. */
  isNew(key: string): boolean;
}

export function createInstruments(meter: Meter): Instruments {
  const writers = new Map<string, (value: number, attributes: Gated) => void>();
  for (const { name, instrument, unit, brief: description, buckets, reserved } of METRICS) {
    if (reserved) continue;
    if (instrument === 'counter') {
      const counter = meter.createCounter(name, { unit, description });
      writers.set(name, (value, attributes) => counter.add(value, attributes));
    } else if (instrument === 'histogram') {
      const advice = buckets === undefined ? undefined : { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { unit, description, ...(advice && { advice }) });
      writers.set(name, (value, attributes) => histogram.record(value, attributes));
    } else if (name === METRIC_REASONING_INSTRUMENTATION_INFO) {
      meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
        for (const labels of seenSdks()) result.observe(1, gate('metric', labels));
      });
    }
  }
  const seen = new Set<string>();
  return {
    record(metric, value, labels) {
      writers.get(metric)?.(value, gate('metric', labels));
    },
    isNew(key) {
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    },
  };
}
