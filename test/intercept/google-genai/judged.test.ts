/** The real SDK, the real rules and the real telemetry, over loops that an application would write. */

import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { type GeminiOptions, type GeminiScript, type Simulator, startSimulator } from '../../../src/simulator/index.ts';
import { tracerHarness } from '../../emit/telemetry.ts';
import type { Any } from '../support/call-shapes.ts';
import { startMcpAdder } from './support/mcp-adder.ts';

const STRICT = 'gemini-3.8-flash';
const LENIENT = 'gemini-2.5-flash';
const VERSIONS = ['genai-1.50', 'genai-2.32', '@google/genai'];
/** Those that go on with an answer by themselves. */
const CONTINUING = ['genai-2.32', '@google/genai'];

/** Two steps of calls, the first of two at once, then an answer; in every turn. */
const script: GeminiScript = ({ step, userText }) => {
  const think = { think: 'What is asked for? A sum.', tokens: 120 };
  if (userText.includes('long')) return { content: [think, { text: 'One. ' }, { text: 'Two. ' }], pauses: [2] };
  if (userText.includes('plain') || step >= 2) return { content: [think, { text: 'It is four.' }] };
  const call = (a: number) => ({ tool: 'add', input: { a, b: step } });
  return { content: [think, call(1), ...(step === 0 ? [call(2)] : [])] };
};

const ADD = {
  name: 'add',
  parametersJsonSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
};
const OLD_ADD = { name: 'add', parameters: { type: 'OBJECT', properties: { a: { type: 'NUMBER' } } } };
const DECLARED = [{ functionDeclarations: [OLD_ADD] }];
const resultOf = ({ id, name, args }: Any) => ({
  functionResponse: { ...(id && { id }), name, response: { result: args.a + args.b } },
});
/** A tool that the SDK calls by itself. */
const adder = {
  tool: async () => ({ functionDeclarations: [ADD] }),
  callTool: async (calls: Any[]) => calls.map(resultOf),
};

let opened: { close(): Promise<void> }[] = [];
beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});
afterAll(() => context.disable());

async function setUp(sdk: string, options: GeminiOptions & { readonly vertexai?: boolean } = {}) {
  const { vertexai, ...gemini } = options;
  const simulator: Simulator = await startSimulator({
    seed: 'judged',
    gemini: { script, ...gemini },
    interactions: { script },
  });
  opened.push(simulator);
  const { tracerProvider, ended } = tracerHarness();
  const Sdk: Any = await import(sdk);
  const client: Any = new Sdk.GoogleGenAI({
    apiKey: 'key',
    ...(vertexai && { vertexai }),
    httpOptions: { baseUrl: simulator.url },
  });
  instrumentClient(client, { tracerProvider });
  const findings = () =>
    ended().flatMap(({ attributes, events }, step) =>
      events
        .filter(({ name }) => name === 'reasoning.finding')
        .map(({ attributes: of }) => ({
          step,
          kind: of?.['reasoning.finding.kind'],
          count: of?.['reasoning.finding.count'],
          culprit: of?.['reasoning.finding.culprit'],
          severity: of?.['reasoning.finding.severity'],
          rejection: attributes['reasoning.rejection'],
        })),
    );
  const continuity = () => ended().map(({ attributes }) => attributes['reasoning.continuity']);
  const runs = () => new Set(ended().map(({ attributes }) => attributes['reasoning.run.id'])).size;
  return { Sdk, client, simulator, ended, findings, continuity, runs };
}

async function readAll(stream: AsyncIterable<Any>): Promise<Any[]> {
  const chunks: Any[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** As the documentation has it: the content comes back as it came. */
async function loop(client: Any, model: string, config: object, back = (content: Any) => content): Promise<void> {
  const contents: Any[] = [{ role: 'user', parts: [{ text: 'Add up.' }] }];
  for (let step = 0; step < 4; step += 1) {
    const answer = await client.models.generateContent({ model, contents, config });
    const { content } = answer.candidates[0];
    contents.push(back(content));
    const calls = answer.functionCalls ?? [];
    if (calls.length === 0) return;
    contents.push({ role: 'user', parts: calls.map(resultOf) });
  }
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Sound loops, and how many model calls each makes. */
const SOUND: Readonly<Record<string, readonly [calls: number, run: (tools: SetUp) => Promise<unknown>]>> = {
  'a loop by hand, with parallel calls': [3, ({ client }) => loop(client, STRICT, { tools: DECLARED })],
  'a loop by hand, with thoughts shown': [
    3,
    ({ client }) => loop(client, STRICT, { tools: DECLARED, thinkingConfig: { includeThoughts: true } }),
  ],
  'a loop by hand, of a model that does not insist': [3, ({ client }) => loop(client, LENIENT, { tools: DECLARED })],
  'a chat': [
    3,
    async ({ client }) => {
      const chat = client.chats.create({ model: STRICT });
      for (const message of ['plain one', 'plain two', 'plain three']) await chat.sendMessage({ message });
    },
  ],
  'a chat that is streamed': [
    3,
    async ({ client }) => {
      const chat = client.chats.create({ model: STRICT });
      for (const message of ['plain one', 'plain two', 'plain three'])
        await readAll(await chat.sendMessageStream({ message }));
    },
  ],
  'a chat with calls by hand': [
    6,
    async ({ client }) => {
      const chat = client.chats.create({ model: STRICT, config: { tools: DECLARED } });
      for (const text of ['Add up.', 'Again.']) {
        let message: Any = text;
        for (let step = 0; step < 4; step += 1) {
          const { functionCalls = [] } = await chat.sendMessage({ message });
          if (functionCalls.length === 0) break;
          message = functionCalls.map(resultOf);
        }
      }
    },
  ],
  'automatic function calling': [
    3,
    ({ client }) => client.models.generateContent({ model: STRICT, contents: 'Add up.', config: { tools: [adder] } }),
  ],
  'automatic function calling, streamed': [
    3,
    async ({ client }) =>
      readAll(
        await client.models.generateContentStream({ model: STRICT, contents: 'Add up.', config: { tools: [adder] } }),
      ),
  ],
  'automatic function calling in a chat': [
    6,
    async ({ client }) => {
      const chat = client.chats.create({ model: STRICT, config: { tools: [adder] } });
      for (const message of ['Add up.', 'Again.']) await chat.sendMessage({ message });
    },
  ],
  'automatic function calling with the tools of an MCP server': [
    3,
    async ({ client, Sdk }) => {
      const server = await startMcpAdder();
      opened.push(server);
      const config = { tools: [Sdk.mcpToTool(server.client)] };
      return client.models.generateContent({ model: LENIENT, contents: 'Add up.', config });
    },
  ],
  'automatic function calling with the tools of an MCP server, streamed': [
    3,
    async ({ client, Sdk }) => {
      const server = await startMcpAdder();
      opened.push(server);
      const config = { tools: [Sdk.mcpToTool(server.client)] };
      return readAll(await client.models.generateContentStream({ model: LENIENT, contents: 'Add up.', config }));
    },
  ],
  'a context cache': [
    3,
    async ({ client }) => {
      const words = Array.from({ length: 6_000 }, (_, at) => `word${at}`).join(' ');
      const { name } = await client.caches.create({
        model: STRICT,
        config: { contents: [{ role: 'user', parts: [{ text: words }] }], tools: DECLARED },
      });
      await loop(client, STRICT, { cachedContent: name });
    },
  ],
};

describe.each(VERSIONS)('a sound loop on %s', (sdk) => {
  it.each(Object.entries(SOUND))('%s: every request once, and nothing to find', async (_name, [calls, run]) => {
    const tools = await setUp(sdk);
    await run(tools);
    expect(tools.ended().map(({ name }) => name.split(' ')[0])).toEqual(Array(calls).fill('generate_content'));
    expect(tools.findings()).toEqual([]);
    expect(tools.continuity().slice(1)).toEqual(Array(calls - 1).fill('intact'));
    expect(tools.runs()).toBe(1);
  });
});

describe.each(CONTINUING)('an answer in several requests on %s', (sdk) => {
  it.each([false, true])('is no loss, and one run; streamed: %s', async (streams) => {
    const tools = await setUp(sdk);
    const ask = { model: STRICT, contents: 'A long one.' };
    if (streams) await readAll(await tools.client.models.generateContentStream(ask));
    else await tools.client.models.generateContent(ask);
    expect(tools.ended()).toHaveLength(2);
    expect(tools.findings()).toEqual([]);
    expect(tools.runs()).toBe(1);
  });
});

describe.each(CONTINUING)('an interaction in several requests on %s', (sdk) => {
  const ask = { model: STRICT, input: 'A long one.' };
  it('is seen hop by hop where it is streamed, as one run', async () => {
    const tools = await setUp(sdk);
    await readAll(await tools.client.interactions.create({ ...ask, stream: true }));
    expect(tools.simulator.requests).toHaveLength(2);
    expect(tools.ended()).toHaveLength(2);
    expect(tools.findings()).toEqual([]);
    expect(tools.runs()).toBe(1);
  });

  it('is one call where it is not', async () => {
    const tools = await setUp(sdk);
    const { id } = await tools.client.interactions.create(ask);
    expect(tools.simulator.requests).toHaveLength(2);
    await tools.client.interactions.create({ ...ask, input: 'plain', previous_interaction_id: id });
    expect(tools.ended()).toHaveLength(2);
    expect(tools.findings()).toEqual([]);
    expect(tools.runs()).toBe(1);
  });
});

describe.each(VERSIONS)('a harness that drops seals, on %s', (sdk) => {
  it('is the application, whatever it calls through', async () => {
    const tools = await setUp(sdk);
    const strip = ({ role, parts }: Any) => ({
      role,
      parts: parts.map(({ thoughtSignature: _, ...part }: Any) => part),
    });
    await expect(loop(tools.client, STRICT, { tools: DECLARED }, strip)).rejects.toThrow();
    expect(tools.findings()).toEqual([
      {
        step: 1,
        kind: 'dropped',
        count: 1,
        culprit: undefined,
        severity: 'loss',
        rejection: 'missing_thought_signature',
      },
    ]);
  });
});

/** What a chat of the SDK does to its own history, by the way it happens; findings from the second message on. */
const OWN_CHUNK = { stream: { finish: 'own_chunk' } } as const;
const DEFECTS: readonly (readonly [string, GeminiOptions, (chat: Any) => Promise<unknown>, string, number])[] = [
  [
    'a stream that ends with a chunk without parts takes the exchange along',
    OWN_CHUNK,
    async (chat) => {
      await readAll(await chat.sendMessageStream({ message: 'plain one' }));
      await chat.sendMessage({ message: 'plain two' });
    },
    'trimmed',
    1,
  ],
  [
    'the same behind an exchange that stays',
    OWN_CHUNK,
    async (chat) => {
      await chat.sendMessage({ message: 'plain one' });
      await readAll(await chat.sendMessageStream({ message: 'plain two' }));
      await chat.sendMessage({ message: 'plain three' });
    },
    'trimmed',
    1,
  ],
  [
    'the same after automatic function calling takes all steps along',
    OWN_CHUNK,
    async (chat) => {
      await readAll(await chat.sendMessageStream({ message: 'Add up.', config: { tools: [adder] } }));
      await chat.sendMessage({ message: 'plain two' });
    },
    'trimmed',
    3,
  ],
  [
    'ignoreCallHistory keeps the final text alone',
    {},
    async (chat) => {
      const automaticFunctionCalling = { ignoreCallHistory: true };
      await chat.sendMessage({ message: 'Add up.', config: { tools: [adder], automaticFunctionCalling } });
      await chat.sendMessage({ message: 'plain two' });
    },
    'trimmed',
    2,
  ],
  [
    'a stop at maximumRemoteCalls leaves the last calls in it twice',
    {},
    async (chat) => {
      const automaticFunctionCalling = { maximumRemoteCalls: 1 };
      await chat.sendMessage({ message: 'Add up.', config: { tools: [adder], automaticFunctionCalling } });
      await chat.sendMessage({ message: 'plain two' }).catch(() => undefined);
    },
    'duplicated',
    1,
  ],
  [
    'calls that come in chunks of their own become contents of their own',
    { stream: { calls: 'apart' } },
    async (chat) => {
      const [first, second] = await readAll(
        await chat.sendMessageStream({ message: 'Add up.', config: { tools: DECLARED } }),
      );
      const calls = [first, second].flatMap(({ functionCalls = [] }) => functionCalls);
      await chat.sendMessage({ message: calls.map(resultOf), config: { tools: DECLARED } }).catch(() => undefined);
    },
    'split',
    1,
  ],
];

describe.each(CONTINUING)('what a chat of %s loses', (sdk) => {
  it.each(DEFECTS)('is put down to the SDK: %s', async (_name, options, run, kind, count) => {
    const tools = await setUp(sdk, options);
    await run(tools.client.chats.create({ model: STRICT }));
    const found = tools.findings().filter((one) => one.kind === kind);
    expect(found).toMatchObject([{ kind, culprit: 'sdk' }]);
    expect(found[0]?.count).toBe(count);
    expect(tools.runs()).toBe(1);
  });

  it.each([
    ['usage', (body: string) => `${body}data: {"usageMetadata":{"promptTokenCount":9}}\r\n\r\n`],
    ['content without a role', (body: string) => body.replaceAll(',"role":"model"', '')],
  ])('is put down to the SDK: a stream with %s takes the exchange along', async (_name, change) => {
    const tools = await setUp(sdk);
    const chat = tools.client.chats.create({ model: STRICT });
    const { fetch } = globalThis;
    globalThis.fetch = async (...args) => {
      const answer = await fetch(...args);
      return new Response(change(await answer.text()), answer);
    };
    try {
      await readAll(await chat.sendMessageStream({ message: 'plain one' }));
    } finally {
      globalThis.fetch = fetch;
    }
    await chat.sendMessage({ message: 'plain two' });
    expect(tools.findings()).toMatchObject([{ kind: 'trimmed', count: 1, culprit: 'sdk' }]);
  });

  it('is the application where it began the chat with it', async () => {
    const tools = await setUp(sdk);
    const history: Any[] = [{ role: 'user', parts: [{ text: 'plain one' }] }];
    const { candidates } = await tools.client.models.generateContent({ model: STRICT, contents: history });
    const [{ content }] = candidates;
    history.push({ role: 'model', parts: content.parts.map(({ text }: Any) => ({ text })) });
    const chat = tools.client.chats.create({ model: STRICT, history });
    await chat.sendMessage({ message: 'plain two' });
    expect(tools.findings()).toMatchObject([{ step: 1, kind: 'dropped', culprit: undefined }]);
  });
});

describe('an SDK that knows no seals', () => {
  it('takes them off: the loss is put down to it, and so is the refusal', async () => {
    const tools = await setUp('genai-1.0');
    await expect(loop(tools.client, STRICT, { tools: DECLARED })).rejects.toThrow();
    expect(tools.findings()).toEqual([
      { step: 1, kind: 'dropped', count: 1, culprit: 'sdk', severity: 'loss', rejection: 'missing_thought_signature' },
    ]);
  });

  it('also in a stream, and where the model does not insist', async () => {
    const tools = await setUp('genai-1.0');
    const contents: Any[] = [{ role: 'user', parts: [{ text: 'Add up.' }] }];
    const config = { tools: DECLARED, automaticFunctionCalling: { disable: true } };
    const chunks = await readAll(await tools.client.models.generateContentStream({ model: LENIENT, contents, config }));
    const parts = chunks.flatMap(({ candidates }) => candidates[0].content?.parts ?? []);
    contents.push({ role: 'model', parts });
    contents.push({ role: 'user', parts: chunks.flatMap(({ functionCalls = [] }) => functionCalls).map(resultOf) });
    await readAll(await tools.client.models.generateContentStream({ model: LENIENT, contents, config }));
    expect(tools.findings()).toMatchObject([{ step: 1, kind: 'dropped', culprit: 'sdk' }]);
  });
});

describe('calls that an MCP tool of the SDK answers without their ids', () => {
  it.each(VERSIONS)('are answered with nothing, and the request counts as refused: %s', async (sdk) => {
    const tools = await setUp(sdk);
    const server = await startMcpAdder();
    opened.push(server);
    const config = { tools: [tools.Sdk.mcpToTool(server.client)] };
    const answer = await tools.client.models.generateContent({ model: STRICT, contents: 'Add up.', config });
    expect(answer.candidates[0].content?.parts ?? []).toEqual([]);
    expect(tools.ended().map(({ attributes }) => attributes['reasoning.rejection'])).toEqual([
      undefined,
      'function_response_mismatch',
    ]);
    expect(tools.findings()).toEqual([]);
  });
});

describe.each(VERSIONS)('interactions on %s', (sdk) => {
  const tools = [{ type: 'function', name: 'add', parameters: { type: 'object', properties: {} } }];
  const resultsOf = (steps: Any[]) =>
    steps
      .filter(({ type }) => type === 'function_call')
      .map(({ id, name, arguments: args }) => ({
        type: 'function_result',
        call_id: id,
        name,
        result: String(args.a + args.b),
      }));

  /** Kept by the provider, or sent in full each time. */
  async function talk({ client }: SetUp, stored: boolean, stream: boolean, back = (steps: Any[]) => steps) {
    const { interactions } = client;
    let input: Any = [{ type: 'user_input', content: [{ type: 'text', text: 'Add up.' }] }];
    let previous: string | undefined;
    for (let step = 0; step < 4; step += 1) {
      const ask = {
        model: STRICT,
        tools,
        store: stored,
        input,
        ...(previous && { previous_interaction_id: previous }),
      };
      let answer: Any;
      if (stream) {
        const created = await readAll(await interactions.create({ ...ask, stream: true }));
        const { interaction } = created.find(({ event_type }) => event_type === 'interaction.completed');
        const seen = created.filter(({ event_type }) => event_type === 'step.start').map(({ step: one }) => one);
        const deltas = created.filter(({ event_type }) => event_type === 'step.delta');
        for (const { index, delta } of deltas) {
          if (delta.type === 'arguments_delta') seen[index].json = (seen[index].json ?? '') + delta.arguments;
          if (delta.type === 'thought_signature') seen[index].signature = delta.signature;
        }
        const steps = seen.map(({ json, ...one }) => (json ? { ...one, arguments: JSON.parse(json) } : one));
        answer = { ...interaction, steps: interaction.steps ?? steps };
      } else answer = await interactions.create(ask);
      const results = resultsOf(answer.steps);
      if (results.length === 0) return;
      previous = stored ? answer.id : undefined;
      input = stored ? results : [...input, ...back(answer.steps), ...results];
    }
  }

  it.each([
    ['kept', true, false],
    ['kept, streamed', true, true],
    ['sent in full', false, false],
  ] as const)('%s: every request once, and nothing to find', async (_name, stored, stream) => {
    const all = await setUp(sdk);
    await talk(all, stored, stream);
    expect(all.ended()).toHaveLength(3);
    expect(all.findings()).toEqual([]);
    expect(all.continuity().slice(1)).toEqual(['intact', 'intact']);
  });

  it('sent in full without its thoughts: told', async () => {
    const all = await setUp(sdk);
    await talk(all, false, false, (steps) => steps.filter(({ type }) => type !== 'thought')).catch(() => undefined);
    expect(all.findings()[0]).toMatchObject({ step: 1, kind: 'dropped', culprit: undefined });
  });

  it('in the background: known by what was fetched', async () => {
    const all = await setUp(sdk);
    const { interactions } = all.client;
    const begun = await interactions.create({ model: STRICT, tools, background: true, input: 'Add up.' });
    let fetched = await interactions.get(begun.id);
    for (let time = 0; time < 20 && fetched.status === 'in_progress'; time += 1)
      fetched = await interactions.get(begun.id);
    const results = resultsOf(fetched.steps);
    expect(results.length).toBeGreaterThan(0);
    await interactions.create({ model: STRICT, tools, previous_interaction_id: begun.id, input: results });
    expect(all.continuity()).toEqual(['not_applicable', 'intact']);
    expect(all.ended()).toHaveLength(2);
  });
});
