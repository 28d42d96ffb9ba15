import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { RunningProcess } from '../../scripts/stack/start-process.ts';
import { type StackOptions, startCollector, startJaeger, stopAll, urlsOf } from '../../scripts/stack/start-stack.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { runAgent, STEPS, startProvider } from './support/agent.ts';
import { eventually } from './support/eventually.ts';
import { type JaegerSpan, searchTraces, tagOf } from './support/jaeger.ts';
import { stackFolder } from './support/stack-folder.ts';

/** Longer than the Collector waits for a trace. */
const PAUSE_MS = 3_000;
const { folder, remove } = stackFolder();
const started: RunningProcess[] = [];
let provider: Simulator;
let options: StackOptions;

beforeAll(async () => {
  provider = await startProvider();
  options = {
    ports: await freePorts(),
    folder,
    collectorEnv: { KEEP_PERCENT: '0', TRACE_WAIT: '2s', ROOT_WAIT: '1s' },
  };
  started.push(await startJaeger(options));
  started.unshift(await startCollector('collector', 'collector.yaml', options));
});
afterAll(async () => {
  await stopAll(started);
  await provider?.close();
  remove();
});

it('a loop that outlives the wait is kept from its first loss on, to its end', async () => {
  const { otlp, jaeger } = urlsOf(options.ports);
  const service = 'long-loop';
  expect(await runAgent({ service, loops: ['stripped'], otlp, provider, pauseMs: PAUSE_MS })).toMatchObject({
    code: 0,
    said: [],
  });
  await eventually(async () => {
    const [trace, ...more] = await searchTraces(jaeger, service);
    expect(more).toEqual([]);
    const has = (named: (span: JaegerSpan) => boolean) => trace?.spans.filter(named).length;
    // The first call, with nothing wrong yet, was let go when its wait was over; what came after is there, root included.
    expect(has((span) => tagOf(span, 'reasoning.dropped') === true)).toBe(STEPS - 1);
    expect(has(({ operationName }) => operationName === 'agent run')).toBe(1);
  });
});
