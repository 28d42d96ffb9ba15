import Anthropic from '@anthropic-ai/sdk';
import { context, DiagLogLevel, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { type Script, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';

/** Two tool calls, then an answer. */
const model: Script = ({ step }) =>
  step < 2
    ? {
        content: [
          { think: 'What next?', tokens: 300 },
          { tool: 'look_up', input: { step } },
        ],
      }
    : { content: [{ think: 'Enough.', tokens: 100 }, { text: 'Done.' }] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({ seed: 'real-sdk', anthropic: { script: model } });
});
afterAll(() => simulator.close());

let meters: ReturnType<typeof meterHarness>;
const complaints: unknown[] = [];
beforeEach(() => {
  meters = meterHarness();
  complaints.length = 0;
  const keep = (...args: unknown[]) => void complaints.push(args);
  const drop = () => undefined;
  diag.setLogger(
    { verbose: drop, debug: drop, info: drop, warn: keep, error: keep },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
});
// Above all: nothing was ever set on a span that had ended.
afterEach(async () => {
  diag.disable();
  await meters.meterProvider.shutdown();
  expect(complaints).toEqual([]);
});

function setUp(options: { readonly native: boolean }) {
  const spans = tracerHarness();
  const client = instrumentClient(
    new Anthropic({
      baseURL: simulator.url,
      apiKey: 'key',
      maxRetries: 0,
      openTelemetry: options.native ? { tracerProvider: spans.tracerProvider } : false,
    }),
    { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider },
  );
  return { client, ...spans };
}

const request = {
  model: 'claude-sonnet-5-5',
  max_tokens: 4000,
  thinking: { type: 'adaptive' },
  tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
} as const;

const refused: Anthropic.MessageCreateParamsNonStreaming = {
  ...request,
  tools: [...request.tools],
  messages: [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Never thought.', signature: 'none' },
        { type: 'text', text: 'Yes.' },
      ],
    },
    { role: 'user', content: 'And?' },
  ],
};

/** A loop that forgets to send reasoning back. */
async function forgetfulLoop(client: Anthropic, stream: boolean): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: `Go, ${stream}.` }];
  for (;;) {
    const body = { ...request, tools: [...request.tools], messages };
    const answer = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    if (answer.stop_reason !== 'tool_use') return;
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    messages.push({ role: 'assistant', content: calls });
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
    });
  }
}

test.each([
  { native: true, stream: false, name: 'anthropic.messages.create' },
  { native: true, stream: true, name: 'anthropic.messages.create' },
  { native: false, stream: false, name: 'chat claude-sonnet-5-5' },
  { native: false, stream: true, name: 'chat claude-sonnet-5-5' },
])('a loop: one span a call, judged (%o)', async ({ native, stream, name }) => {
  const { client, ended } = setUp({ native });
  await forgetfulLoop(client, stream);
  expect(ended()).toMatchObject([
    { name, attributes: { 'reasoning.continuity': 'not_applicable', 'reasoning.blocks.issued': 1 } },
    {
      name,
      attributes: { 'reasoning.continuity': 'stripped', 'reasoning.blocks.dropped': 1, 'reasoning.present': true },
    },
    {
      name,
      attributes: {
        'reasoning.continuity': 'stripped',
        'reasoning.blocks.dropped': 2,
        'reasoning.blocks.newly_dropped': 1,
      },
    },
  ]);
  const [first, second, third] = ended();
  expect(second?.events[0]?.attributes?.['reasoning.producer.span_id']).toBe(first?.spanContext().spanId);
  const runs = new Set(ended().map(({ attributes }) => attributes['reasoning.run.id']));
  expect(runs.size).toBe(1);
  expect(third?.attributes['gen_ai.usage.reasoning.output_tokens']).toBe(100);
  if (stream) expect(third?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
  const counted = await meters.collect();
  expect(total(pointsOf(counted, 'reasoning.blocks.dropped'))).toBe(2);
  expect(total(pointsOf(counted, 'gen_ai.client.inference.usage.reasoning.output_tokens'))).toBe(700);
  expect(pointsOf(counted, 'gen_ai.client.inference.time_to_first_chunk').length > 0).toBe(stream);
});

test.each([true, false])('a refusal is on the span of the call (native: %s)', async (native) => {
  const { client, ended } = setUp({ native });
  await expect(client.messages.create(refused)).rejects.toMatchObject({ status: 400 });
  // At once, when the application gets to know.
  expect(ended()).toMatchObject([
    {
      attributes: {
        'reasoning.rejected': true,
        'reasoning.rejection': 'signature_invalid',
        'error.type': 'invalid_request_error',
      },
    },
  ]);
  await expect(client.messages.stream({ ...refused, stream: true }).finalMessage()).rejects.toMatchObject({
    status: 400,
  });
  expect(ended()).toHaveLength(2);
  expect(ended()[1]?.attributes).toMatchObject({ 'reasoning.rejected': true });
  expect(total(pointsOf(await meters.collect(), 'reasoning.rejections'))).toBe(2);
});

test.each([true, false])('a stream that the application leaves (native: %s)', async (native) => {
  const { client, ended } = setUp({ native });
  const body = { ...request, tools: [...request.tools], messages: [{ role: 'user' as const, content: 'Leave.' }] };
  const stream = await client.messages.create({ ...body, stream: true });
  for await (const event of stream) if (event.type === 'content_block_delta') break;
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended()).toHaveLength(1);
  expect(ended()[0]?.attributes).toMatchObject({
    'reasoning.continuity': 'not_applicable',
    'reasoning.rejected': false,
  });
  expect(total(pointsOf(await meters.collect(), 'reasoning.calls'))).toBe(1);
});

test("the SDK's tool runner has the sums of its loop", async () => {
  const { client, ended } = setUp({ native: true });
  const runner = client.beta.messages.toolRunner({
    ...request,
    messages: [{ role: 'user', content: 'Run.' }],
    tools: [{ ...request.tools[0], description: 'Looks up.', run: async () => 'r', parse: (input) => input }],
    // Else the server holds the history, and there is nothing to send back.
    ...({ thread: false } as object),
  });
  await runner;
  const spans = ended();
  const run = spans.find(({ name }) => name === 'anthropic.messages.tool_runner');
  expect(spans.filter(({ name }) => name === 'anthropic.messages.create')).toHaveLength(3);
  expect(run?.attributes).toMatchObject({
    'reasoning.continuity': 'intact',
    'reasoning.dropped': false,
    'reasoning.blocks.issued': 3,
    'reasoning.blocks.expected': 2,
    'reasoning.blocks.returned': 2,
    'reasoning.tokens.resent': 900,
  });
  expect(
    spans
      .filter(({ name }) => name.startsWith('anthropic.custom_tool'))
      .flatMap(({ attributes }) => Object.keys(attributes))
      .filter((name) => name.startsWith('reasoning.')),
  ).toEqual([]);
});
