import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { context, DiagLogLevel, diag, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Dialects, replay } from '../../src/audit/replay.ts';
import { isFault, readTranscript } from '../../src/audit/transcript.ts';
import { processContext } from '../../src/context.ts';
import type { Finding } from '../../src/continuity/judgement.ts';
import { dialects } from '../../src/dialects/index.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { ReasoningContinuityError } from '../../src/observe/continuity-error.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';
import type { Any } from '../intercept/support/call-shapes.ts';
import { WAYS, type Way, work } from './support/ways.ts';

/** The same plan behind every API: their parts are alike. */
const script: Any = ({ step }: { readonly step: number }) =>
  step < 2
    ? {
        content: [
          { think: `What next, at ${step}?`, tokens: 100 },
          { tool: 'look_up', input: { step } },
        ],
      }
    : { content: [{ think: 'Enough.', tokens: 50 }, { text: 'Done.' }] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({
    seed: 'strict',
    anthropic: { script },
    responses: { script },
    chat: { script },
    gemini: { script },
    interactions: { script },
    bedrock: { script },
  });
});
afterAll(async () => {
  context.disable();
  delete processContext().settings.onFinding;
  await simulator.close();
});
beforeEach(() => {
  delete processContext().ledger;
});

async function setUp({ sdk, client: make }: Way, native: boolean) {
  const spans = tracerHarness();
  const meters = meterHarness();
  const Sdk: Any = await import(sdk);
  const client: Any = make(Sdk, simulator.url, native ? { tracerProvider: spans.tracerProvider } : (false as never));
  const { tracerProvider } = spans;
  instrumentClient(client, { tracerProvider, meterProvider: meters.meterProvider, onFinding: 'throw' });
  const from = simulator.requests.length;
  const arrived = () => simulator.requests.slice(from).map(({ verdict }) => verdict.status);
  return { ...spans, ...meters, Sdk, client, arrived };
}

describe.each(Object.entries(WAYS))('strict mode and %s', (name, way) => {
  test('a healthy loop goes through', async () => {
    const { client, arrived, Sdk } = await setUp(way, false);
    await work(way, client, Sdk, [`Go, ${name}.`]);
    expect(arrived()).toEqual([200, 200, 200]);
  });

  test('a lost block: the call is rejected as by the SDK, and nothing is sent', async () => {
    const { client, arrived, ended, Sdk } = await setUp(way, true);
    const refused = await work(way, client, Sdk, [`Drop, ${name}.`], () => false).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Helpers of an SDK put an error of their own around what is not of theirs.
    const cause: unknown = refused instanceof ReasoningContinuityError ? refused : (refused as Error)?.cause;
    expect(cause).toBeInstanceOf(ReasoningContinuityError);
    const { findings, message, name: errorName } = cause as ReasoningContinuityError;
    expect(errorName).toBe('ReasoningContinuityError');
    expect(findings).toMatchObject([{ kind: 'dropped', count: 1, severity: 'loss', certainty: 'certain' }]);
    expect(message).toContain(`${findings[0]?.path}: 1 reasoning block`);
    expect(message).not.toContain('What next');
    expect(arrived()).toEqual([200]);
    const calls = ended();
    expect(calls).toHaveLength(2);
    expect(calls[1]?.status.code).toBe(SpanStatusCode.ERROR);
    expect(calls[1]?.attributes).toMatchObject({ 'reasoning.dropped': true, 'reasoning.rejected': false });
    if (calls[1]?.name.startsWith('chat ')) expect(calls[1].attributes['error.type']).toBe('ReasoningContinuityError');
  });
});

test('what an SDK promises can still be done with the promise of a refused call', async () => {
  const way = WAYS.Messages as Way;
  const { client, arrived, collect, ended } = await setUp(way, true);
  const first = await client.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'Promise.' }],
  });
  const [, call] = first.content;
  const ask = () =>
    client.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'Promise.' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'r' }] },
      ],
    });
  // None throws before a promise is there.
  const ways = [ask(), ask().withResponse(), ask().asResponse(), ask().then()];
  for (const promise of ways) await expect(promise).rejects.toBeInstanceOf(ReasoningContinuityError);
  expect(arrived()).toEqual([200]);
  expect(ended().map(({ status }) => status.code)).toEqual([1, 2, 2, 2, 2]);
  const metrics = await collect();
  expect(total(pointsOf(metrics, 'reasoning.blocks.dropped', {}))).toBe(1);
  expect(total(pointsOf(metrics, 'reasoning.rejections', {}))).toBe(0);
});

test('the Responses WebSocket tells of a refused request as of any other that it could not send', async () => {
  const { client, arrived, ended } = await setUp(WAYS.Responses as Way, false);
  const { ResponsesWS }: Any = await import('openai/resources/responses/ws');
  // No client leads to its sockets.
  const socket = instrumentClient(new ResponsesWS(client));
  const errors: Any[] = [];
  const answers: Any[] = [];
  let wake: () => void = () => undefined;
  socket.on('error', (error: unknown) => {
    errors.push(error);
    wake();
  });
  socket.on('response.completed', ({ response }: Any) => {
    answers.push(response);
    wake();
  });
  const ask = async (input: Any[]): Promise<void> => {
    const next = new Promise<void>((resolve) => {
      wake = resolve;
    });
    socket.send({
      type: 'response.create',
      model: 'gpt-6.2-sol',
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'look_up', parameters: { type: 'object' }, strict: false }],
      input,
    });
    await next;
  };
  const question = { role: 'user', content: 'Over a socket.' };
  await ask([question]);
  const call = answers[0].output.find(({ type }: Any) => type === 'function_call');
  await ask([question, call, { type: 'function_call_output', call_id: call.call_id, output: 'r' }]);
  socket.close();
  expect(errors).toHaveLength(1);
  expect(errors[0].cause ?? errors[0]).toBeInstanceOf(ReasoningContinuityError);
  expect(answers).toHaveLength(1);
  expect(arrived()).toHaveLength(1);
  expect(ended().at(-1)?.attributes).toMatchObject({ 'error.type': 'ReasoningContinuityError' });
});

describe('warn', () => {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const drop = () => undefined;
  const way = WAYS.Messages as Way;
  const lose = async (task: string) => {
    const { client, Sdk } = await setUp(way, false);
    processContext().settings.onFinding = 'warn';
    lines.length = 0;
    await work(way, client, Sdk, [task], () => false);
  };
  const expected = [
    expect.stringMatching(
      /claude-sonnet-5-5 \(anthropic\.messages\), messages\.1: 1 reasoning block left out in the middle .*messages\.push/,
    ),
    expect.stringMatching(/ messages\.1: 2 reasoning blocks left out/),
  ];

  test('says each loss in a line through diag, where somebody listens to it, and sends the request', async () => {
    diag.setLogger({ verbose: drop, debug: drop, info: drop, warn: keep, error: keep }, DiagLogLevel.WARN);
    await lose('Warn.');
    diag.disable();
    expect(lines).toEqual(expected);
    expect(lines.join()).not.toContain('What next');
  });

  test('else as a warning of the process', async () => {
    process.on('warning', ({ name, message }) => name === 'ReasoningWarning' && keep(message));
    await lose('Warn the process.');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual(expected);
  });
});

const CASES = fileURLToPath(new URL('../../../shared/cases/', import.meta.url));
const names = existsSync(CASES) ? readdirSync(CASES).filter((name) => name.endsWith('.json')) : [];

/** Whatever happens to a recorded case: what strict mode goes by is what is known before the answer. */
describe.skipIf(names.length === 0)('the case folder', () => {
  test.each(names)('%s: nothing is stopped that is sound', (name) => {
    const one: { readonly expect: unknown; readonly steps: readonly { readonly request?: unknown }[] } = JSON.parse(
      readFileSync(CASES + name, 'utf8'),
    );
    const early: (readonly Finding[])[] = [];
    const eager: Dialects = Object.fromEntries(
      Object.entries(dialects).map(([api, dialect]) => [
        api,
        {
          ...dialect,
          open(...args: Parameters<typeof dialect.open>) {
            const call = dialect.open(...args);
            early.push(call?.judgement().findings ?? []);
            return call;
          },
        },
      ]),
    );
    const transcript = readTranscript(one);
    if (isFault(transcript)) throw new Error(JSON.stringify(transcript));
    replay(transcript, eager);
    const asked = one.steps.flatMap(({ request }, index) => (request === undefined ? [] : [index]));
    const wanted = [one.expect].flat() as { readonly step?: number; readonly verdict: string }[];
    for (const [at, findings] of early.entries()) {
      const step = asked[at];
      const verdict = wanted.find((each) => (each.step ?? asked.at(-1)) === step)?.verdict ?? 'clean';
      const stops = findings.some(({ severity, certainty }) => severity === 'loss' && certainty === 'certain');
      if (verdict !== 'finding') expect(stops, `step ${step}`).toBe(false);
    }
  });
});
