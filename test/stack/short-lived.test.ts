import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { RunningProcess } from '../../scripts/stack/start-process.ts';
import {
  PROMETHEUS_FEATURES,
  type StackOptions,
  startAlertmanager,
  startCollector,
  startPrometheus,
  stopAll,
  urlsOf,
} from '../../scripts/stack/start-stack.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { runAgent, STEPS, startProvider } from './support/agent.ts';
import { eventually } from './support/eventually.ts';
import { alertsOf, query, totals } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const { folder, remove } = stackFolder();
let provider: Simulator;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(async () => {
  await provider?.close();
  remove();
});

/** One loop and gone: its only export is the one at its end, so its counters are born at their full value. */
const once = (otlp: string, service: string) =>
  runAgent({ service, loops: ['stripped'], otlp, provider, env: { OTEL_METRIC_EXPORT_INTERVAL: '600000' } });

describe.each([
  ['with start-time ingestion', PROMETHEUS_FEATURES],
  ['without', PROMETHEUS_FEATURES.filter((name) => name !== 'created-timestamp-zero-ingestion')],
])('a process that lives for a second, %s', (name, prometheusFeatures) => {
  const started: RunningProcess[] = [];
  let options: StackOptions;
  beforeAll(async () => {
    options = {
      ports: await freePorts(),
      folder: join(folder, String(prometheusFeatures.length)),
      prometheusFeatures,
      prometheusChange: [['evaluation_interval: 15s', 'evaluation_interval: 1s']],
    };
    started.push(await startAlertmanager(options));
    started.push(await startPrometheus(options));
    // Jaeger is not there, which is nothing to the counters.
    started.push(await startCollector('collector', 'collector.yaml', options));
  });
  afterAll(() => stopAll(started.reverse()));

  it('is counted, and its alert reaches Alertmanager', async () => {
    const urls = urlsOf(options.ports);
    const service = 'short-lived';
    expect(await once(urls.otlp, service)).toMatchObject({ code: 0, output: '' });
    await eventually(async () => {
      const dropped = { metric: 'reasoning_blocks_dropped_total', job: service };
      expect(await totals(urls.prometheus, dropped)).toEqual({ '': STEPS - 1 });
    });
    await eventually(async () => {
      const alerts = await alertsOf(urls.alertmanager, service);
      expect(alerts.map(({ labels }) => labels.alertname)).toContain('ReasoningBlocksDropped');
    });
    // The recording rule counts the birth exactly, where plain increase() extrapolates or sees nothing.
    await eventually(async () => {
      const [recorded] = await query(
        urls.prometheus,
        `max_over_time(sum(reasoning:blocks_dropped:increase5m{job="${service}"})[5m:1s])`,
      );
      expect(recorded?.value, name).toBeGreaterThan(0);
    });
  });
});
