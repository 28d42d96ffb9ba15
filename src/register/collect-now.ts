import type { Attributes } from '@opentelemetry/api';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { SCOPE_NAME } from '../semconv.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isCallable = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function';
const entriesOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

/**
 * Collects the metrics of one reader without waiting. `MetricReader.collect()` waits, if only for observable callbacks,
 * and in an `exit` handler nothing that waits comes back. So this reads the state that the SDK keeps under names of its
 * own, the same from 2.0 to 3.1 of `@opentelemetry/sdk-metrics`.
 * @returns undefined where the state looks otherwise, or holds nothing
 */
export function collectNow(meterProvider: object, reader: object): ResourceMetrics | undefined {
  const shared = (meterProvider as Fields)._sharedState;
  if (!isObject(shared) || !isObject(shared.resource) || !(shared.meterSharedStates instanceof Map)) return undefined;
  const collector = entriesOf(shared.metricCollectors).find((each) => each._metricReader === reader);
  if (!collector) return undefined;
  const now = Date.now();
  const time = [Math.trunc(now / 1000), (now % 1000) * 1_000_000];
  const scopeMetrics = [...shared.meterSharedStates.values()].filter(isObject).flatMap((meter) => {
    observeOurs(meter, time);
    const metrics = storagesOf(meter, collector).flatMap((storage) => {
      const data = isCallable(storage.collect) ? storage.collect(collector, time) : undefined;
      return isObject(data) && entriesOf(data.dataPoints).length > 0 ? [data] : [];
    });
    return metrics.length > 0 ? [{ scope: meter._instrumentationScope, metrics }] : [];
  });
  if (scopeMetrics.length === 0) return undefined;
  return { resource: shared.resource, scopeMetrics } as unknown as ResourceMetrics;
}

function storagesOf(meter: Fields, collector: unknown): Fields[] {
  const registry = meter.metricStorageRegistry;
  return isObject(registry) && isCallable(registry.getStorages) ? entriesOf(registry.getStorages(collector)) : [];
}

/** Our own observable callbacks return at once. Others may not, and are not called while a process ends. */
function observeOurs(meter: Fields, time: unknown): void {
  const { _instrumentationScope: scope, observableRegistry: registry } = meter;
  if (!isObject(scope) || scope.name !== SCOPE_NAME || !isObject(registry)) return;
  for (const { callback, instrument } of entriesOf(registry._callbacks)) {
    if (!isCallable(callback) || !isObject(instrument)) continue;
    const measured = new Map<Attributes, number>();
    callback({ observe: (value: number, attributes: Attributes = {}) => measured.set(attributes, value) });
    for (const storage of entriesOf(instrument._metricStorages)) {
      if (isCallable(storage.record)) storage.record(measured, time);
    }
  }
}

/** As in `AggregationTemporality` of the SDK. */
const DELTA = 0;

/** Observable instruments have news at each collection, whether or not anything has happened. */
const isObservable = (descriptor: object): boolean =>
  'type' in descriptor && String(descriptor.type).startsWith('OBSERVABLE');

/**
 * The values of what was recorded, without the times: equal where nothing has been recorded in between. With delta
 * temporality what comes is always new, also with equal numbers, so that there the times belong to it.
 */
export function valuesOf({ scopeMetrics }: ResourceMetrics): string {
  return JSON.stringify(
    scopeMetrics.flatMap(({ scope, metrics }) =>
      metrics
        .filter(({ descriptor, dataPoints }) => dataPoints.length > 0 && !isObservable(descriptor))
        .map(({ descriptor, aggregationTemporality, dataPoints }) => [
          scope.name,
          descriptor.name,
          dataPoints.map(({ attributes, value, endTime }) => [
            attributes,
            value,
            ...(aggregationTemporality === DELTA ? [endTime] : []),
          ]),
        ]),
    ),
  );
}
