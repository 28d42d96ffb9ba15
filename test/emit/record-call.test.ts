import { metrics } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import type { CallFacts } from '../../src/dialects/dialect.ts';
import { type CallRecord, recordCall } from '../../src/emit/record-call.ts';
import { noteSdk } from '../../src/emit/seen-sdks.ts';
import { instrumentsOf } from '../../src/emit/telemetry-api.ts';
import { METRICS } from '../../src/semconv.ts';
import { factsOf, judgementOf, lostOne } from './judgements.ts';
import { meterHarness, pointsOf, total } from './telemetry.ts';

const BASE = { 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': 'claude-opus-4-5' };

let harness: ReturnType<typeof meterHarness>;
beforeEach(() => {
  harness = meterHarness();
});
afterEach(() => harness.meterProvider.shutdown());

const record = (judgement: Judgement, parts: Partial<CallRecord> = {}, facts: Partial<CallFacts> = {}) =>
  recordCall(instrumentsOf({ meterProvider: harness.meterProvider }), {
    judgement,
    facts: factsOf(facts),
    circumstances: {},
    duration: 1.5,
    chunkGaps: [],
    ...parts,
  });

/** Each metric of ours: a judgement that moves it, and what its points must then add up to. */
const ROWS: ReadonlyArray<
  readonly [name: string, attributes: Record<string, string | boolean>, judgement: Judgement, value: number]
> = [
  ['reasoning.calls', { 'reasoning.continuity': 'partial' }, lostOne(), 1],
  ['reasoning.blocks.expected', {}, judgementOf({ firstSeen: { expected: 3 } }), 3],
  ['reasoning.blocks.returned', {}, judgementOf({ firstSeen: { returned: 2 } }), 2],
  [
    'reasoning.blocks.dropped',
    { 'reasoning.drop.reason': 'prefix_mismatch', 'reasoning.drop.source': 'server' },
    judgementOf({ firstSeen: { dropped: [{ reason: 'prefix_mismatch', source: 'server', count: 4 }] } }),
    4,
  ],
  [
    'reasoning.blocks.released',
    { 'reasoning.drop.reason': 'compaction' },
    judgementOf({ firstSeen: { released: [{ reason: 'compaction', source: 'client', count: 5 }] } }),
    5,
  ],
  [
    'reasoning.findings',
    { 'reasoning.finding.kind': 'edited', 'reasoning.finding.source': 'client' },
    judgementOf({ firstSeen: { findings: [{ kind: 'edited', source: 'client', count: 2 }] } }),
    2,
  ],
  [
    'reasoning.rejections',
    { 'reasoning.rejection': 'prefix_mismatch' },
    judgementOf({ rejection: 'prefix_mismatch' }),
    1,
  ],
  ['reasoning.assertions', { 'reasoning.assertion': 'fail' }, judgementOf({ assertion: 'fail' }), 1],
  [
    'reasoning.model.switches',
    { 'reasoning.switch.direction': 'downgrade', 'reasoning.switch.survives': 'kept' },
    judgementOf({ modelSwitch: { direction: 'downgrade', from: 'a', to: 'b', survives: 'kept' } }),
    1,
  ],
  ...(
    [
      ['cached', 'open', 1],
      ['fresh', 'open', 2],
      ['cached', 'closed', 4],
      ['fresh', 'closed', 8],
    ] as const
  ).map(
    ([cache, cycle, value]) =>
      [
        'reasoning.tokens.resent',
        { 'reasoning.cache.state': cache, 'reasoning.cycle.state': cycle },
        judgementOf({ tokens: { resent: 15, openCached: 1, openFresh: 2, closedCached: 4, closedFresh: 8 } }),
        value,
      ] as const,
  ),
  [
    'reasoning.tool_calls',
    { 'gen_ai.tool.name': 'get_weather', 'reasoning.tool_call.repeated': true },
    judgementOf({
      toolCalls: [
        { name: 'get_weather', repeated: true },
        { name: 'other', repeated: false },
      ],
    }),
    1,
  ],
  ['reasoning.cycle.steps', {}, judgementOf({ closedCycle: { steps: 4, toolCalls: 6 } }), 4],
  ['reasoning.cycle.tool_calls', {}, judgementOf({ closedCycle: { steps: 4, toolCalls: 6 } }), 6],
];

describe('reasoning metrics', () => {
  test.each(ROWS)('%s %o', async (name, attributes, judgement, value) => {
    record(judgement);
    const points = pointsOf(await harness.collect(), name, { ...BASE, ...attributes });
    expect(points).toHaveLength(1);
    expect(total(points)).toBe(value);
  });

  test('every metric of the registry that is written has a row, here or below', async () => {
    record(lostOne(), { circumstances: { timeToFirstChunk: 1 }, chunkGaps: [1] }, { usage: { input: 1, output: 1 } });
    noteSdk({ name: '@anthropic-ai/sdk', version: '1.14.0', by: 'hook', span: 'own' });
    const written = (await harness.collect()).keys();
    const tested = new Set(ROWS.map(([name]) => name));
    const ours = METRICS.filter(({ name }) => name.startsWith('reasoning.'));
    expect(ours.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([
      'reasoning.runs',
      'reasoning.cost',
      'reasoning.instrumentation.info',
    ]);
    // Tool calls and cycles have no zeros, a cost needs prices, runs end elsewhere; all else is there from the first call on.
    const absent = new Set([
      'reasoning.tool_calls',
      'reasoning.cycle.steps',
      'reasoning.cycle.tool_calls',
      'reasoning.cost',
    ]);
    const expected = METRICS.filter(({ name }) => !absent.has(name) && !name.startsWith('gen_ai.invoke_agent.')).map(
      ({ name }) => name,
    );
    expect([...written].sort()).toEqual(expected.sort());
  });

  test('every valid pair of reason and source is there at 0 from the first call of a provider and model', async () => {
    record(judgementOf());
    const first = await harness.collect();
    const dropped = pointsOf(first, 'reasoning.blocks.dropped', BASE);
    expect(dropped).toHaveLength(14);
    expect(total(dropped)).toBe(0);
    expect(pointsOf(first, 'reasoning.tool_calls')).toEqual([]);
    record(lostOne());
    const after = await harness.collect();
    expect(pointsOf(after, 'reasoning.blocks.dropped', BASE)).toHaveLength(14);
    expect(total(pointsOf(after, 'reasoning.blocks.dropped', BASE))).toBe(1);
    record(judgementOf(), {}, { requestModel: 'claude-haiku-5-5' });
    expect(pointsOf(await harness.collect(), 'reasoning.blocks.dropped')).toHaveLength(28);
  });

  test('only what was first seen counts: a block lost earlier counts no more', async () => {
    record(lostOne());
    record({ ...lostOne(), firstSeen: judgementOf().firstSeen });
    const counted = await harness.collect();
    expect(total(pointsOf(counted, 'reasoning.blocks.dropped'))).toBe(1);
    expect(total(pointsOf(counted, 'reasoning.findings'))).toBe(1);
    expect(total(pointsOf(counted, 'reasoning.calls', { 'reasoning.continuity': 'partial' }))).toBe(2);
  });

  test('the arm of an experiment stands on all but the info gauge', async () => {
    record(lostOne(), { experimentArm: 'stripped' });
    for (const [name, { points }] of await harness.collect()) {
      if (name === 'reasoning.instrumentation.info') continue;
      for (const point of points)
        expect(point.attributes, name).toMatchObject({ 'reasoning.experiment.arm': 'stripped' });
    }
  });

  test('names that are none, and names beyond what a metric can bear, become one series', async () => {
    const call = (name: string) => ({ name, repeated: false });
    record(judgementOf({ toolCalls: [call('do this "now"'), call('x'.repeat(400))] }), {}, { requestModel: 'a b c' });
    const odd = await harness.collect();
    expect(
      pointsOf(odd, 'reasoning.tool_calls', { 'gen_ai.tool.name': '_OTHER', 'gen_ai.request.model': '_OTHER' }),
    ).toMatchObject([{ value: 2 }]);
    record(judgementOf({ toolCalls: Array.from({ length: 500 }, (_, index) => call(`tool_${index}`)) }));
    const many = pointsOf(await harness.collect(), 'reasoning.tool_calls', BASE);
    expect(many.length).toBeLessThan(210);
    expect(total(many)).toBe(500);
  });

  test('neither ids nor paths nor raw models stand on a metric', async () => {
    record({ ...lostOne(), modelSwitch: { direction: 'lateral', from: 'a', to: 'b', survives: 'kept' } });
    for (const { points } of (await harness.collect()).values()) {
      for (const { attributes } of points) {
        expect(Object.keys(attributes).filter((name) => /run\.id|path|span_id|switch\.(from|to)$/.test(name))).toEqual(
          [],
        );
      }
    }
  });
});

describe('GenAI metrics', () => {
  const GEN_AI = { ...BASE, 'gen_ai.operation.name': 'chat' };
  const usage = { input: 100, output: 50, cacheRead: 80, cacheWrite: 10, reasoning: 30 };

  test('duration, with the buckets that the conventions advise', async () => {
    record(
      judgementOf(),
      { circumstances: { address: 'api.anthropic.com', port: 443 } },
      { responseModel: 'claude-opus-4-5-20251101' },
    );
    const duration = (await harness.collect()).get('gen_ai.client.inference.duration');
    expect(duration).toMatchObject({
      unit: 's',
      points: [
        {
          value: 1.5,
          count: 1,
          attributes: {
            ...GEN_AI,
            'gen_ai.response.model': 'claude-opus-4-5',
            'server.address': 'api.anthropic.com',
            'server.port': 443,
          },
        },
      ],
    });
    expect(duration?.boundaries?.slice(0, 3)).toEqual([0.01, 0.02, 0.04]);
    expect(duration?.boundaries?.at(-1)).toBe(81.92);
  });

  test('chunks of a stream', async () => {
    record(judgementOf(), { circumstances: { timeToFirstChunk: 0.5 }, chunkGaps: [0.1, 0.2] });
    const metrics = await harness.collect();
    expect(pointsOf(metrics, 'gen_ai.client.inference.time_to_first_chunk')).toMatchObject([{ count: 1, value: 0.5 }]);
    expect(pointsOf(metrics, 'gen_ai.client.inference.time_per_output_chunk')).toMatchObject([{ count: 2 }]);
  });

  test.each([
    ['usage.input_tokens', 100],
    ['usage.output_tokens', 50],
    ['usage.cache_read.input_tokens', 80],
    ['usage.cache_write.input_tokens', 10],
    ['usage.reasoning.output_tokens', 30],
  ])('%s', async (name, value) => {
    record(judgementOf(), {}, { usage });
    expect(
      pointsOf(await harness.collect(), `gen_ai.client.inference.${name}`, {
        ...GEN_AI,
        'gen_ai.token.modality': 'unknown',
      }),
    ).toMatchObject([{ value }]);
  });

  test('tokens of one operation, in powers of four', async () => {
    record(judgementOf(), {}, { usage });
    const metrics = await harness.collect();
    expect(metrics.get('gen_ai.client.inference.operation.input_tokens')).toMatchObject({ points: [{ value: 100 }] });
    expect(metrics.get('gen_ai.client.inference.operation.output_tokens')?.boundaries?.slice(0, 4)).toEqual([
      1, 4, 16, 64,
    ]);
  });

  test('a failed call: its type on the duration, usage counters at 0, no token histogram', async () => {
    record(judgementOf(), { circumstances: { errorType: 'overloaded_error' } });
    const metrics = await harness.collect();
    expect(pointsOf(metrics, 'gen_ai.client.inference.duration', { 'error.type': 'overloaded_error' })).toHaveLength(1);
    expect(pointsOf(metrics, 'gen_ai.client.inference.usage.input_tokens')).toMatchObject([{ value: 0 }]);
    expect(pointsOf(metrics, 'gen_ai.client.inference.operation.input_tokens')).toEqual([]);
  });
});

test('the info gauge is 1 for each way in which an SDK is seen', async () => {
  noteSdk({ name: '@anthropic-ai/sdk', version: '0.60.0', by: 'client', span: 'native' });
  noteSdk({ name: '@anthropic-ai/sdk', version: '0.60.0', by: 'client', span: 'native' });
  record(judgementOf());
  const seen = pointsOf(await harness.collect(), 'reasoning.instrumentation.info', {
    'reasoning.instrumentation.sdk_version': '0.60.0',
  });
  expect(seen).toMatchObject([
    {
      value: 1,
      attributes: {
        'reasoning.instrumentation.sdk': '@anthropic-ai/sdk',
        'reasoning.instrumentation.seen_by': 'client',
        'reasoning.instrumentation.span': 'native',
        'reasoning.instrumentation.version': expect.stringMatching(/^\d/),
      },
    },
  ]);
});

test('a provider that is registered after the first call gets the calls from then on', async () => {
  const call = () =>
    recordCall(instrumentsOf({}), {
      judgement: judgementOf(),
      facts: factsOf(),
      circumstances: {},
      duration: 1,
      chunkGaps: [],
    });
  call();
  metrics.setGlobalMeterProvider(harness.meterProvider);
  try {
    call();
    expect(total(pointsOf(await harness.collect(), 'reasoning.calls'))).toBe(1);
  } finally {
    metrics.disable();
  }
});

test('attribute sets past the limit of an SDK are counted, and neither remembered nor set to zero', () => {
  const { isNew } = instrumentsOf({ meterProvider: harness.meterProvider });
  const fresh = (from: number) => Array.from({ length: 2_000 }, (_, at) => isNew(`set ${from + at}`)).filter(Boolean);
  expect(fresh(0)).toHaveLength(2_000);
  expect(fresh(0)).toHaveLength(0);
  expect(fresh(2_000)).toHaveLength(0);
});
