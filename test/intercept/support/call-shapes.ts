/**
 * Every way to call, as an application would write it, against one scenario of the wire server each. The SDK is untyped
 * here on purpose: one text runs on every version, and a version that lacks a method answers `absent`.
 */

// biome-ignore lint/suspicious/noExplicitAny: the SDK under test comes in many versions, none of which gives the types
export type Any = any;

export interface ShapeTools {
  readonly Sdk: Any;
  /** A client of one scenario. */
  client(scenario: string, options?: Record<string, unknown>): Any;
  /** Resolves when a request of this shape has reached the server. */
  arrived(): Promise<void>;
  /** Resolves when the server has answered, and the answer has had time to be read. */
  answered(): Promise<void>;
  /** Order of events as the application sees them. */
  log(entry: unknown): void;
  readonly describe: (value: unknown) => unknown;
}

export type Shape = (tools: ShapeTools) => unknown;

const MESSAGES = [{ role: 'user', content: 'What is 2+2?' }];
const BODY = { model: 'claude-test', max_tokens: 64, messages: MESSAGES };
const STREAM = { ...BODY, stream: true };
const ONCE = { maxRetries: 0 };

const ADD_TOOL = {
  type: 'custom',
  name: 'add',
  description: 'adds',
  input_schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  run: ({ a, b }: { a: number; b: number }) => String(a + b),
  parse: (input: unknown) => input,
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readAll(stream: AsyncIterable<unknown>, log: ShapeTools['log']): Promise<void> {
  for await (const event of stream) log(event);
}

/** Subscribes to everything that a stream helper emits. */
const HELPER_EVENTS = [
  'connect',
  'streamEvent',
  'text',
  'thinking',
  'signature',
  'inputJson',
  'citation',
  'message',
  'contentBlock',
  'finalMessage',
  'error',
  'abort',
  'end',
];
function listen(stream: Any, log: ShapeTools['log'], names: readonly string[] = HELPER_EVENTS): void {
  for (const name of names) stream.on(name, (...args: unknown[]) => log([name, ...args]));
}

const absent = 'absent';

/** Named `area: what`; the scenario is in the call of `client`. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'create: await': async ({ client }) => client('ok').messages.create(BODY),
  'create: then': ({ client }) =>
    client('ok')
      .messages.create(BODY)
      .then((message: Any) => message.content),
  'create: catch passes values on': ({ client }) =>
    client('ok')
      .messages.create(BODY)
      .catch(() => 'never'),
  'create: finally': async ({ client, log }) =>
    client('ok')
      .messages.create(BODY)
      .finally(() => log('finally')),
  'create: the promise itself': async ({ client, Sdk, log, describe }) => {
    const promise = client('ok').messages.create(BODY);
    log([
      promise instanceof Promise,
      Sdk.APIPromise ? promise instanceof Sdk.APIPromise : absent,
      promise.constructor.name,
    ]);
    log(Reflect.ownKeys(promise).map(String));
    log(Object.keys(promise));
    log(describe(promise.then(() => 1)));
    log([typeof promise.asResponse, typeof promise.withResponse, typeof promise._thenUnwrap]);
    return promise;
  },
  'create: awaited twice gives one object': async ({ client }) => {
    const promise = client('ok').messages.create(BODY);
    const [first, second] = [await promise, await promise];
    return first === second;
  },
  'create: awaited long after the answer': async ({ client, answered }) => {
    const promise = client('ok').messages.create(BODY);
    await answered();
    return promise;
  },
  'create: withResponse': async ({ client }) => client('ok').messages.create(BODY).withResponse(),
  'create: asResponse': async ({ client }) => {
    const response = await client('ok').messages.create(BODY).asResponse();
    return [response, await response.text()];
  },
  'create: asResponse, then parsed': async ({ client, log }) => {
    const promise = client('ok').messages.create(BODY);
    log((await promise.asResponse()).status);
    return promise;
  },
  'create: asResponse and parse in one breath': async ({ client }) => {
    const promise = client('ok').messages.create(BODY);
    const response = promise.asResponse();
    return [await promise, (await response).bodyUsed];
  },
  'create: _thenUnwrap': async ({ client }) =>
    client('ok')
      .messages.create(BODY)
      ._thenUnwrap((m: Any) => m.usage),
  'create: several at once, awaited in turn': async ({ client, answered }) => {
    const own = client('ok');
    const promises = [own.messages.create(BODY), own.messages.create(BODY), own.messages.create(STREAM)];
    await answered();
    const results: unknown[] = [];
    for (const promise of promises) results.push((await promise).id ?? 'stream');
    (await promises[2]).controller.abort();
    return results;
  },
  'create: Promise.all and race': async ({ client }) => {
    const own = client('ok');
    const all = await Promise.all([own.messages.create(BODY), own.messages.create(BODY)]);
    return [all.length, await Promise.race([own.messages.create(BODY), pause(5000)])];
  },
  'create: frozen params stay as they are': async ({ client }) => {
    const params = Object.freeze({ ...BODY, messages: Object.freeze([Object.freeze({ ...MESSAGES[0] })]) });
    await client('ok').messages.create(params, Object.freeze({ headers: Object.freeze({ 'x-extra': '1' }) }));
    return params;
  },
  'create: request options reach the wire': async ({ client }) =>
    client('ok').messages.create(
      { ...BODY, metadata: { user_id: 'u' } },
      {
        headers: { 'anthropic-beta': 'one,two', 'X-Api-Key': 'other' },
        query: { a: 'b' },
        timeout: 9000,
        idempotencyKey: 'key',
      },
    ),
  'create: answered with text': async ({ client }) => client('text').messages.create(BODY),
  'create: answered with nothing': async ({ client }) => client('empty').messages.create(BODY),
  'create: answered with another shape': async ({ client }) => client('odd').messages.create(BODY),
  'create: answered with broken JSON': async ({ client }) => client('bad-json', ONCE).messages.create(BODY),
  'create: answer cut off': async ({ client }) => client('bad-length', ONCE).messages.create(BODY),
  'create: retried twice': async ({ client }) => client('flaky~create').messages.create(BODY),
  'create: timeout': async ({ client }) => client('hang', ONCE).messages.create(BODY, { timeout: 200 }),
  'create: no server': async ({ client }) =>
    client('ok', { ...ONCE, baseURL: 'http://127.0.0.1:9' }).messages.create(BODY),
  'create: aborted before': async ({ client }) => client('ok').messages.create(BODY, { signal: AbortSignal.abort() }),
  'create: aborted while waiting': async ({ client, arrived }) => {
    const controller = new AbortController();
    const promise = client('hang').messages.create(BODY, { signal: controller.signal });
    void arrived().then(() => controller.abort());
    return promise;
  },
  'create: too many tokens, thrown synchronously': ({ client, log }) => {
    try {
      return client('ok').messages.create({ ...BODY, max_tokens: 1_000_000 });
    } catch (error) {
      log(['synchronous', error]);
      return 'thrown';
    }
  },
  'create: params missing, thrown synchronously': ({ client, log }) => {
    try {
      return client('ok').messages.create();
    } catch (error) {
      log(['synchronous', (error as Error).name]);
      return 'thrown';
    }
  },
  ...Object.fromEntries(
    ['bad', 'unauthorized', 'missing', 'limited', 'broken', 'plain-error'].flatMap((scenario): [string, Shape][] => [
      [`create: ${scenario}`, async ({ client }) => client(scenario, ONCE).messages.create(BODY)],
      [
        `create: ${scenario}, asResponse`,
        async ({ client }) => client(scenario, ONCE).messages.create(BODY).asResponse(),
      ],
      [
        `create: ${scenario}, withResponse`,
        async ({ client }) => client(scenario, ONCE).messages.create(BODY).withResponse(),
      ],
      [
        `stream: ${scenario}`,
        async ({ client, log }) => readAll(await client(scenario, ONCE).messages.create(STREAM), log),
      ],
      [
        `helper: ${scenario}`,
        async ({ client, log }) => {
          const stream = client(scenario, ONCE).messages.stream(BODY);
          listen(stream, log);
          return stream.finalMessage();
        },
      ],
    ]),
  ),
  'create: rejection never awaited': async ({ client, answered }) => {
    client('bad', ONCE).messages.create(BODY);
    await answered();
  },
  'create: two rejections, one handled': async ({ client, answered }) => {
    const own = client('bad', ONCE);
    own.messages.create(BODY);
    await own.messages.create(BODY).catch(() => undefined);
    await answered();
  },
  'create: never awaited': async ({ client, answered }) => {
    client('ok').messages.create(BODY);
    await answered();
  },
  'create: rejection awaited late': async ({ client, answered }) => {
    const promise = client('bad', ONCE).messages.create(BODY);
    await answered();
    return promise;
  },

  'stream: read to the end': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    await readAll(stream, log);
    return stream;
  },
  'stream: before any read': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    log(Object.keys(stream));
    stream.controller.abort();
    return stream;
  },
  'stream: never read': async ({ client }) => {
    await client('ok').messages.create(STREAM);
  },
  'stream: withResponse': async ({ client, log }) => {
    const { data, response, request_id } = await client('ok').messages.create(STREAM).withResponse();
    await readAll(data, log);
    return [response, request_id];
  },
  'stream: asResponse': async ({ client }) => (await client('ok').messages.create(STREAM).asResponse()).text(),
  'stream: early break': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    for await (const event of stream) {
      log(event);
      if (event.type === 'content_block_delta') break;
    }
    return stream.controller.signal.aborted;
  },
  'stream: break at message_stop': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    for await (const event of stream) {
      log(event);
      if (event.type === 'message_stop') break;
    }
    return stream.controller.signal.aborted;
  },
  'stream: throw inside the loop': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    try {
      for await (const _ of stream) throw new Error('mine');
    } catch (error) {
      log(error);
    }
    return stream.controller.signal.aborted;
  },
  'stream: return inside the loop': async ({ client }) => {
    const stream = await client('ok').messages.create(STREAM);
    const first = async () => {
      for await (const event of stream) return event;
    };
    return [await first(), stream.controller.signal.aborted];
  },
  'stream: by hand': async ({ client, log, describe }) => {
    const stream = await client('ok').messages.create(STREAM);
    const iterator = stream[Symbol.asyncIterator]();
    log(Object.keys(iterator));
    log([
      typeof iterator.next,
      typeof iterator.return,
      typeof iterator.throw,
      describe(iterator[Symbol.asyncIterator]() === iterator),
    ]);
    log(await iterator.next());
    log(await Promise.all([iterator.next(), iterator.next(), iterator.next()]));
    log(await iterator.return('mine'));
    log(await iterator.next());
    return stream.controller.signal.aborted;
  },
  'stream: throw by hand': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    const iterator = stream[Symbol.asyncIterator]();
    log(await iterator.next());
    try {
      log(await iterator.throw(new Error('mine')));
    } catch (error) {
      log(error);
    }
    return stream.controller.signal.aborted;
  },
  'stream: returned before the first read': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    log(await stream[Symbol.asyncIterator]().return());
    stream.controller.abort();
  },
  'stream: read twice': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    await readAll(stream, () => undefined);
    await readAll(stream, log);
  },
  'stream: second reader beside the first': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    const first = stream[Symbol.asyncIterator]();
    log(await first.next());
    await readAll(stream, log).catch((error: unknown) => log(error));
    for await (const event of first) log(event);
  },
  'stream: tee': async ({ client, log }) => {
    const [left, right] = (await client('ok').messages.create(STREAM)).tee();
    await Promise.all([
      readAll(left, (event) => log(['left', event])),
      readAll(right, (event) => log(['right', event])),
    ]);
    return [left, right];
  },
  'stream: toReadableStream': async ({ client }) => {
    const stream = await client('ok').messages.create(STREAM);
    return new Response(stream.toReadableStream()).text();
  },
  'stream: toReadableStream, cancelled': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    const reader = stream.toReadableStream().getReader();
    log((await reader.read()).done);
    await reader.cancel();
    return stream.controller.signal.aborted;
  },
  'stream: aborted through its controller': async ({ client, log }) => {
    const stream = await client('hang-in-stream').messages.create(STREAM);
    for await (const event of stream) {
      log(event);
      if (event.type === 'content_block_delta') stream.controller.abort();
    }
    return stream.controller.signal.aborted;
  },
  'stream: aborted between reads': async ({ client, log }) => {
    const stream = await client('hang-in-stream').messages.create(STREAM);
    const iterator = stream[Symbol.asyncIterator]();
    log(await iterator.next());
    stream.controller.abort();
  },
  'stream: aborted by the signal': async ({ client, log }) => {
    const controller = new AbortController();
    const stream = await client('hang-in-stream').messages.create(STREAM, { signal: controller.signal });
    for await (const event of stream) {
      log(event);
      if (event.type === 'content_block_delta') setTimeout(() => controller.abort(), 5);
    }
    return stream.controller.signal.aborted;
  },
  'stream: timeout before the headers': async ({ client, log }) =>
    readAll(await client('hang', ONCE).messages.create(STREAM, { timeout: 200 }), log),
  'stream: retried twice': async ({ client, log }) =>
    readAll(await client('flaky~stream').messages.create(STREAM), log),
  'stream: error event': async ({ client, log }) =>
    readAll(await client('error-event', ONCE).messages.create(STREAM), log),
  'stream: broken event': async ({ client, log }) =>
    readAll(await client('bad-event', ONCE).messages.create(STREAM), log),
  'stream: cut off': async ({ client, log }) => readAll(await client('cut-off', ONCE).messages.create(STREAM), log),
  'stream: ends early': async ({ client, log }) =>
    readAll(await client('ends-early', ONCE).messages.create(STREAM), log),
  'stream: events changed by the reader': async ({ client, log }) => {
    const stream = await client('ok').messages.create(STREAM);
    for await (const event of stream) {
      event.type = 'mine';
      log(Object.isFrozen(event));
    }
  },

  'helper: events in order': async ({ client, log }) => {
    const stream = client('ok').messages.stream(BODY);
    listen(stream, log);
    return [await stream.finalMessage(), await stream.finalText(), stream.constructor.name];
  },
  'helper: iterated': async ({ client, log }) => {
    const stream = client('ok').messages.stream(BODY);
    await readAll(stream, log);
    return stream.currentMessage ?? stream.messages;
  },
  'helper: early break': async ({ client, log }) => {
    const stream = client('ok').messages.stream(BODY);
    listen(stream, log, ['error', 'abort', 'end']);
    for await (const event of stream) {
      log(event.type);
      if (event.type === 'content_block_delta') break;
    }
    await pause(20);
    return [stream.aborted, stream.ended, stream.errored];
  },
  'helper: abort': async ({ client, log }) => {
    const stream = client('hang-in-stream').messages.stream(BODY);
    listen(stream, log, ['connect', 'error', 'abort', 'end']);
    stream.on('streamEvent', (event: Any) => event.type === 'content_block_delta' && stream.abort());
    return stream.finalMessage();
  },
  'helper: aborted by the signal': async ({ client, log }) => {
    const controller = new AbortController();
    const stream = client('hang-in-stream').messages.stream(BODY, { signal: controller.signal });
    listen(stream, log, ['connect', 'error', 'abort', 'end']);
    stream.on(
      'streamEvent',
      (event: Any) => event.type === 'content_block_delta' && setTimeout(() => controller.abort(), 5),
    );
    return stream.done();
  },
  'helper: withResponse': async ({ client }) => {
    const { data, response, request_id } = await client('ok').messages.stream(BODY).withResponse();
    await data.done();
    return [response, request_id];
  },
  'helper: error event': async ({ client, log }) => {
    const stream = client('error-event', ONCE).messages.stream(BODY);
    listen(stream, log);
    return stream.finalMessage();
  },
  'helper: cut off': async ({ client, log }) => {
    const stream = client('cut-off', ONCE).messages.stream(BODY);
    listen(stream, log, ['error', 'abort', 'end']);
    return stream.finalMessage();
  },
  'helper: ends early': async ({ client, log }) => {
    const stream = client('ends-early', ONCE).messages.stream(BODY);
    listen(stream, log, ['error', 'abort', 'end']);
    return stream.finalMessage();
  },
  'helper: nobody listens to its failure': async ({ client, answered }) => {
    client('bad', ONCE).messages.stream(BODY);
    await answered();
  },
  'helper: nobody listens': async ({ client, answered }) => {
    client('ok').messages.stream(BODY);
    await answered();
  },
  'helper: tools': async ({ client, log }) => {
    const stream = client('tools').messages.stream({
      ...BODY,
      tools: [{ name: 'add', input_schema: ADD_TOOL.input_schema }],
    });
    listen(stream, log);
    return stream.finalMessage();
  },
  'helper: toReadableStream': async ({ client }) => {
    const stream = client('ok').messages.stream(BODY);
    return new Response(stream.toReadableStream()).text();
  },
  'helper: a listener throws': async ({ client, log }) => {
    const stream = client('ok').messages.stream(BODY);
    stream.on('connect', () => {
      throw new Error('mine');
    });
    listen(stream, log, ['error', 'abort', 'end']);
    return stream.finalMessage();
  },

  'parse: plain': async ({ client }) => client('ok').messages.parse?.(BODY) ?? absent,
  'parse: format': async ({ client }) =>
    client('ok').messages.parse?.({
      ...BODY,
      output_config: {
        format: { type: 'json_schema', schema: { type: 'object' }, parse: (text: string) => JSON.parse(text) },
      },
    }) ?? absent,
  'parse: refused': async ({ client }) => client('bad', ONCE).messages.parse?.(BODY) ?? absent,

  'beta: create': async ({ client }) =>
    client('ok').beta.messages.create({ ...BODY, betas: ['interleaved-thinking-2025-05-14'] }),
  'beta: withResponse': async ({ client }) => client('ok').beta.messages.create(BODY).withResponse(),
  'beta: asResponse': async ({ client }) => (await client('ok').beta.messages.create(BODY).asResponse()).text(),
  'beta: refused': async ({ client }) => client('bad', ONCE).beta.messages.create(BODY),
  'beta: stream': async ({ client, log }) =>
    readAll(await client('ok').beta.messages.create({ ...STREAM, betas: ['a', 'b'] }), log),
  'beta: early break': async ({ client, log }) => {
    for await (const event of await client('ok').beta.messages.create(STREAM)) {
      log(event);
      break;
    }
  },
  'beta: helper': async ({ client, log }) => {
    const { beta } = client('ok');
    if (!beta.messages.stream) return absent;
    const stream = beta.messages.stream({ ...BODY, betas: ['a'] });
    listen(stream, log);
    return stream.finalMessage();
  },
  'beta: helper refused': async ({ client, log }) => {
    const { beta } = client('bad', ONCE);
    if (!beta.messages.stream) return absent;
    const stream = beta.messages.stream(BODY);
    listen(stream, log);
    return stream.finalMessage();
  },
  'beta: parse': async ({ client }) =>
    client('ok').beta.messages.parse?.({
      ...BODY,
      output_format: { type: 'json_schema', schema: { type: 'object' }, parse: (text: string) => JSON.parse(text) },
    }) ?? absent,
  'tool runner: to the end': async ({ client }) =>
    client('tools').beta.messages.toolRunner?.({ ...BODY, tools: [ADD_TOOL] }) ?? absent,
  'tool runner: step by step': async ({ client, log }) => {
    const runner = client('tools').beta.messages.toolRunner?.({ ...BODY, tools: [ADD_TOOL] });
    if (!runner) return absent;
    for await (const message of runner) log(message);
    return runner.params ?? runner.done?.();
  },
  'tool runner: streaming': async ({ client, log }) => {
    const runner = client('tools').beta.messages.toolRunner?.({ ...STREAM, tools: [ADD_TOOL] });
    if (!runner) return absent;
    for await (const stream of runner) for await (const event of stream) log(event);
    return runner.done?.();
  },
  'tool runner: left early': async ({ client, log }) => {
    const runner = client('tools').beta.messages.toolRunner?.({ ...BODY, tools: [ADD_TOOL] });
    if (!runner) return absent;
    for await (const message of runner) {
      log(message.id);
      break;
    }
  },
  'tool runner: refused': async ({ client }) =>
    client('bad', ONCE).beta.messages.toolRunner?.({ ...BODY, tools: [ADD_TOOL] }) ?? absent,
  'thread: two turns': async ({ client, log }) => {
    const thread = client('ok').beta.messages.thread?.({ model: 'claude-test', max_tokens: 64 });
    if (!thread) return absent;
    log(await thread.send({ role: 'user', content: 'one' }));
    return thread.send({ role: 'user', content: 'two' });
  },
  'thread: streaming': async ({ client, log }) => {
    const thread = client('ok').beta.messages.thread?.({ model: 'claude-test', max_tokens: 64 });
    if (!thread?.stream) return absent;
    const stream = thread.stream({ role: 'user', content: 'one' });
    listen(stream, log);
    return stream.finalMessage();
  },
  'thread: refused': async ({ client }) => {
    const thread = client('bad', ONCE).beta.messages.thread?.({ model: 'claude-test', max_tokens: 64 });
    return thread ? thread.send({ role: 'user', content: 'one' }) : absent;
  },

  'beside: post by hand': async ({ client }) => client('ok').post('/v1/messages', { body: BODY }),
  'beside: countTokens': async ({ client }) =>
    client('ok').messages.countTokens({ model: 'claude-test', messages: MESSAGES }),
  'beside: batches': async ({ client }) =>
    client('ok').messages.batches.create({ requests: [{ custom_id: 'a', params: BODY }] }),
  'beside: copy of the client': async ({ client }) =>
    client('ok').withOptions?.({ timeout: 9000 }).messages.create(BODY) ?? absent,
  'beside: subclass with its own post': async ({ Sdk, client, log }) => {
    const { baseURL } = client('ok');
    class Mine extends Sdk.Anthropic {
      post(path: string, options: unknown) {
        log(path);
        return super.post(path, options);
      }
    }
    return new (Mine as Any)({ apiKey: 'key', baseURL }).messages.create(BODY);
  },
  'beside: subclass with an async post': async ({ Sdk, client }) => {
    const { baseURL } = client('ok');
    class Mine extends Sdk.Anthropic {
      async post(path: string, options: unknown) {
        await pause(1);
        return super.post(path, options);
      }
    }
    const own = new (Mine as Any)({ apiKey: 'key', baseURL, openTelemetry: false });
    return own.messages.create(BODY);
  },
  'beside: custom fetch that throws': async ({ client }) =>
    client('ok', { ...ONCE, fetch: async () => Promise.reject(new TypeError('mine')) }).messages.create(BODY),
  'beside: custom fetch': async ({ client, log }) =>
    client('ok', {
      fetch: async (_url: unknown, init: Any) => {
        log(init.method);
        return new Response('{"id":"msg_03","content":[]}', { headers: { 'content-type': 'application/json' } });
      },
    }).messages.create(BODY),
  'beside: order among microtasks of one answer': async ({ client, log }) => {
    const promise = client('ok').messages.create(BODY);
    const first = promise.then(() => log('first'));
    const second = promise.then(() => log('second'));
    const third = promise.withResponse().then(() => log('third'));
    await Promise.all([first, second, third]);
  },
};
