import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { nowhere, type Receiver } from './support/otlp.ts';
import { startGrpcReceiver, startReceiver } from './support/receiver.ts';
import { appFile, DIST, run } from './support/run.ts';

let model: Simulator;
beforeAll(async () => {
  model = await startSimulator();
});
afterAll(() => model.close());

const environment = (url: string, env: Readonly<Record<string, string>> = {}) => ({
  MODEL_URL: model.url,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  ...env,
});

const endings = (receiver: Receiver, env: Readonly<Record<string, string>> = {}, end = 'nothing') =>
  run({ app: 'endings.mjs', args: [end], env: environment(receiver.url, env) });

const SPAN = 'anthropic.messages.create';

describe.each(['nothing', 'exit'])('protocols, at the end %s', (end) => {
  it.each([
    ['http/protobuf', 'application/x-protobuf'],
    ['', 'application/x-protobuf'],
    ['http/json', 'application/json'],
  ])('OTEL_EXPORTER_OTLP_PROTOCOL=%s, with headers', async (protocol, contentType) => {
    const receiver = await startReceiver();
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b', OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-key=c' };
    await endings(receiver, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, ...headers }, end);
    const seen = receiver.posts.map(({ path, contentType, headers }) => [path, contentType, headers['x-key']]);
    expect(seen.sort()).toEqual([
      ['/v1/metrics', contentType, 'c'],
      ['/v1/traces', contentType, 'a b'],
    ]);
    const traces = receiver.posts.find(({ path }) => path === '/v1/traces');
    expect(traces?.body.includes(SPAN)).toBe(true);
    expect(receiver.posts.find(({ path }) => path === '/v1/metrics')?.body.includes('reasoning.calls')).toBe(true);
  });

  it('grpc', async () => {
    const receiver = await startGrpcReceiver();
    await endings(receiver, { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, end);
    const found = (path: string, text: string) =>
      receiver.posts.filter((post) => post.path === path && post.body.includes(text)).length;
    expect(found('/opentelemetry.proto.collector.trace.v1.TraceService/Export', SPAN)).toBe(1);
    expect(found('/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'reasoning.calls')).toBe(1);
  });

  it('each signal goes where its own endpoint says', async () => {
    const [traces, metrics] = await Promise.all([startReceiver(), startReceiver()]);
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${traces.url}/in/traces`,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${metrics.url}/in/metrics`,
    };
    await endings(traces, env, end);
    expect(traces.posts.map(({ path }) => path)).toEqual(['/in/traces']);
    expect(metrics.posts.map(({ path }) => path)).toEqual(['/in/metrics']);
  });
});

describe('exporters', () => {
  it('none of one signal leaves the other', async () => {
    const receiver = await startReceiver();
    await endings(receiver, { OTEL_TRACES_EXPORTER: 'none' });
    await endings(receiver, { OTEL_TRACES_EXPORTER: 'none' }, 'exit');
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/v1/metrics', '/v1/metrics']);
    const other = await startReceiver();
    await endings(other, { OTEL_METRICS_EXPORTER: 'none' });
    expect(other.posts.map(({ path }) => path)).toEqual(['/v1/traces']);
  });

  it('none of both sends nothing, and says so', async () => {
    const receiver = await startReceiver();
    const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
    const { said } = await endings(receiver, none, 'exit');
    expect(said).toEqual([expect.stringContaining('nothing is sent')]);
    expect(receiver.posts).toEqual([]);
  });

  it('console writes to stdout, also beside otlp', async () => {
    const receiver = await startReceiver();
    const env = { OTEL_TRACES_EXPORTER: 'console,otlp', OTEL_METRICS_EXPORTER: 'console' };
    const { stdout } = await endings(receiver, env);
    expect(stdout).toContain(SPAN);
    expect(stdout).toContain('reasoning.calls');
    expect(receiver.posts.map(({ path }) => path)).toEqual(['/v1/traces']);
  });

  it('an unknown one is named', async () => {
    const receiver = await startReceiver();
    const { said, stdout } = await endings(receiver, { OTEL_TRACES_EXPORTER: 'jaeger', OTEL_LOG_LEVEL: 'error' });
    expect({ said, stdout }).toEqual({ said: [], stdout: 'end_turn\n' });
    const loud = await endings(receiver, { OTEL_TRACES_EXPORTER: 'jaeger' });
    expect(loud.said[0]).toBe('OTEL_TRACES_EXPORTER names jaeger: expected console, zipkin, otlp or none');
  });

  it.each([
    [{}, []],
    [{ OTEL_LOGS_EXPORTER: 'otlp' }, ['/v1/logs']],
  ])('logs, with %o', async (logs: Record<string, string>, paths) => {
    const receiver = await startReceiver();
    const ended = await run({ app: 'logs.mjs', env: environment(receiver.url, logs) });
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(receiver.posts.map(({ path }) => path)).toEqual(paths);
  });

  it('the application goes on at beforeExit: each call is sent, once', async () => {
    const receiver = await startReceiver();
    const { code } = await run({ app: 'work-again.mjs', env: environment(receiver.url) });
    expect(code).toBe(0);
    expect(receiver.spans().map(({ name }) => name)).toEqual([SPAN, SPAN, SPAN]);
    expect(receiver.metrics().get('reasoning.calls')).toBe(3);
    expect(new Set(receiver.spans().map(({ spanId }) => spanId)).size).toBe(3);
  });

  it('delta temporality: nothing is counted twice', async () => {
    const receiver = await startReceiver();
    const env = environment(receiver.url, { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta' });
    await run({ app: 'work-again.mjs', env });
    const counts = receiver.collections().map((metrics) => metrics.get('reasoning.calls') ?? 0);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  });
});

it('OTEL_CONFIG_FILE: what the file says is done', async () => {
  const receiver = await startReceiver();
  const env = { OTEL_CONFIG_FILE: appFile('otel.yaml'), RECEIVER: receiver.url };
  const { code, stdout, said } = await endings(receiver, env);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'end_turn\n' });
  expect(said).toEqual([expect.stringContaining(`as ${appFile('otel.yaml')} says`)]);
  expect(receiver.spans()).toMatchObject([{ name: SPAN, service: 'from-file' }]);
  expect(receiver.metrics().get('reasoning.calls')).toBe(1);
});

describe('nobody listens', () => {
  it.each([
    ['nothing', undefined],
    ['exit', undefined],
    ['throw', undefined],
    ['signal', 'SIGTERM'],
    ['soon', undefined],
  ] as const)('%s: the application is unharmed, and is told once', async (end, signal) => {
    const url = await nowhere();
    // Exports are due all the time, not only at the end.
    const env = environment(url, { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '50' });
    const options = { app: 'endings.mjs', args: [end], env, ...(signal && { signal }) };
    const [bare, ended] = await Promise.all([run({ ...options, preload: 'none' }), run(options)]);
    expect(ended).toMatchObject({
      code: bare.code,
      signal: bare.signal,
      stdout: bare.stdout,
      stderr: bare.stderr,
    });
    expect(ended.said).toEqual([
      expect.stringMatching(/^started OpenTelemetry/),
      expect.stringMatching(new RegExp(`^nothing listens at ${url}, .*npx reasoning-otel watch`)),
    ]);
  });

  it.each(['nothing', 'exit', 'soon'])('%s: a collector that refuses is named once', async (end) => {
    const receiver = await startReceiver({ status: 404 });
    const env = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '50' };
    const { code, stderr, said } = await endings(receiver, env, end);
    expect({ code, stderr }).toEqual({ code: end === 'exit' ? 3 : 0, stderr: '' });
    expect(said.slice(1)).toEqual([expect.stringMatching(new RegExp(`^${receiver.url} did not take the telemetry`))]);
  });
});

describe('switches', () => {
  it.each([
    ['REASONING_OTEL_DISABLED', 'true'],
    ['REASONING_OTEL_DISABLED', '1'],
    ['OTEL_SDK_DISABLED', 'true'],
  ])('%s=%s: nothing is hooked, started or said', async (variable, value) => {
    const receiver = await startReceiver();
    const ended = await endings(receiver, { [variable]: value }, 'exit');
    expect(ended).toMatchObject({ code: 3, stdout: 'end_turn\n', stderr: '', said: [] });
    expect(receiver.posts).toEqual([]);
  });

  it('REASONING_OTEL_EXIT_FLUSH=false: no child, whatever is unsent', async () => {
    const receiver = await startReceiver();
    await endings(receiver, { REASONING_OTEL_EXIT_FLUSH: 'false' }, 'exit');
    expect(receiver.posts).toEqual([]);
    await endings(receiver, { REASONING_OTEL_EXIT_FLUSH: 'false' });
    expect(receiver.spans()).toHaveLength(1);
  });

  it('head sampling leaves out spans, and counts all the same', async () => {
    const receiver = await startReceiver();
    for (const end of ['nothing', 'exit']) {
      await endings(receiver, { OTEL_TRACES_SAMPLER: 'always_off' }, end);
      expect(receiver.metrics().get('reasoning.calls')).toBe(1);
    }
    expect(receiver.spans()).toEqual([]);
    expect(receiver.posts).toHaveLength(2);
  });

  it('a value that cannot be used is named, and the default used', async () => {
    const receiver = await startReceiver();
    const { code, said } = await endings(receiver, {
      REASONING_OTEL_SDK: 'maybe',
      REASONING_OTEL_MODELS: 'absent.json',
    });
    expect(code).toBe(0);
    expect(said).toEqual([
      'REASONING_OTEL_MODELS: absent.json: no such file; going on without it',
      'REASONING_OTEL_SDK is "maybe": expected auto or off; using the default (auto)',
      expect.stringMatching(/^started OpenTelemetry/),
    ]);
    expect(receiver.spans()).toHaveLength(1);
  });

  it.each([
    ['{}', {}, 2],
    ['{}', { REASONING_OTEL_DISABLED: 'true' }, 0],
    ['{"disabled":false}', { REASONING_OTEL_DISABLED: 'true' }, 2],
    ['{"disabled":true}', {}, 0],
  ])('in code: options %s, environment %o, disable() and enable()', async (options, env, spans) => {
    const own = await startReceiver();
    const { code, stderr } = await run({
      app: 'use-instrumentation.mjs',
      preload: 'none',
      env: { MODEL_URL: model.url, OWN_URL: own.url, PACKAGE: `${DIST}/index.js`, OPTIONS: options, ...env },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(own.spans().filter(({ scope }) => scope === 'reasoning-otel')).toHaveLength(spans);
    expect(own.metrics().get('reasoning.calls') ?? 0).toBe(spans);
  });
});
