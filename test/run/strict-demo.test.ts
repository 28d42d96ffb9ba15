import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HARNESSES } from '../../demo/manifest.ts';
import { PROVIDERS } from '../../demo/model.ts';
import { processContext } from '../../src/context.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import type { RunSummary } from '../../src/run/run-summary.ts';
import { withRun } from '../../src/run/with-run.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';

let simulator: Simulator;
const before = { ...process.env };

beforeAll(async () => {
  simulator = await startSimulator({ seed: 'strict', ...PROVIDERS });
  Object.assign(process.env, {
    ANTHROPIC_BASE_URL: simulator.url,
    ANTHROPIC_API_KEY: 'strict',
    OPENAI_BASE_URL: `${simulator.url}/v1`,
    OPENAI_API_KEY: 'strict',
    DEEPSEEK_BASE_URL: `${simulator.url}/deepseek/v1`,
    DEEPSEEK_API_KEY: 'strict',
    GOOGLE_GEMINI_BASE_URL: simulator.url,
    GEMINI_API_KEY: 'strict',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: simulator.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'strict',
    AWS_SECRET_ACCESS_KEY: 'strict',
  });
});
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  await simulator.close();
});

interface Played {
  readonly summary: RunSummary;
  readonly thrown: unknown;
  /** Status of each request that arrived. */
  readonly arrived: readonly number[];
}

/** By what the clients of each SDK have, and nothing else that a world exports. */
const isClient = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ['baseURL', 'chats', 'middlewareStack'].some((name) => name in value);

/** Plays a loop of the demo in this process, from its beginning. */
async function play(name: string, onFinding: 'record' | 'throw'): Promise<Played> {
  const shared = processContext();
  delete shared.ledger;
  shared.settings.onFinding = onFinding;
  vi.resetModules();
  const worlds: readonly object[] = await Promise.all([
    import('../../demo/world.ts'),
    import('../../demo/responses-world.ts'),
    import('../../demo/chat-world.ts'),
    import('../../demo/gemini-world.ts'),
    import('../../demo/bedrock-world.ts'),
  ]);
  for (const client of worlds.flatMap((world) => Object.values(world))) {
    if (isClient(client)) instrumentClient(client);
  }
  const from = simulator.requests.length;
  const listeners = process.listeners('uncaughtException');
  return withRun({}, async (run) => {
    const thrown: unknown = await import(`../../demo/harnesses/${name}.ts`).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Each loop brings the one of a process of its own.
    for (const listener of process.listeners('uncaughtException')) {
      if (!listeners.includes(listener)) process.off('uncaughtException', listener);
    }
    const arrived = simulator.requests.slice(from).map(({ verdict }) => verdict.status);
    return { summary: run.summary(), thrown, arrived };
  });
}

/**
 * What is not certain before the request leaves: whether the provider takes the older model's side, whether it minds results
 * one by one, whether a host that is not OpenAI's enforces pairs.
 */
const UNCERTAIN = ['downgrade-fallback', 'split-results', 'responses-ids-stripped'];

test.each(HARNESSES)('strict mode and the loop of $name', async ({ name, losses }) => {
  const recorded = await play(name, 'record');
  const lost = recorded.summary.findings.filter(({ severity }) => severity === 'loss');
  const { thrown, arrived, summary } = await play(name, 'throw');
  if (losses.length === 0 || UNCERTAIN.includes(name)) {
    expect(String(thrown)).not.toContain('was not sent');
    expect(arrived).toEqual(recorded.arrived);
    return;
  }
  expect(String(thrown)).toContain('was not sent');
  // Everything up to the first loss arrived, and nothing after it.
  const [first] = lost;
  expect(arrived).toEqual(recorded.arrived.slice(0, (first?.step ?? 0) - 1));
  expect(summary.findings.find(({ severity }) => severity === 'loss')).toMatchObject({
    kind: first?.kind,
    path: first?.path,
    step: first?.step,
    certainty: 'certain',
  });
});

test('a loss that is certain before the request leaves is none of those let through', async () => {
  for (const name of UNCERTAIN) {
    const { summary, arrived } = await play(name, 'record');
    const known = summary.findings.filter(
      ({ severity, certainty, source, step }) =>
        severity === 'loss' && certainty === 'certain' && source === 'client' && arrived[step - 1] === 200,
    );
    expect(known, name).toEqual([]);
  }
});
