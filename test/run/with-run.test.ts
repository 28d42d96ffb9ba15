import Anthropic from '@anthropic-ai/sdk';
import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler, type Sampler } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { processContext } from '../../src/context.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import type { Run } from '../../src/run/bracket.ts';
import { withRun } from '../../src/run/with-run.ts';
import { type Script, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';
import type { Any } from '../intercept/support/call-shapes.ts';

/** Two tool calls, the second of which asks again where the first is forgotten; then an answer. */
const model: Script = ({ step, plan }) =>
  step < 2
    ? {
        content: [
          { think: 'What next?', tokens: 300, plan: { step } },
          { tool: 'look_up', input: { part: plan === undefined ? 0 : step } },
        ],
      }
    : { content: [{ think: 'Enough.', tokens: 100 }, { text: 'Done.' }] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({ seed: 'with-run', anthropic: { script: model } });
});
afterAll(async () => {
  context.disable();
  await simulator.close();
});

let meters: ReturnType<typeof meterHarness>;
beforeEach(() => {
  meters = meterHarness();
});
afterEach(async () => {
  const { settings } = processContext();
  delete settings.tracerProvider;
  delete settings.meterProvider;
  delete settings.metricAttributes;
  settings.enabled = true;
  await meters.meterProvider.shutdown();
});

function setUp({ native = false, sampler }: { readonly native?: boolean; readonly sampler?: Sampler } = {}) {
  const spans = tracerHarness(sampler);
  const client = instrumentClient(
    new Anthropic({
      baseURL: simulator.url,
      apiKey: 'key',
      maxRetries: 0,
      openTelemetry: native ? { tracerProvider: spans.tracerProvider } : false,
    }),
    { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider },
  );
  const runs = () => spans.ended().filter(({ name }) => name.startsWith('invoke_agent'));
  return { client, ...spans, runs };
}

const request = {
  model: 'claude-sonnet-5-5',
  max_tokens: 4000,
  thinking: { type: 'adaptive' },
} as const;
const tools = [{ name: 'look_up', input_schema: { type: 'object' as const } }];

interface Loop {
  readonly task?: string;
  readonly forgets?: boolean;
}

async function loop(client: Anthropic, { task = 'Go.', forgets = false }: Loop = {}): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
  for (;;) {
    const answer = await client.messages.create({ ...request, tools, messages });
    if (answer.stop_reason !== 'tool_use')
      return answer.content.flatMap((b) => (b.type === 'text' ? b.text : [])).join();
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    messages.push({ role: 'assistant', content: forgets ? calls : answer.content });
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
    });
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the span of a run', () => {
  test('is an agent span around the calls, with the worst of them and the sums', async () => {
    const { client, runs, ended } = setUp();
    const options = { name: 'Travel agent', conversationId: 'conv-7', attributes: { team: 'payments', trial: 2 } };
    const answer = await withRun(options, (run) => {
      expect(run.id).toMatch(/^[0-9a-f-]{36}$/);
      return loop(client, { forgets: true });
    });
    expect(answer).toBe('Done.');
    const [run] = runs();
    expect(run).toMatchObject({ name: 'invoke_agent Travel agent', kind: 0, status: { code: SpanStatusCode.UNSET } });
    const calls = ended().filter(({ name }) => name.startsWith('chat'));
    expect(new Set(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId))).toEqual(
      new Set([run?.spanContext().spanId]),
    );
    const sum = (name: string) => calls.reduce((whole, { attributes }) => whole + Number(attributes[name]), 0);
    expect(run?.attributes).toEqual({
      team: 'payments',
      trial: 2,
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Travel agent',
      'gen_ai.conversation.id': 'conv-7',
      'gen_ai.usage.input_tokens': sum('gen_ai.usage.input_tokens'),
      'gen_ai.usage.output_tokens': sum('gen_ai.usage.output_tokens'),
      'reasoning.run.id': calls[0]?.attributes['reasoning.run.id'],
      'reasoning.run.outcome': 'completed',
      'reasoning.run.calls': 3,
      'reasoning.run.tool_calls': 2,
      'reasoning.run.repeated_tool_calls': 1,
      'reasoning.continuity': 'stripped',
      'reasoning.assertion': 'pass',
      'reasoning.dropped': true,
      'reasoning.drop.reason': 'omitted_in_cycle',
      'reasoning.drop.reasons': ['omitted_in_cycle'],
      'reasoning.drop.source': 'client',
      'reasoning.blocks.issued': 3,
      'reasoning.blocks.expected': 2,
      'reasoning.blocks.returned': 0,
      'reasoning.blocks.dropped': 2,
      'reasoning.finding.kind': 'dropped',
      'reasoning.finding.kinds': ['dropped'],
      'reasoning.rejected': false,
      'reasoning.tokens.resent': 0,
      'reasoning.tokens.resent_cached': 0,
      'reasoning.tokens.resent_fresh': 0,
    });
    expect(calls.every(({ attributes }) => attributes['gen_ai.conversation.id'] === 'conv-7')).toBe(true);
  });

  test('makes nothing up: no name and no conversation that was not given', async () => {
    const { client, runs } = setUp();
    await withRun({}, () => loop(client));
    expect(runs()[0]?.name).toBe('invoke_agent');
    expect(runs()[0]?.attributes).not.toHaveProperty(['gen_ai.agent.name']);
    expect(runs()[0]?.attributes).not.toHaveProperty(['gen_ai.conversation.id']);
  });

  test('runs side by side and inside one another keep their own sums', async () => {
    const { client, runs } = setUp();
    await withRun({ name: 'outer' }, async () => {
      await Promise.all([
        withRun({ name: 'intact' }, () => loop(client, { task: 'A' })),
        withRun({ name: 'forgetful' }, () => loop(client, { task: 'B', forgets: true })),
      ]);
      await loop(client, { task: 'C' });
    });
    const byName = new Map(runs().map((run) => [run.name, run]));
    const outer = byName.get('invoke_agent outer');
    expect(byName.get('invoke_agent intact')?.attributes).toMatchObject({
      'reasoning.continuity': 'intact',
      'reasoning.run.calls': 3,
      'reasoning.run.repeated_tool_calls': 0,
    });
    expect(byName.get('invoke_agent forgetful')?.attributes).toMatchObject({
      'reasoning.continuity': 'stripped',
      'reasoning.run.calls': 3,
    });
    expect(outer?.attributes).toMatchObject({
      'reasoning.continuity': 'stripped',
      'reasoning.run.calls': 9,
      'reasoning.blocks.dropped': 2,
    });
    for (const name of ['intact', 'forgetful']) {
      expect(byName.get(`invoke_agent ${name}`)?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    }
    expect(new Set(runs().map(({ attributes }) => attributes['reasoning.run.id'])).size).toBe(3);
  });

  test("joins that of the SDK's tool runner, where it is called inside one", async () => {
    const { client, tracerProvider, ended, runs } = setUp();
    const runner = tracerProvider
      .getTracer('com.anthropic.sdk.typescript')
      .startSpan('anthropic.messages.tool_runner', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } });
    await context.with(trace.setSpan(context.active(), runner), () =>
      withRun({ name: 'inner', attributes: { team: 'payments' } }, () => loop(client)),
    );
    runner.end();
    expect(runs()).toEqual([]);
    expect(ended().at(-1)?.attributes).toMatchObject({
      team: 'payments',
      'reasoning.run.calls': 3,
      'reasoning.run.outcome': 'completed',
    });
  });

  test("stands around the span of the SDK's tool runner, which keeps its own sums", async () => {
    const { client, ended, runs } = setUp({ native: true });
    const lookUp: Any = {
      ...tools[0],
      description: 'Looks up.',
      run: async () => 'r',
      parse: (input: unknown) => input,
    };
    await withRun({ name: 'outer' }, async () => {
      // Else the server holds the history, and there is nothing to send back.
      const thread: object = { thread: false };
      const body = { ...request, ...thread, tools: [lookUp], messages: [{ role: 'user' as const, content: 'Run.' }] };
      await client.beta.messages.toolRunner(body).runUntilDone();
    });
    const runner = ended().find(({ name }) => name === 'anthropic.messages.tool_runner');
    const sums = { 'reasoning.run.calls': 3, 'reasoning.run.tool_calls': 2, 'reasoning.continuity': 'intact' };
    expect(runner?.attributes).toMatchObject(sums);
    expect(runs()).toHaveLength(1);
    expect(runs()[0]?.attributes).toMatchObject({ ...sums, 'reasoning.run.outcome': 'completed' });
    expect(runner?.parentSpanContext?.spanId).toBe(runs()[0]?.spanContext().spanId);
    expect(runner?.attributes['reasoning.run.id']).toBe(runs()[0]?.attributes['reasoning.run.id']);
  });

  test('an override of the expectation holds inside it, and in runs inside it', async () => {
    const { client, ended } = setUp();
    const ask = () =>
      client.messages.create({
        model: 'claude-opus-4-8',
        max_tokens: 100,
        thinking: { type: 'disabled' },
        messages: [{ role: 'user', content: 'Hi.' }],
      });
    await withRun({ expectReasoning: true }, () => withRun({}, ask));
    await withRun({}, ask);
    const calls = ended().filter(({ name }) => name.startsWith('chat'));
    expect(calls.map(({ attributes }) => attributes['reasoning.assertion'])).toEqual(['fail', 'skip']);
  });
});

describe('how a run ends', () => {
  const outcomeOf = (spans: ReturnType<typeof setUp>) => {
    const attributes = spans.runs()[0]?.attributes;
    return [attributes?.['reasoning.run.outcome'], attributes?.['error.type'], spans.runs()[0]?.status.code];
  };

  test('thrown, rejected, called off, or as the application says', async () => {
    const boom = new TypeError('MARKER');
    const abort = Object.assign(new Error('stop'), { name: 'AbortError' });
    const cases: ReadonlyArray<readonly [(run: Run) => unknown, unknown, readonly unknown[]]> = [
      [
        () => {
          throw boom;
        },
        boom,
        ['failed', 'TypeError', SpanStatusCode.ERROR],
      ],
      [() => Promise.reject(boom), boom, ['failed', 'TypeError', SpanStatusCode.ERROR]],
      [() => Promise.reject(abort), abort, ['abandoned', 'AbortError', SpanStatusCode.ERROR]],
      [async (run) => run.setOutcome('escalated'), undefined, ['escalated', undefined, SpanStatusCode.UNSET]],
      [() => 7, undefined, ['completed', undefined, SpanStatusCode.UNSET]],
      [(run) => run.setOutcome('Not a word, but prose'), undefined, ['completed', undefined, SpanStatusCode.UNSET]],
    ];
    for (const [fn, error, outcome] of cases) {
      const spans = setUp();
      const caught = await (async () => withRun({}, fn))().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(caught).toBe(error);
      expect(outcomeOf(spans)).toEqual(outcome);
      expect(JSON.stringify(spans.runs()[0]?.events)).not.toContain('MARKER');
    }
  });

  test('an error that cannot be asked its name is thrown all the same', async () => {
    const spans = setUp();
    const boom = Object.defineProperty(new Error('x'), 'constructor', { value: undefined });
    expect(() =>
      withRun({}, () => {
        throw boom;
      }),
    ).toThrow(boom);
    expect(outcomeOf(spans)).toEqual(['failed', undefined, SpanStatusCode.UNSET]);
  });

  test('a stream that outlasts the function belongs to the run', async () => {
    const { client, runs } = setUp();
    const stream = await withRun({}, () =>
      client.messages.create({ ...request, tools, stream: true, messages: [{ role: 'user', content: 'Go.' }] }),
    );
    expect(runs()).toEqual([]);
    for await (const _ of stream);
    expect(runs()[0]?.attributes).toMatchObject({ 'reasoning.run.calls': 1, 'reasoning.blocks.issued': 1 });
  });

  test('an async generator runs in the context of its run, to its end or until nobody asks any more', async () => {
    for (const outcome of ['completed', 'abandoned']) {
      const { client, runs } = setUp();
      async function* agent() {
        yield await loop(client, { task: outcome });
        yield trace.getActiveSpan();
      }
      const generator = withRun({}, agent);
      expect(Object.prototype.toString.call(generator)).toBe('[object AsyncGenerator]');
      const seen: unknown[] = [];
      for await (const part of generator) {
        seen.push(part);
        if (outcome === 'abandoned') break;
      }
      expect(seen[0]).toBe('Done.');
      const [run] = runs();
      expect(run?.attributes).toMatchObject({ 'reasoning.run.outcome': outcome, 'reasoning.run.calls': 3 });
      if (outcome === 'completed') expect((seen[1] as Span).spanContext()).toEqual(run?.spanContext());
    }
  });
});

describe('what the function returns', () => {
  test('a promise of the SDK is handed back itself, with all that it can do', async () => {
    const { client, runs } = setUp();
    const ask = () => client.messages.create({ ...request, tools, messages: [{ role: 'user', content: 'Go.' }] });
    let made: ReturnType<typeof ask> | undefined;
    const promise = withRun({}, () => {
      made = ask();
      return made;
    });
    expect(promise).toBe(made);
    const { data, response } = await promise.withResponse();
    expect([data.type, response.status]).toEqual(['message', 200]);
    await nextTurn();
    expect(runs()).toHaveLength(1);
    const awaited = withRun({}, ask);
    expect(Object.keys(awaited)).not.toContain('then');
    expect((await awaited).type).toBe('message');
    await nextTurn();
    expect(runs()).toHaveLength(2);
    expect(runs()[1]?.attributes).toMatchObject({ 'reasoning.run.calls': 1, 'reasoning.run.outcome': 'completed' });
  });

  test('where such a promise is had by other ways than then, its call tells how it ended', async () => {
    const { client, runs } = setUp();
    const refused = { ...request, max_tokens: -1, messages: [] };
    await withRun({}, () => client.messages.create(refused)).catch(() => undefined);
    await nextTurn();
    expect(runs()[0]?.attributes).toMatchObject({ 'reasoning.run.calls': 1, 'reasoning.run.outcome': 'failed' });
  });

  test.each([
    ['awaited', (runner: PromiseLike<unknown>) => runner],
    [
      'read step by step',
      async (runner: unknown) => {
        for await (const _ of runner as AsyncIterable<unknown>);
      },
    ],
  ])("the SDK's tool runner makes its calls in the run, %s", async (_, use) => {
    const { client, runs } = setUp();
    const lookUp: Any = {
      ...tools[0],
      description: 'Looks up.',
      run: async () => 'r',
      parse: (input: unknown) => input,
    };
    const body: Any = { ...request, thread: false, tools: [lookUp], messages: [{ role: 'user', content: 'Run.' }] };
    const runner = withRun({ name: 'runner' }, () => client.beta.messages.toolRunner(body));
    await use(runner as unknown as PromiseLike<unknown>);
    expect(processContext().run.getStore()).toBeUndefined();
    await nextTurn();
    expect(runs()[0]?.attributes).toMatchObject({ 'reasoning.run.calls': 3, 'reasoning.run.outcome': 'completed' });
  });

  test("what its caller does with the outcome of a promise of the SDK's is no part of the run", async () => {
    const { client } = setUp();
    const ask = () => client.messages.create({ ...request, tools, messages: [{ role: 'user', content: 'Go.' }] });
    const inside = await withRun({}, ask).then(() => processContext().run.getStore());
    expect(inside).toBeUndefined();
  });

  test('a rejection that nobody handles is still reported', async () => {
    setUp();
    const unhandled: unknown[] = [];
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (reason) => unhandled.push(reason));
    const boom = new Error('nobody cares');
    void withRun({}, () => Promise.reject(boom));
    const handled = withRun({}, () => Promise.reject(new Error('handled')));
    await expect(handled).rejects.toThrow('handled');
    await nextTurn();
    await nextTurn();
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
    expect(unhandled).toEqual([boom]);
  });

  test('switched off, the function is called and nothing else happens', async () => {
    const { client, ended } = setUp();
    processContext().settings.enabled = false;
    const own = { plain: 'value' };
    expect(withRun({}, () => own)).toBe(own);
    expect(await withRun({ name: 'x' }, async (run) => [run.id, run.summary().calls, await loop(client)])).toEqual([
      '',
      0,
      'Done.',
    ]);
    expect(ended()).toEqual([]);
  });

  test('options that are no options cost the span, not the work', async () => {
    setUp();
    expect(withRun(null as never, () => 'done')).toBe('done');
  });
});

describe('metrics of a run', () => {
  test('count it once, sampled or not, on the model of its first call', async () => {
    const { client, ended } = setUp({ sampler: new AlwaysOffSampler() });
    await withRun({ name: 'Travel agent' }, () => loop(client, { forgets: true }));
    await expect(
      withRun({ name: 'Travel agent' }, async () => {
        throw new RangeError('x');
      }),
    ).rejects.toThrow();
    expect(ended()).toEqual([]);
    const metrics = await meters.collect();
    const on = { 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': 'claude-sonnet-5-5' };
    const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'Travel agent' };
    expect(pointsOf(metrics, 'reasoning.runs', on)).toEqual(
      ['completed', 'failed', 'abandoned'].map((outcome) => ({
        attributes: { ...on, 'reasoning.run.outcome': outcome },
        value: Number(outcome === 'completed'),
      })),
    );
    expect(total(pointsOf(metrics, 'reasoning.runs', { 'reasoning.run.outcome': 'failed' }))).toBe(1);
    expect(pointsOf(metrics, 'gen_ai.invoke_agent.inference_calls', on)).toEqual([
      { attributes: { ...on, ...agent }, value: 3, count: 1 },
    ]);
    expect(pointsOf(metrics, 'gen_ai.invoke_agent.tool_calls', on)).toMatchObject([{ value: 2, count: 1 }]);
    expect(
      metrics.get('gen_ai.invoke_agent.duration')?.points.map(({ attributes }) => attributes['error.type']),
    ).toEqual([undefined, 'RangeError']);
  });

  test('carry the attributes that are declared for them, and so do those of its calls', async () => {
    const { client } = setUp();
    processContext().settings.metricAttributes = ['team', 'tier'];
    const attributes = {
      team: 'payments',
      tier: 3,
      user: 'u-1',
      'reasoning.continuity': 'x',
      'gen_ai.agent.name': 'x',
    };
    await withRun({ attributes }, () => withRun({ attributes: { tier: 4 } }, () => loop(client)));
    const metrics = await meters.collect();
    for (const name of [
      'reasoning.calls',
      'gen_ai.client.inference.usage.input_tokens',
      'gen_ai.invoke_agent.duration',
    ]) {
      const seen = metrics.get(name)?.points.map((point) => [point.attributes.team, point.attributes.tier]) ?? [];
      expect(new Set(seen.map(String)), name).toEqual(
        new Set(name === 'gen_ai.invoke_agent.duration' ? ['payments,4', 'payments,3'] : ['payments,4']),
      );
    }
    const all = JSON.stringify([...metrics.values()].map(({ points }) => points));
    expect(all).not.toContain('u-1');
  });
});

test('values of a declared attribute are bounded', async () => {
  const { settings } = processContext();
  Object.assign(settings, { meterProvider: meters.meterProvider, metricAttributes: ['tenant', 'list'] });
  for (let tenant = 0; tenant < 80; tenant++)
    withRun({ attributes: { tenant: `t${tenant}`, list: ['a'] } }, () => tenant);
  const points = (await meters.collect()).get('reasoning.runs')?.points ?? [];
  expect(points).toHaveLength(51);
  expect(points.find(({ attributes }) => attributes.tenant === '_OTHER')?.value).toBe(30);
  expect(points.some(({ attributes }) => 'list' in attributes)).toBe(false);
});

test('with no SDK at all everything works', async () => {
  const client = instrumentClient(
    new Anthropic({ baseURL: simulator.url, apiKey: 'key', maxRetries: 0, openTelemetry: false }),
    {},
  );
  const seen = await withRun({ name: 'x' }, async (run) => {
    await loop(client, { forgets: true });
    return run.summary();
  });
  expect(seen).toMatchObject({
    calls: 3,
    toolCalls: 2,
    repeatedToolCalls: 1,
    continuity: 'stripped',
    blocks: { issued: 3, expected: 2, returned: 0, dropped: 2 },
    drops: [{ reason: 'omitted_in_cycle', source: 'client', count: 2 }],
    rejections: 0,
  });
  expect(seen.findings.map(({ step, kind, path }) => [step, kind, path])).toEqual([
    [2, 'dropped', expect.stringContaining('messages.1')],
    [3, 'dropped', expect.stringContaining('messages.1')],
  ]);
  expect(seen.tokens.reasoning).toBe(700);
});
