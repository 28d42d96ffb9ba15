import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import type { Receiver } from './support/otlp.ts';
import { startReceiver } from './support/receiver.ts';
import { type Ended, NODES, type Run, run } from './support/run.ts';

let model: Simulator;
beforeAll(async () => {
  model = await startSimulator();
});
afterAll(() => model.close());

/** What an outsider sees of a process. */
const seen = ({ code, signal, stdout, stderr }: Ended) => ({ code, signal, stdout, stderr });

async function runBoth(options: Run, receiver: Receiver) {
  const env = {
    MODEL_URL: model.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'agent',
    ...options.env,
  };
  const [bare, ended] = await Promise.all([run({ ...options, env, preload: 'none' }), run({ ...options, env })]);
  return { bare, ended };
}

/** Everything of one call has arrived, once. */
function expectOneCall(receiver: Receiver): void {
  const spans = receiver.spans();
  expect(spans.map(({ spanId }) => spanId)).toHaveLength(1);
  expect(spans[0]).toMatchObject({ service: 'agent', attributes: { 'reasoning.assertion': expect.any(String) } });
  const metrics = receiver.metrics();
  expect(metrics.get('reasoning.calls')).toBe(1);
  expect(metrics.get('reasoning.instrumentation.info')).toBe(1);
  expect(metrics.get('gen_ai.client.inference.duration')).toBe(1);
}

type End = readonly [name: string, signal: NodeJS.Signals | undefined, outcome: Partial<Ended>];

const ENDS: readonly End[] = [
  ['nothing', undefined, { code: 0 }],
  ['exitCode', undefined, { code: 4 }],
  ['exit', undefined, { code: 3 }],
  ['exitInside', undefined, { code: 5 }],
  ['throw', undefined, { code: 1 }],
  ['reject', undefined, { code: 1 }],
  ['caught', undefined, { code: 6 }],
  ['signal', 'SIGTERM', { signal: 'SIGTERM' }],
  ['signal', 'SIGINT', { signal: 'SIGINT' }],
  ['signal', 'SIGHUP', { signal: 'SIGHUP' }],
  ['listener', 'SIGTERM', { code: 0 }],
  ['listenerExits', 'SIGINT', { code: 7 }],
  ['signalExit', 'SIGTERM', { signal: 'SIGTERM' }],
];
/** One of each kind. */
const KINDS = ENDS.filter(([end, signal]) => ['nothing', 'exit', 'throw'].includes(end) || signal === 'SIGTERM');

describe.each([
  { node: 'node24', app: 'endings.mjs', preload: 'import', ends: ENDS },
  { node: 'node20', app: 'endings.cjs', preload: 'require', ends: KINDS },
] as const)('$app on $node with --$preload', ({ ends, ...how }) => {
  it.each(ends)('%s %s: ends as without, and loses nothing', async (end, signal, outcome) => {
    const receiver = await startReceiver();
    const { bare, ended } = await runBoth({ ...how, args: [end], ...(signal && { signal }) }, receiver);
    expect(bare).toMatchObject({ ...outcome, said: [] });
    expect(seen(ended)).toEqual(seen(bare));
    expect(ended.said).toEqual([expect.stringMatching(/^started OpenTelemetry/)]);
    expectOneCall(receiver);
  });
});

it.each([
  ['endings.mjs', 'node20', 'import'],
  ['endings.mjs', 'node24', 'require'],
  ['endings.cjs', 'node24', 'import'],
  ['endings.ts', 'node24', 'import'],
] as const)('%s on %s with --%s', async (app, node, preload) => {
  const receiver = await startReceiver();
  const { bare, ended } = await runBoth({ app, node, preload }, receiver);
  expect(seen(ended)).toEqual(seen(bare));
  expectOneCall(receiver);
});

it('the Node versions are those that are meant', async () => {
  for (const node of ['node20', 'node24'] as const) {
    const { stdout } = await run({ app: 'version.cjs', node, preload: 'none' });
    expect(stdout).toMatch(new RegExp(`^${node.replace('node', 'v')}\\.`));
  }
  expect(Object.keys(NODES)).toEqual(['node24', 'node20']);
});
