/**
 * Every way to call, as an application would write it, against one scenario of the wire server each. One text runs on
 * every version of the SDK, and a version that lacks a method answers `absent`.
 */
import type { Any } from '../../support/call-shapes.ts';
import { startMcpAdder } from './mcp-adder.ts';

export interface ShapeTools {
  readonly Sdk: Any;
  /** A client of one scenario. */
  client(scenario: string, options?: Record<string, unknown>): Any;
  arrived(): Promise<void>;
  answered(): Promise<void>;
  /** Order of events as the application sees them. */
  log(entry: unknown): void;
  readonly describe: (value: unknown) => unknown;
}

export type Shape = (tools: ShapeTools) => unknown;

const absent = 'absent';
const MODEL = 'gemini-3.8-flash';
const CONTENTS = [{ role: 'user', parts: [{ text: 'What is 2+2?' }] }];
const BODY = { model: MODEL, contents: CONTENTS };
const NO_AFC = { automaticFunctionCalling: { disable: true } };
const REFUSALS = ['bad', 'unauthorized', 'missing', 'limited', 'broken', 'plain-error'];

async function readAll(stream: AsyncIterable<unknown>, log: ShapeTools['log']): Promise<void> {
  for await (const event of stream) log(event);
}

const named = (prefix: string, shapes: Readonly<Record<string, Shape>>): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${prefix} ${name}`, shape]));

/** A tool that the SDK calls by itself. */
const adder = {
  tool: async () => ({ functionDeclarations: [{ name: 'add', parameters: { type: 'OBJECT', properties: {} } }] }),
  callTool: async (calls: Any[]) =>
    calls.map(({ id, name, args }) => ({
      functionResponse: { ...(id && { id }), name, response: { result: args.a + args.b } },
    })),
};

const GENERATE: Readonly<Record<string, Shape>> = {
  'generate: await': async ({ client }) => client('ok').models.generateContent(BODY),
  'generate: then, catch, finally': async ({ client, log }) => {
    log(
      await client('ok')
        .models.generateContent(BODY)
        .then((answer: Any) => answer.text),
    );
    log(
      await client('ok')
        .models.generateContent(BODY)
        .catch(() => 'never'),
    );
    return client('ok')
      .models.generateContent(BODY)
      .finally(() => log('finally'));
  },
  'generate: the promise itself': async ({ client, log, describe }) => {
    const promise = client('ok').models.generateContent(BODY);
    log([promise instanceof Promise, Reflect.ownKeys(promise).map(String), describe(promise)]);
    const first = await promise;
    return [await promise].includes(first);
  },
  'generate: getters of the answer': async ({ client, Sdk }) => {
    const answer = await client('tools').models.generateContent({ ...BODY, config: NO_AFC });
    return [answer instanceof Sdk.GenerateContentResponse, answer.text, answer.functionCalls];
  },
  'generate: contents as text': async ({ client }) =>
    client('ok').models.generateContent({ model: MODEL, contents: 'hi' }),
  'generate: contents as parts': async ({ client }) =>
    client('ok').models.generateContent({ model: MODEL, contents: [{ text: 'one' }, { text: 'two' }] }),
  'generate: configured': async ({ client }) =>
    client('ok').models.generateContent({
      ...BODY,
      config: {
        temperature: 0.5,
        maxOutputTokens: 64,
        systemInstruction: 'Add.',
        thinkingConfig: { thinkingBudget: 128, includeThoughts: true },
        tools: [{ functionDeclarations: [{ name: 'add' }] }],
        httpOptions: { headers: { 'X-Extra': 'one' } },
      },
    }),
  'generate: frozen params stay as they are': async ({ client }) => {
    const params = Object.freeze({ ...BODY, config: Object.freeze({ temperature: 0.5 }) });
    await client('ok').models.generateContent(params);
    return params;
  },
  'generate: no params': async ({ client }) => client('ok').models.generateContent(),
  'generate: no contents': async ({ client }) => client('ok').models.generateContent({ model: MODEL, contents: [] }),
  'generate: Vertex AI': async ({ client }) =>
    client('ok', { vertexai: true, apiKey: 'key' }).models.generateContent(BODY),
  'generate: several at once': async ({ client }) => {
    const { models } = client('ok');
    return (await Promise.all([1, 2, 3].map(() => models.generateContent(BODY)))).map(({ text }: Any) => text);
  },
  'generate: awaited long after the answer': async ({ client, answered }) => {
    const promise = client('ok').models.generateContent(BODY);
    await answered();
    return promise;
  },
  'generate: never awaited': async ({ client, answered }) => {
    client('ok').models.generateContent(BODY);
    await answered();
  },
  'generate: rejection never awaited': async ({ client, answered }) => {
    client('bad').models.generateContent(BODY);
    await answered();
  },
  'generate: two rejections, one handled': async ({ client, answered }) => {
    const { models } = client('bad');
    models.generateContent(BODY);
    await models.generateContent(BODY).catch(() => undefined);
    await answered();
  },
  'generate: rejection awaited late': async ({ client, answered }) => {
    const promise = client('bad').models.generateContent(BODY);
    await answered();
    return promise;
  },
  'generate: answered with nothing': async ({ client }) => client('empty').models.generateContent(BODY),
  'generate: answered with another shape': async ({ client }) => client('odd').models.generateContent(BODY),
  'generate: answered with broken JSON': async ({ client }) => client('bad-json').models.generateContent(BODY),
  'generate: answer cut off': async ({ client }) => client('bad-length').models.generateContent(BODY),
  'generate: no server': async ({ client }) =>
    client('ok', { httpOptions: { baseUrl: 'http://127.0.0.1:9' } }).models.generateContent(BODY),
  'generate: timeout': async ({ client }) =>
    client('hang').models.generateContent({ ...BODY, config: { httpOptions: { timeout: 60 } } }),
  'generate: aborted before': async ({ client }) =>
    client('ok').models.generateContent({ ...BODY, config: { abortSignal: AbortSignal.abort() } }),
  'generate: aborted while waiting': async ({ client, arrived }) => {
    const controller = new AbortController();
    const promise = client('hang').models.generateContent({ ...BODY, config: { abortSignal: controller.signal } });
    void arrived().then(() => controller.abort());
    return promise;
  },
  'generate: continued': async ({ client }) => client('cut').models.generateContent(BODY),
  'generate: counted and embedded': async ({ client }) => client('ok').models.countTokens(BODY),
};

const STREAM: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    ['with its tools', 'by hand'].flatMap((mode): [string, Shape][] => {
      // Without automatic function calling the application reads the stream of the request itself.
      const body = mode === 'by hand' ? { ...BODY, config: NO_AFC } : BODY;
      const open = (client: Any): Any => client.models.generateContentStream(body);
      return Object.entries({
        'read to the end': async ({ client, log }) => readAll(await open(client('ok')), log),
        'the stream itself': async ({ client, log, describe }) => {
          const stream = await open(client('ok'));
          log([Reflect.ownKeys(stream).map(String), Object.keys(stream), describe(stream)]);
          log(stream[Symbol.asyncIterator]() === stream);
          log(Object.prototype.toString.call(stream));
          await readAll(stream, log);
        },
        'early break': async ({ client, log }) => {
          for await (const chunk of await open(client('ok'))) {
            log(chunk);
            if (chunk.text === 'It ') break;
          }
        },
        'throw inside the loop': async ({ client }) => {
          for await (const _ of await open(client('ok'))) throw new Error('mine');
        },
        'read on with next': async ({ client, log }) => {
          const stream = await open(client('ok'));
          log(await stream.next());
          log(await Promise.all([stream.next(), stream.next(), stream.next()]));
          log(await stream.return('mine'));
          log(await stream.next());
        },
        'ended with throw': async ({ client, log }) => {
          const stream = await open(client('ok'));
          log(await stream.next());
          return stream.throw(new Error('mine'));
        },
        'read twice': async ({ client, log }) => {
          const stream = await open(client('ok'));
          await readAll(stream, log);
          await readAll(stream, log);
        },
        'changed by the reader': async ({ client, log }) => {
          for await (const chunk of await open(client('ok'))) {
            chunk.mine = true;
            delete chunk.candidates;
            log(chunk);
          }
        },
        'ends with nothing': async ({ client, log }) => readAll(await open(client('bare')), log),
        'cut off': async ({ client, log }) => readAll(await open(client('cut-off')), log),
        'ends early': async ({ client, log }) => readAll(await open(client('ends-early')), log),
        'error event': async ({ client, log }) => readAll(await open(client('error-event')), log),
        'broken event': async ({ client, log }) => readAll(await open(client('bad-event')), log),
        'never read': async ({ client }) => void (await open(client('ok'))),
        continued: async ({ client, log }) => readAll(await open(client('cut')), log),
        'aborted while reading': async ({ client, log }) => {
          const controller = new AbortController();
          const config = { ...(mode === 'by hand' && NO_AFC), abortSignal: controller.signal };
          const stream = await client('hang-in-stream').models.generateContentStream({ ...BODY, config });
          for await (const chunk of stream) {
            log(chunk);
            if (chunk.text === 'is ') setTimeout(() => controller.abort(), 5);
          }
        },
        'rejection never awaited': async ({ client, answered }) => {
          open(client('bad'));
          await answered();
        },
        ...Object.fromEntries(
          REFUSALS.map((scenario) => [
            scenario,
            (async ({ client, log }) => readAll(await open(client(scenario)), log)) satisfies Shape,
          ]),
        ),
      } satisfies Record<string, Shape>).map(([name, shape]) => [`${name}, ${mode}`, shape]);
    }),
  ),
  'Vertex AI': async ({ client, log }) =>
    readAll(
      await client('ok', { vertexai: true, apiKey: 'key' }).models.generateContentStream({ ...BODY, config: NO_AFC }),
      log,
    ),
};

const CHAT: Readonly<Record<string, Shape>> = {
  'two messages': async ({ client, log }) => {
    const chat = client('ok').chats.create({ model: MODEL });
    log(await chat.sendMessage({ message: 'one' }));
    log(await chat.sendMessage({ message: 'two' }));
    return [chat.getHistory(), chat.getHistory(true), Reflect.ownKeys(chat).map(String)];
  },
  'two messages at once': async ({ client }) => {
    const chat = client('ok').chats.create({ model: MODEL, history: CONTENTS });
    return Promise.all([chat.sendMessage({ message: 'one' }), chat.sendMessage({ message: 'two' })]);
  },
  'streamed twice': async ({ client, log }) => {
    const chat = client('ok').chats.create({ model: MODEL });
    await readAll(await chat.sendMessageStream({ message: 'one' }), log);
    await readAll(await chat.sendMessageStream({ message: 'two' }), log);
    return chat.getHistory();
  },
  'streamed, early break': async ({ client, log }) => {
    const chat = client('ok').chats.create({ model: MODEL });
    for await (const chunk of await chat.sendMessageStream({ message: 'one' })) {
      log(chunk);
      break;
    }
    await readAll(await chat.sendMessageStream({ message: 'two' }), log);
    return chat.getHistory();
  },
  refused: async ({ client }) => client('bad').chats.create({ model: MODEL }).sendMessage({ message: 'one' }),
  'refused, never awaited': async ({ client, answered }) => {
    client('bad').chats.create({ model: MODEL }).sendMessage({ message: 'one' });
    await answered();
  },
  'streamed, refused': async ({ client }) =>
    client('bad').chats.create({ model: MODEL }).sendMessageStream({ message: 'one' }),
  'that calls tools': async ({ client, log }) => {
    const chat = client('tools').chats.create({ model: MODEL, config: { tools: [adder] } });
    log(await chat.sendMessage({ message: 'one' }));
    return chat.getHistory();
  },
};

const TOOLS: Readonly<Record<string, Shape>> = {
  'called by the SDK': async ({ client }) =>
    client('tools').models.generateContent({ ...BODY, config: { tools: [adder] } }),
  'called by the SDK, streamed': async ({ client, log }) =>
    readAll(await client('tools').models.generateContentStream({ ...BODY, config: { tools: [adder] } }), log),
  'called by the SDK, streamed, early break': async ({ client, log }) => {
    for await (const chunk of await client('tools').models.generateContentStream({
      ...BODY,
      config: { tools: [adder] },
    })) {
      log(chunk);
      break;
    }
  },
  'one that throws': async ({ client }) => {
    const callTool = async () => {
      throw new Error('mine');
    };
    return client('tools').models.generateContent({ ...BODY, config: { tools: [{ ...adder, callTool }] } });
  },
  'of an MCP server': async ({ client, Sdk }) => {
    const { client: server, close } = await startMcpAdder();
    const tool = Sdk.mcpToTool(server);
    const answer = await client('tools').models.generateContent({ ...BODY, config: { tools: [tool] } });
    await close();
    return answer;
  },
  'of an MCP server, streamed': async ({ client, Sdk, log }) => {
    const { client: server, close } = await startMcpAdder();
    const tool = Sdk.mcpToTool(server);
    await readAll(await client('tools').models.generateContentStream({ ...BODY, config: { tools: [tool] } }), log);
    await close();
  },
};

const ASK = { model: MODEL, input: 'What is 2+2?' };

/** Not every version has them. */
const interactions = (shape: (tools: ShapeTools, of: (scenario: string) => Any) => unknown): Shape => {
  return (tools) => {
    const { prototype } = tools.Sdk.GoogleGenAI;
    if (!('interactions' in prototype)) return absent;
    return shape(tools, (scenario) => tools.client(scenario).interactions);
  };
};

const streamed = { ...ASK, stream: true };
const INTERACTIONS: Readonly<Record<string, Shape>> = {
  'create: await': interactions((_, of) => of('ok').create(ASK)),
  'create: the promise itself': interactions(async ({ log, describe }, of) => {
    const promise = of('ok').create(ASK);
    log([promise.constructor.name, Reflect.ownKeys(promise).map(String), describe(promise.then(() => 1))]);
    return promise;
  }),
  'create: the object itself': interactions(async ({ log, describe, client }, of) => {
    const own = client('ok');
    const first = own.interactions;
    log([[own.interactions].includes(first), Reflect.ownKeys(of('ok')).map(String)]);
    log(Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(own.interactions))).map(describe));
  }),
  'create: steps for input': interactions((_, of) =>
    of('ok').create({
      ...ASK,
      store: false,
      generation_config: { thinking_level: 'low' },
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'hi' }] }],
    }),
  ),
  'create: params missing': interactions((_, of) => of('ok').create()),
  'create: rejection never awaited': interactions(async ({ answered }, of) => {
    of('bad').create(ASK, { maxRetries: 0 });
    await answered();
  }),
  'create: answered with broken JSON': interactions((_, of) => of('bad-json').create(ASK, { maxRetries: 0 })),
  'create: aborted before': interactions((_, of) => of('ok').create(ASK, { signal: AbortSignal.abort() })),
  ...Object.fromEntries(
    ['bad', 'unauthorized', 'missing'].flatMap((scenario): [string, Shape][] => [
      [`create: ${scenario}`, interactions((_, of) => of(scenario).create(ASK, { maxRetries: 0 }))],
      [
        `stream: ${scenario}`,
        interactions(async ({ log }, of) => readAll(await of(scenario).create(streamed, { maxRetries: 0 }), log)),
      ],
    ]),
  ),
  'stream: read to the end': interactions(async ({ log }, of) => readAll(await of('ok').create(streamed), log)),
  'stream: the stream itself': interactions(async ({ log, describe }, of) => {
    const stream = await of('ok').create(streamed);
    log([Reflect.ownKeys(stream).map(String), describe(stream), Object.prototype.toString.call(stream)]);
    await readAll(stream, log);
  }),
  'stream: early break': interactions(async ({ log }, of) => {
    for await (const event of await of('ok').create(streamed)) {
      log(event);
      if (event.event_type === 'step.start') break;
    }
  }),
  'stream: throw inside the loop': interactions(async (_, of) => {
    for await (const _event of await of('ok').create(streamed)) throw new Error('mine');
  }),
  'stream: tee': interactions(async ({ log }, of) => {
    const [left, right] = (await of('ok').create(streamed)).tee();
    await readAll(left, (event) => log(['left', event]));
    await readAll(right, (event) => log(['right', event]));
  }),
  'stream: read with a reader': interactions(async ({ log }, of) => {
    const stream = await of('ok').create(streamed);
    const reader = (stream.getReader ? stream : stream.toReadableStream()).getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) log(step.value);
  }),
  'stream: cut off': interactions(async ({ log }, of) => readAll(await of('cut-off').create(streamed), log)),
  'stream: ends early': interactions(async ({ log }, of) => readAll(await of('ends-early').create(streamed), log)),
  'stream: error event': interactions(async ({ log }, of) => readAll(await of('error-event').create(streamed), log)),
  'stream: never read': interactions(async (_, of) => void (await of('ok').create(streamed))),
  'stored: get': interactions((_, of) => of('ok').get('int_01')),
  'stored: get, refused': interactions((_, of) => of('missing').get('int_01', {}, { maxRetries: 0 })),
  'stored: get as a stream': interactions(async ({ log }, of) =>
    readAll(await of('ok').get('int_01', { stream: true }), log),
  ),
};

/** Named `area what`; the scenario is in the call of `client`. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  ...GENERATE,
  ...Object.fromEntries(
    REFUSALS.map((scenario): [string, Shape] => [
      `generate: ${scenario}`,
      async ({ client }) => client(scenario).models.generateContent(BODY),
    ]),
  ),
  ...named('stream:', STREAM),
  ...named('chat:', CHAT),
  ...named('tools:', TOOLS),
  ...named('interactions', INTERACTIONS),
};
