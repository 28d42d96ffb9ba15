import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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

type Value = { readonly boolValue: boolean } | { readonly intValue: string } | { readonly stringValue: string };
const attributes = (values: Readonly<Record<string, Value>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }));
const finding = (severity: string) => ({
  events: [
    { name: 'reasoning.finding', attributes: attributes({ 'reasoning.finding.severity': { stringValue: severity } }) },
  ],
});

/** A span for each thing that may be wrong alone, and spans in which nothing is. */
const SPANS: ReadonlyArray<readonly [name: string, kept: boolean, span: object]> = [
  ['drop', true, { attributes: attributes({ 'reasoning.dropped': { boolValue: true } }) }],
  ['edit', true, { attributes: attributes({ 'reasoning.blocks.damaged': { intValue: '1' } }) }],
  ['refusal', true, { attributes: attributes({ 'reasoning.rejected': { boolValue: true } }) }],
  ['loss', true, finding('loss')],
  ['missing', true, { attributes: attributes({ 'reasoning.assertion': { stringValue: 'fail' } }) }],
  ['error', true, { status: { code: 2 } }],
  ['note', false, finding('note')],
  [
    'sound',
    false,
    {
      attributes: attributes({
        'reasoning.dropped': { boolValue: false },
        'reasoning.blocks.damaged': { intValue: '0' },
        'reasoning.rejected': { boolValue: false },
        'reasoning.assertion': { stringValue: 'pass' },
      }),
    },
  ],
];

it('a trace is kept for each thing that is wrong, alone, and for nothing else', async () => {
  const { otlp, jaeger } = urlsOf(options.ports);
  const service = 'causes';
  const now = `${Date.now()}000000`;
  const spans = SPANS.map(([name, , span]) => ({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name,
    kind: 3,
    startTimeUnixNano: now,
    endTimeUnixNano: now,
    ...span,
  }));
  const response = await fetch(`${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      resourceSpans: [
        { resource: { attributes: attributes({ 'service.name': { stringValue: service } }) }, scopeSpans: [{ spans }] },
      ],
    }),
  });
  expect(response.status).toBe(200);
  const kept = SPANS.flatMap(([name, keep]) => (keep ? [name] : []));
  const names = async () =>
    (await searchTraces(jaeger, service))
      .flatMap(({ spans }) => spans.map(({ operationName }) => operationName))
      .sort();
  await eventually(async () => expect(await names()).toEqual([...kept].sort()));
  // Those that are kept go on at once; the others are let go within the wait, not merely late.
  await sleep(4_000);
  expect(await names()).toEqual([...kept].sort());
});
