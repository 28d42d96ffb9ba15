import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../scripts/stack/ports.ts';
import { type Stack, startStack } from '../../scripts/stack/start-stack.ts';
import { METRICS } from '../../src/semconv.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { type Ended, type Loop, runAgent, STEPS, startProvider } from './support/agent.ts';
import { eventually } from './support/eventually.ts';
import { answeredTokens, expectedTotals, labelsOf } from './support/expected.ts';
import { type JaegerSpan, orphansOf, searchTraces, tagOf } from './support/jaeger.ts';
import { alertsOf, query, totals } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const SERVICE = 'chain';
const MARKER = 'content-that-must-not-arrive';
/** 14 loops that lose everything: more than the 50 blocks below which the fast burn does not page. */
const STRIPPED = 14;
const SOUND = 5;
const UNSEALED = 2;
const LOOPS: readonly Loop[] = [
  ...Array<Loop>(STRIPPED - 4).fill('stripped'),
  ...Array<Loop>(4).fill('responses'),
  ...Array<Loop>(SOUND).fill('sound'),
  ...Array<Loop>(UNSEALED).fill('unsealed'),
];

/** What other instrumentations are known to write, on a span and on an event. */
const CONTENT = {
  'gen_ai.input.messages': MARKER,
  'gen_ai.output.messages': MARKER,
  'gen_ai.system_instructions': MARKER,
  'gen_ai.tool.call.arguments': MARKER,
  'gen_ai.prompt.0.content': MARKER,
  'gen_ai.prompt': MARKER,
  'input.value': MARKER,
  'llm.input_messages.0.message.content': MARKER,
  'traceloop.entity.output': MARKER,
  'agent.thinking': MARKER,
  'agent.signature': MARKER,
  'agent.header': `Bearer ${MARKER}`,
  'agent.key': `sk-ant-api03-${MARKER}`,
  'agent.seal': `${MARKER.replaceAll('-', '')}${'Q2hhaW4'.repeat(30)}`,
  'agent.kept': 'kept',
};

const { folder, remove } = stackFolder();
let stack: Stack;
let provider: Simulator;
/** For what is not to be counted with the rest. */
let other: Simulator;
let ended: Ended;

beforeAll(async () => {
  provider = await startProvider();
  other = await startProvider();
  stack = await startStack({
    ports: await freePorts(),
    folder,
    // No sound trace is kept, so what is found was kept for what is wrong with it.
    collectorEnv: { KEEP_PERCENT: '0', ROOT_WAIT: '2s' },
    prometheusChange: [['evaluation_interval: 15s', 'evaluation_interval: 1s']],
  });
  ended = await runAgent({ service: SERVICE, loops: LOOPS, otlp: stack.urls.otlp, provider, attributes: CONTENT });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
  await other?.close();
  remove();
});

const search = (tags: Readonly<Record<string, string>>) => searchTraces(stack.urls.jaeger, SERVICE, tags);
const isCall = (span: JaegerSpan): boolean => tagOf(span, 'reasoning.continuity') !== undefined;

it('the agent runs to its end and says nothing', () => {
  expect(ended).toMatchObject({ code: 0, said: [] });
  expect(provider.requests.length).toBe((STRIPPED + SOUND) * STEPS + UNSEALED * 2);
});

describe('Prometheus', () => {
  const known = { ...expectedTotals(LOOPS) };
  const counters = METRICS.filter(({ instrument }) => instrument === 'counter').map(
    ({ name }) => `${name.replaceAll('.', '_')}_total`,
  );

  it.each(counters)('%s is exactly what the loops add up to', async (metric) => {
    const expected = { ...known, ...answeredTokens(provider) }[metric];
    expect(expected, `no total is known for ${metric}`).toBeDefined();
    await eventually(async () => {
      expect(await totals(stack.urls.prometheus, { metric, job: SERVICE, by: labelsOf(metric) })).toEqual(expected);
    });
  });

  it('counts what the application brackets as runs', async () => {
    const service = 'chain-runs';
    const loops: Loop[] = ['sound', 'stripped', 'sound'];
    expect(await runAgent({ service, loops, otlp: stack.urls.otlp, provider: other, runs: true })).toEqual({
      code: 0,
      said: [],
    });
    const metric = 'reasoning_runs_total';
    await eventually(async () => {
      expect(await totals(stack.urls.prometheus, { metric, job: service, by: labelsOf(metric) })).toEqual({
        completed: loops.length,
      });
    });
  });

  it('counts the same from spans alone, before sampling', async () => {
    const { reasoning_calls_total: calls, reasoning_blocks_dropped_total: dropped } = expectedTotals(LOOPS);
    await eventually(async () => {
      const from = (metric: string, by: readonly string[]) =>
        totals(stack.urls.prometheus, { metric, job: SERVICE, by });
      expect(await from('spans_reasoning_calls_total', ['reasoning_continuity'])).toEqual(calls);
      expect(
        await from('spans_reasoning_blocks_dropped_total', ['reasoning_drop_reason', 'reasoning_drop_source']),
      ).toEqual(dropped);
    });
  });

  it('has a histogram with exemplars that lead to traces', async () => {
    const search = new URLSearchParams({
      query: `traces_span_metrics_duration_seconds_bucket{service_name="${SERVICE}"}`,
      start: String(Date.now() / 1_000 - 3_600),
      end: String(Date.now() / 1_000 + 60),
    });
    await eventually(async () => {
      const response = await fetch(`${stack.urls.prometheus}/api/v1/query_exemplars?${search}`);
      expect(await response.text()).toMatch(/"trace_id":"[0-9a-f]{32}"/);
    });
  });

  it('reads how the Collector fares', async () => {
    await eventually(async () => {
      const [refused] = await query(stack.urls.prometheus, 'sum(otelcol_exporter_queue_size)');
      expect(refused?.value).toBe(0);
    });
  });
});

describe('Jaeger', () => {
  it('has every trace with a drop, whole and linked', async () => {
    await eventually(async () => {
      const traces = await search({ 'reasoning.dropped': 'true' });
      expect(traces.length).toBe(STRIPPED);
      for (const trace of traces) {
        const calls = trace.spans.filter(isCall);
        expect(calls.length).toBe(STEPS);
        expect(trace.spans.filter(({ operationName }) => operationName === 'agent run').length).toBe(1);
        expect(orphansOf(trace)).toEqual([]);
        const ids = new Set(trace.spans.map(({ spanID }) => spanID));
        const findings = calls.flatMap(({ logs }) => logs).flatMap(({ fields }) => fields);
        const producers = findings.filter(({ key }) => key === 'reasoning.producer.span_id').map(({ value }) => value);
        expect(producers.length).toBeGreaterThan(0);
        expect(producers.filter((id) => typeof id !== 'string' || !ids.has(id))).toEqual([]);
      }
    });
  });

  it('finds them by why the blocks were dropped', async () => {
    await eventually(async () => {
      expect((await search({ 'reasoning.drop.reason': 'omitted_in_cycle' })).length).toBe(STRIPPED);
      expect((await search({ 'reasoning.drop.reason': 'turn_boundary' })).length).toBe(0);
      expect((await search({ 'reasoning.continuity': 'stripped', 'reasoning.drop.source': 'client' })).length).toBe(
        STRIPPED,
      );
    });
  });

  it('has every trace in which the provider refused, and none in which all was well', async () => {
    await eventually(async () => {
      const refused = await search({ 'reasoning.rejected': 'true' });
      expect(refused.map(({ spans }) => spans.filter(isCall).length)).toEqual(Array(UNSEALED).fill(2));
      expect((await search({})).length).toBe(STRIPPED + UNSEALED);
    });
  });

  it('counts calls for its Monitor tab', async () => {
    await eventually(async () => {
      const response = await fetch(
        `${stack.urls.jaeger}/api/metrics/calls?${new URLSearchParams({ service: SERVICE, endTs: String(Date.now()), lookback: '3600000', step: '15000', ratePer: '600000', spanKind: 'client' })}`,
      );
      expect(await response.text()).toMatch(/"doubleValue":\s*\d/);
    });
  });
});

it('content that something else put on spans and events does not arrive', async () => {
  const isRoot = ({ operationName }: JaegerSpan): boolean => operationName === 'agent run';
  const traces = await eventually(async () => {
    const found = await search({ 'reasoning.dropped': 'true' });
    expect(found.filter(({ spans }) => spans.some(isRoot)).length).toBe(STRIPPED);
    return found;
  });
  const roots = traces.flatMap(({ spans }) => spans.filter(isRoot));
  for (const root of roots) {
    expect(tagOf(root, 'agent.kept')).toBe('kept');
    expect(root.logs.flatMap(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ key: 'agent.kept', value: 'kept' }),
    );
  }
  expect(JSON.stringify(traces).replaceAll('-', '')).not.toContain(MARKER.replaceAll('-', ''));
});

describe('Alertmanager', () => {
  const alert = (name: string) =>
    eventually(async () => {
      const found = (await alertsOf(stack.urls.alertmanager, SERVICE)).filter(
        ({ labels }) => labels.alertname === name && labels.gen_ai_request_model?.startsWith('claude'),
      );
      expect(found.map(({ labels }) => labels.alertname)).toEqual([name]);
      return found[0];
    }, 200_000);

  it('is told of dropped blocks', async () => {
    expect(await alert('ReasoningBlocksDropped')).toMatchObject({
      labels: { severity: 'warning', reasoning_drop_reason: 'omitted_in_cycle', reasoning_drop_source: 'client' },
      annotations: { runbook_url: expect.stringContaining('http') },
    });
  });

  it('is told of a refusal', async () => {
    expect(await alert('ReasoningProviderRejectedBlocks')).toMatchObject({
      labels: { severity: 'critical', reasoning_rejection: 'member_missing' },
    });
  });

  it('pages for the fast burn, which then speaks for the dropped blocks', async () => {
    expect(await alert('ReasoningContinuityBudgetBurnFast')).toMatchObject({ labels: { severity: 'critical' } });
    await eventually(async () => {
      expect((await alert('ReasoningBlocksDropped'))?.status).toMatchObject({ state: 'suppressed' });
    });
  });
});
