import type { Meter } from '@opentelemetry/api';
import { METRIC_REASONING_INSTRUMENTATION_INFO, METRICS } from '../semconv.ts';
import { type Gated, gateLabels } from './gate.ts';
import { seenSdks } from './seen-sdks.ts';

/** An SDK tells so many attribute sets of a metric apart; those beyond get no zeros, and are not remembered. */
const MAX_SETS = 2_000;

/** The instruments of one meter, made from the registry. */
export interface Instruments {
  /** Adds to a counter, or records in a histogram, by the metric's name. */
  record(metric: string, value: number, attributes: Gated): void;
  /** True the first time it is asked of this key: series are set to 0 once for each set of shared attributes. */
  isNew(key: string): boolean;
}

export function createInstruments(meter: Meter): Instruments {
  const writers = new Map<string, (value: number, attributes: Gated) => void>();
  for (const { name, instrument, unit, brief: description, buckets } of METRICS) {
    if (instrument === 'counter') {
      const counter = meter.createCounter(name, { unit, description });
      writers.set(name, (value, attributes) => counter.add(value, attributes));
    } else if (instrument === 'histogram') {
      const advice = buckets === undefined ? undefined : { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { unit, description, ...(advice && { advice }) });
      writers.set(name, (value, attributes) => histogram.record(value, attributes));
    } else if (name === METRIC_REASONING_INSTRUMENTATION_INFO) {
      meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
        for (const labels of seenSdks()) result.observe(1, gateLabels('metric', labels));
      });
    }
  }
  const seen = new Set<string>();
  return {
    record: (metric, value, attributes) => writers.get(metric)?.(value, attributes),
    isNew(key) {
      if (seen.has(key) || seen.size >= MAX_SETS) return false;
      seen.add(key);
      return true;
    },
  };
}
