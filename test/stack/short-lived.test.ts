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
  { name: 'with start-time ingestion', prometheusFeatures: PROMETHEUS_FEATURES, seenByIncrease: true },
  {
    name: 'without',
    prometheusFeatures: PROMETHEUS_FEATURES.filter((name) => name !== 'created-timestamp-zero-ingestion'),
    seenByIncrease: false,
  },
])('a process that lives for a second, $name', ({ prometheusFeatures, seenByIncrease }) => {
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
    expect(await once(urls.otlp, service)).toMatchObject({ code: 0, said: [] });
    await eventually(async () => {
      const dropped = { metric: 'reasoning_blocks_dropped_total', job: service };
      expect(await totals(urls.prometheus, dropped)).toEqual({ '': STEPS - 1 });
    });
    await eventually(async () => {
      const alerts = await alertsOf(urls.alertmanager, service);
      expect(alerts.map(({ labels }) => labels.alertname)).toContain('ReasoningBlocksDropped');
    });
    // The recording rule sees the birth of a counter; increase() alone only where its start was written as a 0.
    const atMost = async (promql: string): Promise<number> => {
      const [most] = await query(urls.prometheus, `max_over_time((${promql})[5m:1s])`);
      return most?.value ?? 0;
    };
    await eventually(async () => {
      expect(await atMost(`sum(reasoning:blocks_dropped:increase5m{job="${service}"})`)).toBeGreaterThan(0);
    });
    expect((await atMost(`sum(increase(reasoning_blocks_dropped_total{job="${service}"}[5m]))`)) > 0).toBe(
      seenByIncrease,
    );
  });
});
