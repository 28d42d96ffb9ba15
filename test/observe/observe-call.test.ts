import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { context, DiagLogLevel, diag, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler, type Sampler } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ProcessContext, processContext, type RunTally } from '../../src/context.ts';
import type { CallEnd } from '../../src/dialects/dialect.ts';
import { createObserveCall } from '../../src/observe/create-observe-call.ts';
import { guardFailures } from '../../src/observe/guard.ts';
import type { CallObserver, SeenCall } from '../../src/observe/seen-call.ts';
import { findingOf, judgementOf, lostOne } from '../emit/judgements.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';
import { type Script, scriptedDialect } from './scripted-dialect.ts';

const SEEN: SeenCall = {
  api: 'anthropic.messages',
  body: { model: 'claude-opus-4-5-20251101', messages: [] },
  baseURL: 'https://api.anthropic.com',
  stream: false,
  sdk: { name: '@anthropic-ai/sdk', version: '1.14.0' },
  manual: false,
};

beforeAll(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterAll(() => context.disable());

let meters: ReturnType<typeof meterHarness>;
beforeEach(() => {
  meters = meterHarness();
});
afterEach(() => meters.meterProvider.shutdown());

/** A process of its own for each test: own ledger, own spans taken, own providers. */
function setUp(script: Script = {}, sampler?: Sampler) {
  const spans = tracerHarness(sampler);
  const { dialect, heard } = scriptedDialect(script);
  const shared: ProcessContext = {
    ...processContext(),
    callSpans: new WeakSet(),
    settings: { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider },
  };
  const observeCall = createObserveCall({
    dialects: { 'anthropic.messages': dialect },
    createLedger: () => ({ size: 0 }) as never,
    processContext: () => shared,
  });
  const observe = (parts: Partial<SeenCall> = {}): CallObserver => {
    const observer = observeCall({ ...SEEN, ...parts });
    if (observer === undefined) throw new Error('the call is not observed');
    return observer;
  };
  return { ...spans, shared, heard, observeCall, observe };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a call that nobody else has a span for', () => {
  test('gets one of ours, active during the hand-over, with request, judgement and outcome on it', async () => {
    const { observe, ended, heard } = setUp({
      request: lostOne(),
      answered: { ...lostOne(), present: true, assertion: 'pass' },
      answeredFacts: { responseId: 'msg_1', finishReasons: ['end_turn'], usage: { input: 10, output: 5 } },
    });
    const call = observe();
    let active: Span | undefined;
    const result = call.run(() => {
      active = trace.getActiveSpan();
      return 'handed on';
    });
    expect(result).toBe('handed on');
    call.headers(200, () => null);
    call.response({ id: 'msg_1' });
    call.end('completed');
    const [span] = ended();
    expect(span?.spanContext()).toEqual(active?.spanContext());
    expect(span).toMatchObject({
      name: 'chat claude-opus-4-5-20251101',
      attributes: {
        'gen_ai.response.id': 'msg_1',
        'gen_ai.usage.output_tokens': 5,
        'server.address': 'api.anthropic.com',
        'reasoning.continuity': 'partial',
        'reasoning.present': true,
        'reasoning.assertion': 'pass',
      },
    });
    expect(heard).toMatchObject({ responses: [{ id: 'msg_1' }], ends: ['completed'] });
    // What the ledger will remember as the producer of the blocks is this very span.
    expect(heard.producers[0]).toMatchObject({
      spanId: span?.spanContext().spanId,
      traceId: span?.spanContext().traceId,
    });
    expect(total(pointsOf(await meters.collect(), 'reasoning.calls', { 'reasoning.continuity': 'partial' }))).toBe(1);
  });

  test.each<[CallEnd, CallEnd]>([
    ['completed', 'aborted'],
    ['aborted', 'completed'],
    ['failed', 'unread'],
  ])('ends once: %s, then %s', async (first, second) => {
    const { observe, ended, heard } = setUp();
    const call = observe();
    call.end(first);
    call.end(second);
    call.event({});
    call.response({});
    call.error({ status: 500 }, new Error('late'));
    call.headers(200, () => null);
    expect(ended()).toHaveLength(1);
    expect(heard).toMatchObject({ ends: [first], events: [], responses: [], errors: [] });
    expect(total(pointsOf(await meters.collect(), 'reasoning.calls'))).toBe(1);
  });

  test('a failure: type of the provider, status of the span, nothing of the message', async () => {
    const { observe, ended, heard } = setUp({ answered: judgementOf({ rejection: 'prefix_mismatch' }) });
    const call = observe();
    call.error({ status: 400, type: 'invalid_request_error', message: 'MARKER' }, new Error('MARKER'));
    call.end('failed');
    expect(ended()[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: {
        'error.type': 'invalid_request_error',
        'reasoning.rejected': true,
        'reasoning.rejection': 'prefix_mismatch',
      },
    });
    expect(JSON.stringify([ended()[0]?.attributes, ended()[0]?.status, ended()[0]?.events])).not.toContain('MARKER');
    expect(heard.errors).toMatchObject([{ status: 400, message: 'MARKER' }]);
    const counted = await meters.collect();
    expect(total(pointsOf(counted, 'reasoning.rejections', { 'reasoning.rejection': 'prefix_mismatch' }))).toBe(1);
    expect(
      pointsOf(counted, 'gen_ai.client.inference.duration', { 'error.type': 'invalid_request_error' }),
    ).toHaveLength(1);
  });

  test('a call that the application gave up is no error; a stream that had begun lacks its end', () => {
    const { observe, ended } = setUp({ facts: { stream: true } });
    const call = observe({ stream: true });
    call.event({ type: 'content_block_delta' });
    call.end('aborted');
    const [span] = ended();
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).not.toHaveProperty(['error.type']);
    expect(span?.attributes).toMatchObject({ 'gen_ai.response.finish_reasons': ['error'] });
  });

  test('a stream: each event is handed on, chunks are timed by what the dialect calls one', async () => {
    const { observe, ended, heard } = setUp({
      facts: { stream: true },
      isChunk: (event) => event !== 'envelope',
    });
    const call = observe({ stream: true });
    for (const event of ['envelope', 'one', 'two', 'three', 'envelope']) call.event(event);
    call.end('completed');
    expect(heard.events).toHaveLength(5);
    expect(ended()[0]?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThanOrEqual(0);
    const counted = await meters.collect();
    expect(pointsOf(counted, 'gen_ai.client.inference.time_to_first_chunk')).toMatchObject([{ count: 1 }]);
    expect(pointsOf(counted, 'gen_ai.client.inference.time_per_output_chunk')).toMatchObject([{ count: 2 }]);
  });

  test('a stream that nobody read lasts until something last came, not until it was found', async () => {
    const { observe, ended } = setUp({ facts: { stream: true } });
    const call = observe({ stream: true });
    call.headers(200, () => null);
    await new Promise((resolve) => setTimeout(resolve, 60));
    call.end('unread');
    const [seconds = 1, nanos = 0] = ended()[0]?.duration ?? [];
    expect(seconds * 1e3 + nanos / 1e6).toBeLessThan(50);
  });

  test('head sampling: what is not sampled writes nothing and counts all the same', async () => {
    const { observe, ended, heard } = setUp({ request: lostOne() }, new AlwaysOffSampler());
    const call = observe();
    expect(call.run(() => trace.getActiveSpan()?.isRecording())).toBe(false);
    call.end('completed');
    expect(ended()).toEqual([]);
    expect(heard.ends).toEqual(['completed']);
    expect(total(pointsOf(await meters.collect(), 'reasoning.blocks.dropped'))).toBe(1);
  });

  test('without any tracing or metrics SDK the application is not concerned', () => {
    const { observe, shared, heard } = setUp({ request: lostOne() });
    delete shared.settings.tracerProvider;
    delete shared.settings.meterProvider;
    const call = observe();
    expect(call.run(() => 1)).toBe(1);
    call.end('completed');
    expect(heard.ends).toEqual(['completed']);
    expect(heard.producers[0]).toMatchObject({ spanId: '0000000000000000' });
  });
});

describe('a call that the SDK has a span for', () => {
  const native = (harness: ReturnType<typeof setUp>) =>
    harness.tracer.startSpan('anthropic.messages.create', {
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
    });

  test('has that one and no other', async () => {
    const harness = setUp({ request: lostOne(), answered: { ...lostOne(), present: true } });
    const span = native(harness);
    const call = harness.observe({ nativeSpan: span });
    expect(call.run(() => trace.getActiveSpan())).toBeUndefined();
    expect((span as unknown as { attributes: object }).attributes).toMatchObject({ 'reasoning.blocks.dropped': 1 });
    call.response({});
    call.end('completed');
    span.end();
    expect(harness.ended()).toHaveLength(1);
    expect(harness.ended()[0]).toMatchObject({
      name: 'anthropic.messages.create',
      attributes: { 'gen_ai.request.model': 'm', 'reasoning.present': true },
    });
    expect(harness.ended()[0]?.attributes).not.toHaveProperty(['gen_ai.provider.name']);
    expect(harness.ended()[0]?.events).toHaveLength(1);
    expect(harness.heard.producers[0]).toMatchObject({ spanId: span.spanContext().spanId });
    // The usage that the SDK writes is also in our metrics: it has none.
    expect(pointsOf(await meters.collect(), 'gen_ai.client.inference.duration')).toHaveLength(1);
    expect(
      pointsOf(await meters.collect(), 'reasoning.instrumentation.info', {
        'reasoning.instrumentation.span': 'native',
      }),
    ).toHaveLength(1);
  });

  test('a refusal stands on it, though the SDK ends it before the rejection reaches us', async () => {
    const harness = setUp({ request: lostOne(), answered: { ...lostOne(), rejection: 'prefix_mismatch' } });
    const span = native(harness);
    const ownNames = Object.getOwnPropertyNames(span);
    const call = harness.observe({ nativeSpan: span });
    // As in the SDK: the span is ended where the error is thrown, our handler runs a microtask later.
    const rejected = Promise.reject(new Error('400')).catch((error: unknown) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      throw error;
    });
    await expect(
      rejected.then(undefined, (error: unknown) => {
        call.error({ status: 400, type: 'invalid_request_error' }, error);
        call.end('failed');
        throw error;
      }),
    ).rejects.toThrow('400');
    // Before the application gets to know: nothing waits for a later turn.
    expect(harness.ended()).toHaveLength(1);
    expect(harness.ended()[0]).toMatchObject({
      attributes: {
        'reasoning.rejected': true,
        'reasoning.rejection': 'prefix_mismatch',
        'reasoning.blocks.dropped': 1,
      },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(harness.ended()[0]?.events).toHaveLength(1);
    expect(Object.getOwnPropertyNames(span)).toEqual(ownNames);
    await nextTurn();
    expect(harness.ended()).toHaveLength(1);
  });

  test('ends, with what the request tells, even where nothing of ours ever runs again', async () => {
    const harness = setUp({ request: lostOne() });
    const span = native(harness);
    const call = harness.observe({ nativeSpan: span });
    span.end();
    await nextTurn();
    expect(harness.ended()[0]).toMatchObject({ attributes: { 'reasoning.blocks.dropped': 1 } });
    expect(harness.ended()[0]?.events).toHaveLength(1);
    // Late: nothing is set on an ended span, everything is still counted.
    const warnings: unknown[] = [];
    diag.setLogger(
      {
        verbose: () => {},
        debug: () => {},
        info: () => {},
        warn: (...args) => warnings.push(args),
        error: (...args) => warnings.push(args),
      },
      DiagLogLevel.WARN,
    );
    call.end('unread');
    diag.disable();
    expect(warnings).toEqual([]);
    expect(harness.ended()).toHaveLength(1);
    expect(total(pointsOf(await meters.collect(), 'reasoning.calls'))).toBe(1);
  });

  test('not sampled, it is not replaced by one of ours, and the call counts', async () => {
    // Of another name than theirs, every span would be kept.
    const sampler: Sampler = {
      shouldSample: (_context, _traceId, name) => ({ decision: name === 'anthropic.messages.create' ? 0 : 2 }),
      toString: () => 'all but theirs',
    };
    const harness = setUp({ request: lostOne() }, sampler);
    const span = native(harness);
    harness.observe({ nativeSpan: span }).end('completed');
    expect(harness.ended()).toEqual([]);
    expect(harness.heard.producers[0]).toMatchObject({ spanId: span.spanContext().spanId, traceFlags: 0 });
    expect(total(pointsOf(await meters.collect(), 'reasoning.blocks.dropped'))).toBe(1);
  });
});

describe('a call that another instrumentation has a span for', () => {
  test.each([
    ['GenAI conventions', { 'gen_ai.operation.name': 'chat' }],
    ['OpenInference', { 'openinference.span.kind': 'LLM' }],
    ['OpenLLMetry', { 'llm.request.type': 'chat' }],
  ])('%s: has the active one and no other', (_who, attributes) => {
    const harness = setUp({ request: lostOne() });
    const theirs = harness.tracer.startSpan('theirs', { attributes });
    context.with(trace.setSpan(ROOT_CONTEXT, theirs), () => {
      const call = harness.observe();
      call.end('completed');
    });
    theirs.end();
    expect(harness.ended().map(({ name }) => name)).toEqual(['theirs']);
    expect(harness.ended()[0]?.attributes).toMatchObject({ 'reasoning.blocks.dropped': 1 });
    expect(harness.ended()[0]?.attributes).not.toHaveProperty(['gen_ai.response.id']);
  });

  test.each([
    ['of an agent', { 'gen_ai.operation.name': 'invoke_agent' }],
    ['of the application', {}],
    ['of an OpenInference chain', { 'openinference.span.kind': 'CHAIN' }],
  ])('an active span %s is the parent of ours', (_what, attributes) => {
    const harness = setUp();
    const parent = harness.tracer.startSpan('parent', { attributes });
    context.with(trace.setSpan(ROOT_CONTEXT, parent), () => harness.observe().end('completed'));
    parent.end();
    expect(harness.ended().map(({ name }) => name)).toEqual(['chat claude-opus-4-5-20251101', 'parent']);
    expect(harness.ended()[0]?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(harness.ended()[1]?.attributes).not.toHaveProperty(['reasoning.continuity']);
  });

  test('a call made inside a call has a span of its own', () => {
    const harness = setUp();
    const outer = harness.observe();
    outer.run(() => {
      const inner = harness.observe();
      inner.run(() => harness.observe().end('completed'));
      inner.end('completed');
    });
    outer.end('completed');
    const spans = harness.ended();
    expect(spans).toHaveLength(3);
    expect(new Set(spans.map((span) => span.spanContext().spanId)).size).toBe(3);
    expect(spans[0]?.parentSpanContext?.spanId).toBe(spans[1]?.spanContext().spanId);
    expect(spans[1]?.parentSpanContext?.spanId).toBe(spans[2]?.spanContext().spanId);
  });
});

describe('a run', () => {
  test('is told of each of its calls, and they of it', () => {
    const harness = setUp({ request: lostOne() });
    const told: string[] = [];
    const tally: RunTally = {
      begun: () => told.push('begun'),
      ended: (call) => told.push(`${call?.api} ${call?.judgement.continuity}`),
    };
    const run = { tally, runId: 'r-1', expectReasoning: true, experimentArm: 'stripped', conversationId: 'c-7' };
    harness.shared.run.run({ ...run, strips: true }, () => harness.observe().end('completed'));
    expect(harness.heard.requests.pop()).toMatchObject({ experimentArm: 'stripped' });
    told.length = 0;
    harness.shared.run.run(run, () => {
      const first = harness.observe();
      harness.observe().end('completed');
      first.end('failed');
      first.end('completed');
    });
    harness.observe().end('completed');
    expect(told).toEqual(['begun', 'begun', 'anthropic.messages partial', 'anthropic.messages partial']);
    expect(harness.heard.requests[0]).toMatchObject({ runId: 'r-1', expectReasoning: true });
    // What is missing in an arm that strips nothing is no planned loss.
    expect(harness.heard.requests[0]).not.toHaveProperty(['experimentArm']);
    expect(harness.ended()[1]?.attributes).toMatchObject({
      'reasoning.experiment.arm': 'stripped',
      'gen_ai.conversation.id': 'c-7',
    });
    expect(harness.ended()[3]?.attributes).not.toHaveProperty(['gen_ai.conversation.id']);
  });

  test("the SDK's own tool runner is one; an agent span of anybody else is left alone", () => {
    const harness = setUp({ request: lostOne() });
    const agent = { attributes: { 'gen_ai.operation.name': 'invoke_agent' } };
    const runner = harness.tracerProvider
      .getTracer('com.anthropic.sdk.typescript')
      .startSpan('anthropic.messages.tool_runner', agent);
    const bedrock = harness.tracerProvider
      .getTracer('com.anthropic.sdk.typescript.bedrock')
      .startSpan('bedrock runner', agent);
    const theirs = harness.tracer.startSpan('their agent', agent);
    for (const span of [runner, bedrock, theirs]) {
      context.with(trace.setSpan(ROOT_CONTEXT, span), () => harness.observe().end('completed'));
      span.end();
    }
    const rolledUp = harness
      .ended()
      .filter(({ name, attributes }) => !name.startsWith('chat') && 'reasoning.continuity' in attributes);
    expect(rolledUp.map(({ name }) => name)).toEqual(['anthropic.messages.tool_runner', 'bedrock runner']);
  });
});

describe('what the dialect is told', () => {
  test.each([
    ['https://api.anthropic.com', undefined],
    ['https://api.anthropic.com/', undefined],
    ['https://gateway.example.com/anthropic?key=secret', 'gateway.example.com'],
    ['http://user:secret@127.0.0.1:4010', '127.0.0.1:4010'],
    ['not a url', undefined],
    [undefined, undefined],
  ])('endpoint of %s', (baseURL, endpoint) => {
    const { observe, heard } = setUp();
    const { baseURL: _, ...seen } = SEEN;
    observe({ ...seen, baseURL: baseURL as string });
    expect(heard.requests[0]?.endpoint).toBe(endpoint);
  });

  test('the account as a keyed digest, equal for equal credentials of one process, never the credential', () => {
    const { observe, heard, shared } = setUp();
    observe({ credential: () => 'sk-ant-secret' });
    observe({ credential: () => 'sk-ant-secret' });
    observe({ credential: () => 'sk-ant-other' });
    shared.accountKey = 'another process';
    observe({ credential: () => 'sk-ant-secret' });
    observe({ credential: () => undefined });
    observe({
      credential: () => {
        throw new Error('no key');
      },
    });
    const accounts = heard.requests.map(({ account }) => account);
    expect(accounts[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(accounts[1]).toBe(accounts[0]);
    expect(new Set(accounts.slice(1, 4)).size).toBe(3);
    expect(accounts.slice(4)).toEqual([undefined, undefined]);
    expect(JSON.stringify(heard.requests)).not.toContain('sk-ant');
  });
});

test('where an account has a name, a bare key stands for no account', () => {
  const { observe, heard } = setUp();
  observe({ credential: () => 'sk-one', organization: () => 'org-secret' });
  observe({ credential: () => 'sk-two', organization: () => 'org-secret' });
  observe({ credential: () => 'sk-one', organization: () => undefined });
  const [one, two, bare] = heard.requests;
  expect(one?.account).toBe(two?.account);
  expect(one?.key).not.toBe(two?.key);
  expect([bare?.account, bare?.key]).toEqual([undefined, one?.key]);
  expect(JSON.stringify(heard.requests)).not.toMatch(/sk-|org-/);
});

describe('nothing reaches the application', () => {
  const METHODS = ['open', 'facts', 'judgement', 'event', 'response', 'error', 'close'];

  test.each(METHODS)('%s of a dialect throws', async (method) => {
    const { observeCall, ended } = setUp({ fails: [method] });
    const said: string[] = [];
    const say = (...args: unknown[]) => void said.push(args.join(' '));
    diag.setLogger({ verbose: say, debug: say, info: say, warn: say, error: say }, DiagLogLevel.ALL);
    const failures = () => [...guardFailures().values()].reduce((sum, count) => sum + count, 0);
    const before = failures();
    const call = observeCall(SEEN);
    call?.run(() => 'value');
    expect(call?.event({})).toBeUndefined();
    expect(call?.response({})).toBeUndefined();
    expect(call?.error({ status: 400 }, new Error('x'))).toBeUndefined();
    expect(call?.end('failed')).toBeUndefined();
    diag.disable();
    expect(failures()).toBeGreaterThan(before);
    // Without its facts no span can be started; in every other case it is ended.
    expect(ended()).toHaveLength(method === 'open' || method === 'facts' || method === 'judgement' ? 0 : 1);
    expect(said.join('\n')).not.toContain('MARKER');
  });

  test('all of them throw', () => {
    const { observeCall } = setUp({ fails: METHODS.filter((method) => method !== 'open') });
    const call = observeCall(SEEN);
    expect(call?.run(() => 'value')).toBe('value');
    expect(call?.end('completed')).toBeUndefined();
  });

  test('what the hand-over throws is thrown once and unchanged, and runs once', () => {
    const { observe } = setUp();
    const mine = new Error('of the application');
    let runs = 0;
    expect(() =>
      observe().run(() => {
        runs += 1;
        throw mine;
      }),
    ).toThrow(mine);
    expect(runs).toBe(1);
  });

  test('a broken context manager costs the active span and nothing else', () => {
    const { observe } = setUp();
    const call = observe();
    const manager = new AsyncLocalStorageContextManager();
    context.disable();
    context.setGlobalContextManager(
      Object.assign(manager, {
        with: () => {
          throw new Error('broken');
        },
      }),
    );
    try {
      expect(call.run(() => 'value')).toBe('value');
    } finally {
      context.disable();
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    }
  });

  test('a broken tracer costs the span; the call still counts', async () => {
    const { observe, shared, heard } = setUp({ request: lostOne() });
    shared.settings.tracerProvider = {
      getTracer: () => {
        throw new Error('broken');
      },
    };
    const call = observe();
    expect(call.run(() => 'value')).toBe('value');
    call.end('completed');
    expect(heard.ends).toEqual(['completed']);
    expect(total(pointsOf(await meters.collect(), 'reasoning.blocks.dropped'))).toBe(1);
  });
});

describe('not observed', () => {
  afterEach(() => {
    delete process.env.REASONING_OTEL_DISABLED;
    delete process.env.OTEL_SDK_DISABLED;
  });

  test.each([
    ['REASONING_OTEL_DISABLED', 'true', undefined, false],
    ['REASONING_OTEL_DISABLED', ' TRUE ', undefined, false],
    ['REASONING_OTEL_DISABLED', 'on', undefined, false],
    ['OTEL_SDK_DISABLED', '1', undefined, true],
    ['OTEL_SDK_DISABLED', 'true', undefined, false],
    ['OTEL_SDK_DISABLED', 'false', undefined, true],
    ['REASONING_OTEL_DISABLED', 'true', true, true],
    ['REASONING_OTEL_DISABLED', 'false', false, false],
  ])('%s=%s, enabled: %s', (name, value, enabled, observed) => {
    const { observeCall, shared, heard } = setUp();
    process.env[name] = value;
    if (enabled !== undefined) shared.settings.enabled = enabled;
    expect(observeCall(SEEN) !== undefined).toBe(observed);
    expect(heard.requests).toHaveLength(observed ? 1 : 0);
  });

  test('an API without a dialect, and a body that is not of its shape', () => {
    const { observeCall, ended } = setUp();
    expect(observeCall({ ...SEEN, api: 'openai.chat' })).toBeUndefined();
    expect(observeCall({ ...SEEN, body: 'text' })).toBeUndefined();
    expect(ended()).toEqual([]);
  });
});

test('a judgement with findings and notes is written with one event for each', () => {
  const findings = [findingOf(), findingOf({ kind: 'trimmed', severity: 'note' })];
  const { observe, ended } = setUp({ request: judgementOf({ findings }) });
  observe().end('completed');
  expect(ended()[0]?.events.map(({ attributes }) => attributes?.['reasoning.finding.kind'])).toEqual([
    'dropped',
    'trimmed',
  ]);
});

test('what names the account is asked at once and let go, though the request stays in the hands of its dialect', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const { observe, heard } = setUp();
  const open = () => {
    const client = { organization: 'org-1' };
    observe({ credential: () => 'sk-one', organization: () => client.organization });
    return new WeakRef(client);
  };
  const client = open();
  await nextTurn();
  collect();
  expect(client.deref()).toBeUndefined();
  expect(heard.requests[0]?.account).toMatch(/^[0-9a-f]{16}$/);
});
