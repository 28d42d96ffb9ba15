import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { RunningProcess } from '../../scripts/stack/start-process.ts';
import {
  type StackOptions,
  startCollector,
  startJaeger,
  startPrometheus,
  stopAll,
  urlsOf,
} from '../../scripts/stack/start-stack.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { type Loop, runAgent, STEPS, startProvider } from './support/agent.ts';
import { eventually } from './support/eventually.ts';
import { expectedTotals, labelsOf } from './support/expected.ts';
import { orphansOf, searchTraces } from './support/jaeger.ts';
import { query, totals } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const { folder, remove } = stackFolder();
let provider: Simulator;
let options: StackOptions;
let collector: RunningProcess;
let jaeger: RunningProcess;
let prometheus: RunningProcess;

beforeAll(async () => {
  provider = await startProvider();
  options = { ports: await freePorts(), folder, collectorEnv: { KEEP_PERCENT: '0', ROOT_WAIT: '1s' } };
  prometheus = await startPrometheus(options);
  jaeger = await startJaeger(options);
  collector = await startCollector('collector', 'collector.yaml', options);
});
afterAll(async () => {
  await stopAll([collector, jaeger, prometheus].filter(Boolean));
  await provider?.close();
  remove();
});

const agree = (service: string, loops: readonly Loop[]) =>
  eventually(async () => {
    for (const [metric, expected] of Object.entries(expectedTotals(loops))) {
      const { prometheus: url } = urlsOf(options.ports);
      expect(await totals(url, { metric, job: service, by: labelsOf(metric) }), metric).toEqual(expected);
    }
  });

it('the Collector is killed and started again during a run: the application ends well, the counters agree', async () => {
  const service = 'collector-killed';
  const loops: Loop[] = ['stripped', 'sound', 'stripped', 'unsealed'];
  const before = provider.requests.length;
  const running = runAgent({ service, loops, otlp: urlsOf(options.ports).otlp, provider, pauseMs: 400 });
  await eventually(async () => expect(provider.requests.length).toBeGreaterThan(before + STEPS));
  await collector.kill();
  const whenKilled = provider.requests.length;
  await eventually(async () => expect(provider.requests.length).toBeGreaterThan(whenKilled + 2));
  collector = await startCollector('collector', 'collector.yaml', options);
  // It may say that an export failed; that is all.
  expect((await running).code).toBe(0);
  expect(provider.requests.length - before).toBe(STEPS * 3 + 2);
  await agree(service, loops);
});

it('Jaeger is away for a while, and the Collector is killed meanwhile: every trace with a drop arrives', async () => {
  const service = 'jaeger-away';
  const loops: Loop[] = ['stripped', 'stripped', 'sound', 'responses'];
  await jaeger.stop();
  const { otlp, prometheus: url, jaeger: jaegerUrl } = urlsOf(options.ports);
  expect(await runAgent({ service, loops, otlp, provider })).toMatchObject({ code: 0, said: [] });
  await agree(service, loops);
  // The root spans have come, and what is to be kept waits on disk.
  await eventually(async () => {
    const [waiting] = await query(url, 'max_over_time(otelcol_exporter_queue_size{exporter="otlp_grpc/traces"}[1m])');
    expect(waiting?.value).toBeGreaterThan(0);
  });
  await sleep(2_000);
  await collector.kill();
  collector = await startCollector('collector', 'collector.yaml', options);
  jaeger = await startJaeger(options);
  await eventually(async () => {
    const traces = await searchTraces(jaegerUrl, service, { 'reasoning.dropped': 'true' });
    expect(traces.map(({ spans }) => spans.length)).toEqual([STEPS + 1, STEPS + 1, STEPS + 1]);
    expect(traces.flatMap(orphansOf)).toEqual([]);
  }, 90_000);
});
