import { metrics, trace } from '@opentelemetry/api';
import type { OtelPackages } from './otel-packages.ts';
import { attempt } from './pipeline.ts';
import type { StartedSdk } from './start-sdk.ts';

type StartNodeSdk = () => { shutdown(): Promise<void> };

/**
 * Starts the SDK from the declarative file that `OTEL_CONFIG_FILE` names, where this version of the SDK reads one. What it
 * sends where is the file's business, so that nothing is known here of what is unsent: the end of the process is waited
 * for, but no child posts.
 */
export function startFromFile(packages: OtelPackages): StartedSdk | undefined {
  const file = process.env.OTEL_CONFIG_FILE?.trim();
  if (!file) return undefined;
  const { startNodeSdk } = packages.load<{ startNodeSdk?: StartNodeSdk }>('@opentelemetry/sdk-node');
  if (!startNodeSdk) return undefined;
  const sdk = startNodeSdk();
  const stop = (): void => void attempt(() => sdk.shutdown());
  return {
    // Each flush sends the metrics anew.
    rounds: 1,
    destination: `as ${file} says`,
    async flush() {
      await Promise.all([forceFlush(trace.getTracerProvider()), forceFlush(metrics.getMeterProvider())]);
    },
    leftovers: () => [],
    stopTraces: stop,
    stopMetrics: stop,
  };
}

/** Neither is in the API: providers of an SDK have it, and the proxy that the API puts before one has not. */
async function forceFlush(provider: object): Promise<void> {
  const real =
    'getDelegate' in provider && typeof provider.getDelegate === 'function' ? provider.getDelegate() : provider;
  if ('forceFlush' in real && typeof real.forceFlush === 'function') await attempt(() => real.forceFlush());
}
