/**
 * Every way to ask a model through the SDK, as an application would write it, against one scenario of the wire server
 * each. One text runs on every version.
 */
import { Readable } from 'node:stream';
import type { Any } from '../../support/call-shapes.ts';

export interface ShapeTools {
  readonly Sdk: Any;
  /** A client of one scenario. */
  client(scenario: string, options?: Record<string, unknown>): Any;
  arrived(): Promise<void>;
  /** Order of events as the application sees them. */
  log(entry: unknown): void;
  readonly describe: (value: unknown) => unknown;
}

export type Shape = (tools: ShapeTools) => unknown;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One pair of operations. */
interface Api {
  readonly name: string;
  readonly input: () => Record<string, unknown>;
  readonly command: string;
  /** Of the aggregated client. */
  readonly method: string;
  readonly stream: { readonly command: string; readonly method: string; readonly member: string };
}

const MODEL = 'anthropic.claude-test-v1:0';
const CONVERSE: Api = {
  name: 'converse',
  input: () => ({ modelId: MODEL, messages: [{ role: 'user', content: [{ text: 'What is 2+2?' }] }] }),
  command: 'ConverseCommand',
  method: 'converse',
  stream: { command: 'ConverseStreamCommand', method: 'converseStream', member: 'stream' },
};
const BODY = {
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'What is 2+2?' }],
};
const INVOKE: Api = {
  name: 'invoke',
  input: () => ({ modelId: MODEL, contentType: 'application/json', body: JSON.stringify(BODY) }),
  command: 'InvokeModelCommand',
  method: 'invokeModel',
  stream: { command: 'InvokeModelWithResponseStreamCommand', method: 'invokeModelWithResponseStream', member: 'body' },
};

async function readAll(stream: AsyncIterable<unknown>, log: ShapeTools['log']): Promise<void> {
  for await (const event of stream) log(event);
}

/** What holds for both. */
function shapesOf(api: Api): Readonly<Record<string, Shape>> {
  const command = ({ Sdk }: ShapeTools, input: unknown = api.input()): Any => new Sdk[api.command](input);
  const streaming = ({ Sdk }: ShapeTools): Any => new Sdk[api.stream.command](api.input());
  const open = async (tools: ShapeTools, scenario = 'ok', options?: unknown): Promise<Any> =>
    (await tools.client(scenario).send(streaming(tools), options))[api.stream.member];
  const refusals = ['bad', 'forbidden', 'missing', 'throttled', 'broken', 'unknown'];
  const shapes: Readonly<Record<string, Shape>> = {
    'send: await': async (tools) => tools.client('ok').send(command(tools)),
    'send: then, catch, finally': async (tools) => {
      const client = tools.client('ok');
      tools.log(await client.send(command(tools)).then(({ $metadata }: Any) => $metadata.httpStatusCode));
      tools.log((await client.send(command(tools)).catch(() => 'never')).$metadata.attempts);
      return client.send(command(tools)).finally(() => tools.log('finally'));
    },
    'send: the promise itself': async (tools) => {
      const promise = tools.client('ok').send(command(tools));
      tools.log([promise instanceof Promise, promise.constructor === Promise, Reflect.ownKeys(promise).map(String)]);
      return promise;
    },
    'send: several at once': async (tools) => {
      const client = tools.client('ok');
      const all = await Promise.all([1, 2, 3].map(() => client.send(command(tools))));
      return all.map(({ $metadata }: Any) => $metadata.httpStatusCode);
    },
    'send: one command twice': async (tools) => {
      const client = tools.client('ok');
      const one = command(tools);
      tools.log(one.middlewareStack.identify());
      await client.send(one);
      tools.log(tools.describe(one));
      await client.send(one);
      return one.middlewareStack.identify();
    },
    'send: the client and its stack stay as they are': async (tools) => {
      const client = tools.client('ok');
      const { middlewareStack } = client;
      const keys = Object.keys(middlewareStack).map((key) => [key, middlewareStack[key]]);
      await client.send(command(tools));
      tools.log(keys.every(([key, value]) => middlewareStack[key as string] === value));
      tools.log(Reflect.ownKeys(client).map(String));
      tools.log(middlewareStack.identify());
      return typeof client.send;
    },
    'send: frozen input stays as it is': async (tools) => {
      const input = Object.freeze(api.input());
      await tools.client('ok').send(command(tools, input));
      return input;
    },
    'send: callback': (tools) =>
      new Promise((resolve) => {
        const client = tools.client('ok');
        const returned = client.send(command(tools), (error: unknown, data: unknown) => resolve([error, data]));
        tools.log(returned);
      }),
    'send: options and callback': (tools) =>
      new Promise((resolve) => {
        const client = tools.client('ok');
        client.send(command(tools), {}, (error: unknown, data: unknown) => resolve([error, data]));
      }),
    'send: callback, refused': (tools) =>
      new Promise((resolve) => {
        tools.client('bad').send(command(tools), (error: unknown, data: unknown) => resolve([error, data]));
      }),
    'send: callback that throws': async (tools) => {
      tools.client('ok').send(command(tools), () => {
        throw new Error('mine');
      });
      await tools.arrived();
      await pause(100);
    },
    'method: await': async (tools) => tools.client('ok', { aggregated: true })[api.method](api.input()),
    'method: callback': (tools) =>
      new Promise((resolve) => {
        const client = tools.client('ok', { aggregated: true });
        client[api.method](api.input(), (error: unknown, data: unknown) => resolve([error, data]));
      }),
    'method: options and callback, refused': (tools) =>
      new Promise((resolve) => {
        const client = tools.client('bad', { aggregated: true });
        client[api.method](api.input(), {}, (error: unknown, data: unknown) => resolve([error, data]));
      }),
    'method: stream': async (tools) => {
      const output = await tools.client('ok', { aggregated: true })[api.stream.method](api.input());
      await readAll(output[api.stream.member], tools.log);
    },
    'send: answered with broken JSON': async (tools) => tools.client('bad-json').send(command(tools)),
    'send: answered with nothing': async (tools) => tools.client('empty').send(command(tools)),
    'send: answer cut off': async (tools) => tools.client('cut-off').send(command(tools)),
    'send: retried twice': async (tools) => tools.client(`flaky~${api.name}`, { maxAttempts: 3 }).send(command(tools)),
    'send: no server': async (tools) => tools.client('ok', { endpoint: 'http://127.0.0.1:9' }).send(command(tools)),
    'send: no credentials': async (tools) =>
      tools
        .client('ok', {
          credentials: async () => {
            throw new Error('no credentials here');
          },
        })
        .send(command(tools)),
    'send: model missing': async (tools) => tools.client('ok').send(command(tools, { messages: [], body: '{}' })),
    'send: aborted before': async (tools) =>
      tools.client('ok').send(command(tools), { abortSignal: AbortSignal.abort() }),
    'send: aborted while waiting': async (tools) => {
      const controller = new AbortController();
      const promise = tools.client('hang').send(command(tools), { abortSignal: controller.signal });
      void tools.arrived().then(() => controller.abort());
      return promise;
    },
    ...Object.fromEntries(
      refusals.flatMap((scenario): [string, Shape][] => [
        [`send: ${scenario}`, async (tools) => tools.client(scenario).send(command(tools))],
        [`stream: ${scenario}`, async (tools) => readAll(await open(tools, scenario), tools.log)],
      ]),
    ),
    'send: rejection never awaited': async (tools) => {
      tools.client('bad').send(command(tools));
      await tools.arrived();
      await pause(100);
    },
    'send: rejection awaited late': async (tools) => {
      const promise = tools.client('bad').send(command(tools));
      await tools.arrived();
      await pause(100);
      return promise;
    },
    'send: never awaited': async (tools) => {
      tools.client('ok').send(command(tools));
      await tools.arrived();
      await pause(100);
    },
    'send: order among microtasks of one answer': async (tools) => {
      const promise = tools.client('ok').send(command(tools));
      const first = promise.then(() => tools.log('first'));
      const second = promise.then(() => tools.log('second'));
      await Promise.all([first, second]);
    },
    'middleware: one of its own at every step': async (tools) => {
      const client = tools.client('ok');
      for (const step of ['initialize', 'serialize', 'build', 'finalizeRequest', 'deserialize']) {
        client.middlewareStack.add(
          (next: Any, context: Any) => async (args: Any) => {
            tools.log([step, context.commandName, Object.keys(args).sort()]);
            const result = await next(args);
            tools.log([step, Object.keys(result)]);
            return result;
          },
          { step, name: `own-${step}` },
        );
      }
      return client.send(command(tools));
    },
    'middleware: one that answers itself': async (tools) => {
      const client = tools.client('ok');
      client.middlewareStack.add(() => async () => ({ output: { mine: true }, response: {} }), {
        step: 'finalizeRequest',
      });
      return client.send(command(tools));
    },
    'middleware: one that throws': async (tools) => {
      const client = tools.client('ok');
      client.middlewareStack.add(
        () => () => {
          throw new Error('mine');
        },
        { step: 'finalizeRequest', priority: 'high' },
      );
      return client.send(command(tools));
    },
    'client: handlers cached': async (tools) => {
      const client = tools.client('ok', { cacheMiddleware: true });
      await client.send(command(tools));
      await client.send(command(tools));
      return (await client.send(command(tools))).$metadata.httpStatusCode;
    },
    'client: a subclass with its own send': async (tools) => {
      class Mine extends tools.Sdk.BedrockRuntimeClient {
        async send(...args: unknown[]) {
          tools.log('mine');
          await pause(1);
          return super.send(...args);
        }
      }
      return tools.client('ok', { Client: Mine }).send(command(tools));
    },
    'client: send replaced by hand': async (tools) => {
      const client = tools.client('ok');
      client.send = async () => 'stubbed';
      return client.send(command(tools));
    },

    'stream: read to the end': async (tools) => {
      const stream = await open(tools);
      await readAll(stream, tools.log);
      return stream;
    },
    'stream: never read': async (tools) => {
      await open(tools);
    },
    'stream: early break': async (tools) => {
      let left = 3;
      for await (const event of await open(tools)) {
        tools.log(event);
        left -= 1;
        if (left === 0) break;
      }
    },
    'stream: throw inside the loop': async (tools) => {
      try {
        for await (const _ of await open(tools)) throw new Error('mine');
      } catch (error) {
        tools.log(error);
      }
    },
    'stream: by hand': async (tools) => {
      const iterator = (await open(tools))[Symbol.asyncIterator]();
      tools.log([Object.keys(iterator), typeof iterator.next, typeof iterator.return, typeof iterator.throw]);
      tools.log(await iterator.next());
      tools.log(await Promise.all([iterator.next(), iterator.next()]));
      tools.log(await iterator.return('mine'));
      tools.log(await iterator.next());
    },
    'stream: throw by hand': async (tools) => {
      const iterator = (await open(tools))[Symbol.asyncIterator]();
      tools.log(await iterator.next());
      try {
        tools.log(await iterator.throw(new Error('mine')));
      } catch (error) {
        tools.log(error);
      }
    },
    'stream: as a Readable': async (tools) => {
      const kinds: string[] = [];
      for await (const event of Readable.from(await open(tools))) kinds.push(Object.keys(event as object).join());
      return kinds;
    },
    'stream: events changed by the reader': async (tools) => {
      for await (const event of await open(tools)) {
        tools.log([Object.isFrozen(event), Object.keys(event as object)]);
        for (const key of Object.keys(event as object)) delete (event as Any)[key];
      }
    },
    'stream: exception event': async (tools) => readAll(await open(tools, 'exception-event'), tools.log),
    'stream: cut off': async (tools) => readAll(await open(tools, 'cut-off'), tools.log),
    'stream: ends early': async (tools) => readAll(await open(tools, 'ends-early'), tools.log),
    'stream: retried twice': async (tools) => {
      const client = tools.client(`flaky~${api.name}-stream`, { maxAttempts: 3 });
      await readAll((await client.send(streaming(tools)))[api.stream.member], tools.log);
    },
    'stream: aborted by the signal while reading': async (tools) => {
      const controller = new AbortController();
      const stream = await open(tools, 'hang-in-stream', { abortSignal: controller.signal });
      let count = 0;
      for await (const event of stream) {
        tools.log(event);
        count += 1;
        if (count === 3) setTimeout(() => controller.abort(), 5);
      }
    },
    'stream: aborted by the signal between reads': async (tools) => {
      const controller = new AbortController();
      const stream = await open(tools, 'hang-in-stream', { abortSignal: controller.signal });
      tools.log(await stream[Symbol.asyncIterator]().next());
      controller.abort();
      await pause(20);
    },
    'stream: callback': (tools) =>
      new Promise((resolve, reject) => {
        const client = tools.client('ok');
        client.send(streaming(tools), (error: unknown, data: Any) => {
          if (error) reject(error);
          else readAll(data[api.stream.member], tools.log).then(resolve, reject);
        });
      }),
  };
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${api.name} ${name}`, shape]));
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  ...shapesOf(CONVERSE),
  ...shapesOf(INVOKE),
  'invoke body: bytes': async ({ Sdk, client }) =>
    client('ok').send(new Sdk.InvokeModelCommand({ ...INVOKE.input(), body: Buffer.from(JSON.stringify(BODY)) })),
  'invoke body: read as text': async ({ Sdk, client }) => {
    const { body } = await client('ok').send(new Sdk.InvokeModelCommand(INVOKE.input()));
    return body.transformToString();
  },
  'unjudged: InvokeModel with the body of another family': async ({ Sdk, client }) =>
    client('ok').send(new Sdk.InvokeModelCommand({ modelId: 'amazon.titan', body: '{"inputText":"hi"}' })),
  'unjudged: InvokeModel with a body that is no JSON': async ({ Sdk, client }) =>
    client('ok').send(new Sdk.InvokeModelCommand({ modelId: 'amazon.titan', body: 'hi' })),
  'unjudged: ApplyGuardrail': async ({ Sdk, client }) =>
    client('ok').send(
      new Sdk.ApplyGuardrailCommand({ guardrailIdentifier: 'g', guardrailVersion: '1', source: 'INPUT', content: [] }),
    ),
  'unjudged: a prompt in the place of messages': async ({ Sdk, client }) =>
    client('ok').send(new Sdk.ConverseCommand({ modelId: 'arn:aws:bedrock:us-east-1:123456789012:prompt/P' })),
};
