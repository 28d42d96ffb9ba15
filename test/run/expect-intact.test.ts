import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { processContext } from '../../src/context.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { withRun } from '../../src/run/with-run.ts';
import { type Script, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { expectIntact } from '../../src/testing.ts';
import { meterHarness, tracerHarness } from '../emit/telemetry.ts';

const script: Script = ({ step }) =>
  step < 2
    ? {
        content: [
          { think: 'MARKER', tokens: 300 },
          { tool: 'look_up', input: { step } },
        ],
      }
    : { content: [{ think: 'MARKER', tokens: 100 }, { text: 'Done.' }] };

let simulator: Simulator;
let client: Anthropic;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 'intact', anthropic: { script } });
  client = instrumentClient(
    new Anthropic({ baseURL: simulator.url, apiKey: 'k', maxRetries: 0, openTelemetry: false }),
  );
});
afterAll(() => simulator.close());
beforeEach(() => {
  delete processContext().ledger;
});

interface Loop {
  readonly model?: string;
  readonly back?: (content: Anthropic.ContentBlock[]) => Anthropic.ContentBlockParam[];
}

async function agent({ model = 'claude-sonnet-5-5', back = (content) => content }: Loop = {}): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
  for (;;) {
    const answer = await client.messages.create({
      model,
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
      messages,
    });
    if (answer.stop_reason !== 'tool_use') return 'done';
    messages.push({ role: 'assistant', content: back(answer.content) });
    const calls = answer.content.filter(({ type }) => type === 'tool_use');
    messages.push({
      role: 'user',
      content: calls.map((call) => ({ type: 'tool_result', tool_use_id: 'id' in call ? call.id : '', content: 'r' })),
    });
  }
}
const onlyCalls: Loop['back'] = (content) => content.filter(({ type }) => type === 'tool_use');
const unsigned: Loop['back'] = (content) =>
  content.map((block) => (block.type === 'thinking' ? { ...block, signature: '' } : block));

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'intact',
    (error: Error) => error.message,
  );

test('a sound run passes, and gives its result', async () => {
  expect(await expectIntact(() => agent())).toBe('done');
  expect(await expectIntact(async () => ({ ok: await agent() }), { expectReasoning: true })).toEqual({ ok: 'done' });
});

test('a run that loses reasoning fails, each fault in a line with its place and the mend', async () => {
  expect((await messageOf(expectIntact(() => agent({ back: onlyCalls })))).split('\n')).toEqual([
    'The reasoning of the run is not intact: 0 of 2 reasoning blocks came back whole in 3 model calls.',
    expect.stringMatching(
      /^ {2}step 2, claude-sonnet-5-5: messages\.1: 1 reasoning block left out in the middle .*messages\.push/,
    ),
  ]);
});

test('one that the provider refuses for it fails by the cause, and keeps the error', async () => {
  const error: unknown = await expectIntact(() => agent({ back: unsigned })).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain('step 2, claude-sonnet-5-5: messages.1.content.0: 1 reasoning block');
  expect(error).toMatchObject({ cause: { status: 400 } });
  expect(String(error)).not.toContain('MARKER');
});

test('an error that has nothing to do with it is thrown as it is', async () => {
  const own = new Error('the ledger is closed');
  const work = expectIntact(async () => {
    await agent();
    throw own;
  });
  await expect(work).rejects.toBe(own);
});

test('answers without reasoning fail where it is asked for', async () => {
  const ask = () =>
    client.messages.create({
      model: 'claude-opus-4-8',
      max_tokens: 100,
      thinking: { type: 'disabled' },
      messages: [{ role: 'user', content: 'Hi.' }],
    });
  expect(await messageOf(expectIntact(ask))).toBe('intact');
  expect(await messageOf(expectIntact(ask, { expectReasoning: true }))).toContain('held no reasoning');
});

test('a test that observes nothing is no test', async () => {
  expect(await messageOf(expectIntact(async () => 'nothing'))).toContain('No model call was observed');
  processContext().settings.enabled = false;
  expect(await messageOf(expectIntact(() => agent()))).toContain('No model call was observed');
  processContext().settings.enabled = true;
});

test('a run of withRun can be asserted too', async () => {
  await withRun({}, async (run) => {
    await agent();
    expectIntact(run);
    await agent({ back: onlyCalls });
    expect(() => expectIntact(run)).toThrow(/step 5, .*left out/);
  });
});

test('it adds nothing to the telemetry, and counts for the run around it', async () => {
  const spans = tracerHarness();
  const meters = meterHarness();
  const { settings } = processContext();
  Object.assign(settings, { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider });
  const calls = await withRun({}, async (run) => {
    await expectIntact(() => agent());
    return run.summary().calls;
  });
  expect(calls).toBe(3);
  expect(spans.ended().filter(({ name }) => name.startsWith('invoke_agent'))).toHaveLength(1);
  expect((await meters.collect()).get('gen_ai.invoke_agent.duration')?.points.map(({ count }) => count)).toEqual([1]);
  delete settings.tracerProvider;
  delete settings.meterProvider;
});
