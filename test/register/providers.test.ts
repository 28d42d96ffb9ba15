import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import type { Receiver } from './support/otlp.ts';
import { startReceiver } from './support/receiver.ts';
import { appFile, run } from './support/run.ts';

let model: Simulator;
beforeAll(async () => {
  model = await startSimulator();
});
afterAll(() => model.close());

/** The application's own receiver, and the one that the standard variables name. */
async function receivers() {
  const [own, standard] = await Promise.all([startReceiver(), startReceiver()]);
  const env = {
    MODEL_URL: model.url,
    OWN_URL: own.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: standard.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  return { own, standard, env };
}

const names = (receiver: Receiver) => receiver.spans().map(({ name }) => name);
const judged = (receiver: Receiver) =>
  receiver.spans().filter(({ attributes }) => attributes['reasoning.assertion'] !== undefined);

describe('an application with an OpenTelemetry SDK of its own', () => {
  it('started first: it is joined, nothing is started, nothing is said', async () => {
    const { own, standard, env } = await receivers();
    const ended = await run({
      app: 'endings.mjs',
      env: { ...env, OWN_START: '1' },
      flags: { first: ['--import', appFile('own-sdk.mjs')] },
    });
    expect(ended).toMatchObject({ code: 0, said: [], stderr: '' });
    expect(judged(own)).toHaveLength(1);
    expect(own.metrics().get('reasoning.calls')).toBe(1);
    expect(standard.posts).toEqual([]);
  });

  it.each(['node24', 'node20'] as const)('started later, on %s: it takes over, without noise', async (node) => {
    const { own, standard, env } = await receivers();
    const ended = await run({ app: 'late-sdk.mjs', node, env });
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(ended.said).toEqual([
      expect.stringMatching(/^started OpenTelemetry/),
      expect.stringMatching(/takes over .* REASONING_OTEL_SDK=off/),
    ]);
    const [work] = own.spans().filter(({ name }) => name === 'work');
    const [call] = judged(own);
    expect(names(own).sort()).toEqual([call?.name, 'work'].sort());
    expect(call).toMatchObject({ service: 'own', traceId: work?.traceId, parentSpanId: work?.spanId });
    expect(own.metrics().get('reasoning.calls')).toBe(1);
    // What there was before they took over went where it belonged.
    expect(names(standard)).toEqual(['before']);
    expect(standard.metrics().has('reasoning.calls')).toBe(false);
  });

  it.each([['OWN_DIAG'], ['OTEL_LOG_LEVEL']])(
    'started later, with a diag logger by %s: the API has nothing to complain of',
    async (variable) => {
      const { own, env } = await receivers();
      const ended = await run({ app: 'late-sdk.mjs', env: { ...env, [variable]: 'warn' } });
      expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(judged(own)).toHaveLength(1);
    },
  );

  it('started later, with REASONING_OTEL_SDK=off: none is started before', async () => {
    const { own, standard, env } = await receivers();
    const ended = await run({ app: 'late-sdk.mjs', env: { ...env, REASONING_OTEL_SDK: 'off' } });
    expect(ended).toMatchObject({ code: 0, said: [], stderr: '' });
    expect(judged(own)).toHaveLength(1);
    expect(own.metrics().get('reasoning.calls')).toBe(1);
    expect(standard.posts).toEqual([]);
  });
});

describe('loader hooks of the application', () => {
  it.each([
    ['node24', 'first'],
    ['node24', 'last'],
    ['node20', 'first'],
    ['node20', 'last'],
  ] as const)('on %s, loaded %s: both see what is theirs', async (node, order) => {
    const { standard, env } = await receivers();
    const other = ['--import', appFile('other-hook.mjs')];
    const ended = await run({ app: 'hooked.mjs', node, env, flags: { [order]: other } });
    expect(ended).toMatchObject({ code: 0, stdout: 'end_turn\nother hook true\n', stderr: '' });
    expect(judged(standard)).toHaveLength(1);
    expect(standard.metrics().get('reasoning.calls')).toBe(1);
  });
});

it('an SDK that was loaded too early is named, with the mend', async () => {
  const { standard, env } = await receivers();
  const ended = await run({ app: 'endings.mjs', env, flags: { first: ['--import', appFile('early.mjs')] } });
  expect(ended).toMatchObject({ code: 0, stdout: 'end_turn\n', stderr: '' });
  expect(ended.said).toHaveLength(2);
  expect(ended.said[1]).toMatch(/loaded before .* node --import reasoning-otel\/register app\.js/);
  expect(judged(standard)).toEqual([]);
});

describe('worker threads', () => {
  it.each(['nothing', 'exit', 'throw'])('%s: the thread ends as without, and loses nothing', async (end) => {
    const { standard, env } = await receivers();
    const options = { app: 'worker.mjs', args: [end], env };
    const [bare, ended] = await Promise.all([run({ ...options, preload: 'none' }), run(options)]);
    expect(ended).toMatchObject({ code: bare.code, stdout: bare.stdout, stderr: bare.stderr });
    expect(ended.said).toEqual([expect.stringMatching(/^started OpenTelemetry/)]);
    expect(judged(standard)).toHaveLength(1);
    expect(standard.metrics().get('reasoning.calls')).toBe(1);
  });
});

describe('under the permission model', () => {
  it('loader hooks that are refused are named, with the mend', async () => {
    const { standard, env } = await receivers();
    const flags = { first: ['--experimental-permission', '--allow-fs-read=*', '--no-warnings'] };
    const ended = await run({ app: 'endings.mjs', node: 'node20', env, flags });
    expect(ended).toMatchObject({ code: 0, stdout: 'end_turn\n', stderr: '' });
    expect(ended.said[0]).toMatch(/^loader hooks cannot run here: .*instrumentClient\(client\)/);
    expect(judged(standard)).toEqual([]);
  });

  it('without leave for a child, process.exit() loses what is unsent and nothing else', async () => {
    const { standard, env } = await receivers();
    const flags = { first: ['--permission', '--allow-fs-read=*'] };
    const ended = await run({ app: 'endings.mjs', args: ['exit'], env, flags });
    expect(ended).toMatchObject({ code: 3, stdout: 'end_turn\n', stderr: '' });
    expect(ended.said).toEqual([expect.stringMatching(/^started OpenTelemetry/)]);
    expect(standard.posts).toEqual([]);
  });
});
