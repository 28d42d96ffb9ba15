import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { context, SpanStatusCode } from '@opentelemetry/api';
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

interface Way {
  readonly sdk: string;
  readonly client: (Sdk: Any, url: string, tracing: object) => Any;
  /** One loop. `keep` decides which parts of an answer go back. */
  readonly loop: (client: Any, keep: (part: Any) => boolean, task: string, Sdk: Any) => Promise<void>;
  /** Parts of an answer that hold reasoning. */
  readonly isReasoning: (part: Any) => boolean;
}

const all = () => true;
const TOOL = { name: 'look_up', description: 'Looks up.' };
const PARAMETERS = { type: 'object', properties: { step: { type: 'number' } } };

const anthropic = (sdk: string, how: 'create' | 'stream' | 'beta' = 'create'): Way => ({
  sdk,
  client: (Sdk, baseURL, openTelemetry) => new Sdk.default({ baseURL, apiKey: 'strict', maxRetries: 2, openTelemetry }),
  isReasoning: ({ type }) => type === 'thinking',
  async loop(client, keep, task) {
    const messages: Any[] = [{ role: 'user', content: task }];
    for (;;) {
      const body = {
        model: 'claude-sonnet-5-5',
        max_tokens: 4000,
        thinking: { type: 'adaptive' },
        tools: [{ ...TOOL, input_schema: PARAMETERS }],
        messages,
      };
      const resource = how === 'beta' ? client.beta.messages : client.messages;
      const answer = how === 'stream' ? await client.messages.stream(body).finalMessage() : await resource.create(body);
      if (answer.stop_reason !== 'tool_use') return;
      const calls = answer.content.filter(({ type }: Any) => type === 'tool_use');
      messages.push({ role: 'assistant', content: answer.content.filter(keep) });
      messages.push({
        role: 'user',
        content: calls.map(({ id }: Any) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
      });
    }
  },
});

const responses = (sdk: string, stream = false): Way => ({
  sdk,
  client: (Sdk, url) => new Sdk.default({ baseURL: `${url}/v1`, apiKey: 'strict', maxRetries: 2 }),
  isReasoning: ({ type }) => type === 'reasoning',
  async loop(client, keep, task) {
    const input: Any[] = [{ role: 'user', content: task }];
    for (;;) {
      const body = {
        model: 'gpt-6.2-sol',
        store: false,
        include: ['reasoning.encrypted_content'],
        tools: [{ type: 'function', ...TOOL, parameters: PARAMETERS, strict: false }],
        input,
      };
      let answer: Any;
      if (stream) {
        for await (const event of await client.responses.create({ ...body, stream })) answer = event.response ?? answer;
      } else answer = await client.responses.create(body);
      const calls = answer.output.filter(({ type }: Any) => type === 'function_call');
      if (calls.length === 0) return;
      input.push(...answer.output.filter(keep));
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: 'r' });
    }
  },
});

const chat = (sdk: string): Way => ({
  sdk,
  client: (Sdk, url) => new Sdk.default({ baseURL: `${url}/deepseek/v1`, apiKey: 'strict', maxRetries: 2 }),
  isReasoning: (name) => name === 'reasoning_content',
  async loop(client, keep, task) {
    const messages: Any[] = [{ role: 'user', content: task }];
    for (;;) {
      const answer = await client.chat.completions.create({
        model: 'deepseek-v4-pro',
        tools: [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }],
        messages,
      });
      const { message } = answer.choices[0];
      if (!message.tool_calls) return;
      messages.push(Object.fromEntries(Object.entries(message).filter(([name]) => keep(name))));
      for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'r' });
    }
  },
});

const gemini = (sdk: string, stream = false): Way => ({
  sdk,
  client: (Sdk, baseUrl) => new Sdk.GoogleGenAI({ apiKey: 'strict', httpOptions: { baseUrl } }),
  isReasoning: ({ thoughtSignature }) => thoughtSignature !== undefined,
  async loop(client, keep, task) {
    const contents: Any[] = [{ role: 'user', parts: [{ text: task }] }];
    for (;;) {
      const request = {
        model: 'gemini-3.8-flash',
        contents,
        config: {
          tools: [
            {
              functionDeclarations: [
                { ...TOOL, parameters: { type: 'OBJECT', properties: { step: { type: 'NUMBER' } } } },
              ],
            },
          ],
        },
      };
      const parts: Any[] = [];
      if (stream) {
        for await (const chunk of await client.models.generateContentStream(request)) {
          parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
        }
      } else parts.push(...(await client.models.generateContent(request)).candidates[0].content.parts);
      const calls = parts.filter(({ functionCall }) => functionCall);
      if (calls.length === 0) return;
      // The signature is a member of the part: a part without it is what a filter leaves.
      const back = parts.map((part) => (keep(part) ? part : { functionCall: part.functionCall }));
      contents.push({ role: 'model', parts: back });
      contents.push({
        role: 'user',
        parts: calls.map(({ functionCall: { id, name } }) => ({
          functionResponse: { ...(id && { id }), name, response: { result: 'r' } },
        })),
      });
    }
  },
});

const converse = (sdk: string): Way => ({
  sdk,
  client: (Sdk, endpoint) =>
    new Sdk.BedrockRuntimeClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIASTRICT', secretAccessKey: 'strict' },
    }),
  isReasoning: ({ reasoningContent }) => reasoningContent !== undefined,
  async loop(client, keep, task, Sdk) {
    const messages: Any[] = [{ role: 'user', content: [{ text: task }] }];
    for (;;) {
      const answer = await client.send(
        new Sdk.ConverseCommand({
          modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
          messages,
          inferenceConfig: { maxTokens: 4000 },
          additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
          toolConfig: { tools: [{ toolSpec: { ...TOOL, inputSchema: { json: PARAMETERS } } }] },
        }),
      );
      const { content } = answer.output.message;
      const calls = content.filter(({ toolUse }: Any) => toolUse);
      if (calls.length === 0) return;
      messages.push({ role: 'assistant', content: content.filter(keep) });
      messages.push({
        role: 'user',
        content: calls.map(({ toolUse: { toolUseId } }: Any) => ({
          toolResult: { toolUseId, content: [{ text: 'r' }] },
        })),
      });
    }
  },
});

const WAYS: Readonly<Record<string, Way>> = {
  'Messages, 0.37': anthropic('anthropic-0.37'),
  'Messages, 0.137': anthropic('anthropic-0.137'),
  Messages: anthropic('@anthropic-ai/sdk'),
  'beta Messages': anthropic('@anthropic-ai/sdk', 'beta'),
  'Messages, streamed by the helper': anthropic('@anthropic-ai/sdk', 'stream'),
  'Responses, 4.87': responses('openai-4.87'),
  'Responses, 6.49': responses('openai-6.49'),
  Responses: responses('openai'),
  'Responses, streamed': responses('openai', true),
  'Chat Completions, 4.87': chat('openai-4.87'),
  'Chat Completions': chat('openai'),
  'generateContent, 1.50': gemini('genai-1.50'),
  generateContent: gemini('@google/genai'),
  generateContentStream: gemini('@google/genai', true),
  'Converse, 3.840': converse('bedrock-runtime-3.840'),
  Converse: converse('@aws-sdk/client-bedrock-runtime'),
};

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
    await way.loop(client, all, `Go, ${name}.`, Sdk);
    expect(arrived()).toEqual([200, 200, 200]);
  });

  test('a lost block: the call is rejected as by the SDK, and nothing is sent', async () => {
    const { client, arrived, ended, Sdk } = await setUp(way, true);
    const refused = await way
      .loop(client, (part) => !way.isReasoning(part), `Drop, ${name}.`, Sdk)
      .then(
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
  const way = anthropic('@anthropic-ai/sdk');
  const { client, arrived, collect, ended } = await setUp(way, true);
  const first = await client.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    tools: [{ ...TOOL, input_schema: PARAMETERS }],
    messages: [{ role: 'user', content: 'Promise.' }],
  });
  const [, call] = first.content;
  const ask = () =>
    client.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      tools: [{ ...TOOL, input_schema: PARAMETERS }],
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
