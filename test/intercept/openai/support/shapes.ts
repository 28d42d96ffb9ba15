/**
 * Every way to call, as an application would write it, against one scenario of the wire server each. One text runs on
 * every version of the SDK, and a version that lacks a method answers `absent`.
 */
import type { Any } from '../../support/call-shapes.ts';
import { SOCKET_SHAPES } from './socket-shapes.ts';

export interface ShapeTools {
  readonly Sdk: Any;
  /** A module of the package: `resources/responses/ws`; undefined where there is none. */
  load(path: string): Promise<Any>;
  /** A client of one scenario. */
  client(scenario: string, options?: Record<string, unknown>): Any;
  arrived(): Promise<void>;
  answered(): Promise<void>;
  /** Order of events as the application sees them. */
  log(entry: unknown): void;
  readonly describe: (value: unknown) => unknown;
}

export type Shape = (tools: ShapeTools) => unknown;

const ONCE = { maxRetries: 0 };
const absent = 'absent';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readAll(stream: AsyncIterable<unknown>, log: ShapeTools['log']): Promise<void> {
  for await (const event of stream) log(event);
}

function listen(stream: Any, log: ShapeTools['log'], names: readonly string[]): void {
  for (const name of names) stream.on(name, (...args: unknown[]) => log([name, ...args]));
}

/** One API: what is sent, where it is called, and the third event of its stream, the last before it hangs. */
interface Api {
  readonly name: string;
  readonly body: Record<string, unknown>;
  readonly resource: (client: Any) => Any;
  readonly isThird: (event: Any) => boolean;
}

const CHAT: Api = {
  name: 'chat',
  body: { model: 'gpt-test', messages: [{ role: 'user', content: 'What is 2+2?' }] },
  resource: (client) => client.chat.completions,
  isThird: (event) => event.choices?.[0]?.delta.reasoning_content === 'two',
};
const RESPONSES: Api = {
  name: 'responses',
  body: { model: 'gpt-test', input: [{ role: 'user', content: 'What is 2+2?' }] },
  resource: (client) => client.responses,
  isThird: (event) => event.type === 'response.output_item.added',
};

const named = (prefix: string, shapes: Readonly<Record<string, Shape>>): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${prefix} ${name}`, shape]));

/** What holds for both APIs. */
function shapesOf({ name, body, resource, isThird }: Api): Readonly<Record<string, Shape>> {
  const streaming = { ...body, stream: true };
  const create = (client: Any, options?: unknown): Any => resource(client).create(body, options);
  const stream = (client: Any, options?: unknown): Any => resource(client).create(streaming, options);
  const refusals = ['bad', 'unauthorized', 'missing', 'limited', 'broken', 'plain-error'];
  return named(name, {
    'create: await': async ({ client }) => create(client('ok')),
    'create: then, catch, finally': async ({ client, log }) => {
      log(await create(client('ok')).then((answer: Any) => answer.id));
      log(await create(client('ok')).catch(() => 'never'));
      return create(client('ok')).finally(() => log('finally'));
    },
    'create: the promise itself': async ({ client, Sdk, log, describe }) => {
      const promise = create(client('ok'));
      log([promise instanceof Promise, Sdk.APIPromise ? promise instanceof Sdk.APIPromise : absent]);
      log([promise.constructor.name, Reflect.ownKeys(promise).map(String), Object.keys(promise)]);
      log(describe(promise.then(() => 1)));
      log(Reflect.ownKeys(promise).map((key) => describe(Object.getOwnPropertyDescriptor(promise, key))));
      return promise;
    },
    'create: awaited twice gives one object': async ({ client }) => {
      const promise = create(client('ok'));
      return [await promise, await promise].every((value, _, [first]) => value === first);
    },
    'create: awaited long after the answer': async ({ client, answered }) => {
      const promise = create(client('ok'));
      await answered();
      return promise;
    },
    'create: withResponse': async ({ client }) => create(client('ok')).withResponse(),
    'create: asResponse': async ({ client }) => {
      const response = await create(client('ok')).asResponse();
      return [response.status, await response.text()];
    },
    'create: asResponse, then parsed': async ({ client, log }) => {
      const promise = create(client('ok'));
      log((await promise.asResponse()).status);
      return promise;
    },
    'create: asResponse and parse in one breath': async ({ client }) => {
      const promise = create(client('ok'));
      const response = promise.asResponse();
      return [await promise, (await response).status];
    },
    'create: _thenUnwrap': async ({ client }) => create(client('ok'))._thenUnwrap((answer: Any) => answer.usage),
    'create: _thenUnwrap twice': async ({ client }) =>
      create(client('ok'))
        ._thenUnwrap((answer: Any) => [answer.usage])
        ._thenUnwrap(([usage]: Any) => usage)
        .withResponse(),
    'create: _thenUnwrap that throws': async ({ client }) =>
      create(client('ok'))._thenUnwrap(() => {
        throw new Error('mine');
      }),
    'create: several at once, awaited in turn': async ({ client, answered }) => {
      const own = client('ok');
      const promises = [create(own), create(own), stream(own)];
      await answered();
      const results: unknown[] = [];
      for (const promise of promises) results.push((await promise).id ?? 'stream');
      (await promises[2]).controller.abort();
      return results;
    },
    'create: frozen params stay as they are': async ({ client }) => {
      const params = Object.freeze({ ...body, metadata: Object.freeze({ a: 'b' }) });
      await resource(client('ok')).create(params, Object.freeze({ headers: Object.freeze({ 'x-extra': '1' }) }));
      return params;
    },
    'create: request options reach the wire': async ({ client }) =>
      create(client('ok'), {
        headers: { 'X-Extra': 'one', Authorization: 'Bearer other' },
        query: { a: 'b' },
        timeout: 9000,
      }),
    'create: answered with text': async ({ client }) => create(client('text')),
    'create: answered with nothing': async ({ client }) => create(client('empty')),
    'create: answered with another shape': async ({ client }) => create(client('odd')),
    'create: answered with broken JSON': async ({ client }) => create(client('bad-json', ONCE)),
    'create: answer cut off': async ({ client }) => {
      const own = client('bad-length', ONCE);
      // With node-fetch, up to openai 4, this never comes back, with or without us.
      return own.withOptions ? create(own) : absent;
    },
    'create: retried twice': async ({ client }) => create(client(`flaky~${name}`)),
    'create: timeout': async ({ client }) => create(client('hang', ONCE), { timeout: 100 }),
    'create: no server': async ({ client }) => create(client('ok', { ...ONCE, baseURL: 'http://127.0.0.1:9' })),
    'create: aborted before': async ({ client }) => create(client('ok'), { signal: AbortSignal.abort() }),
    'create: aborted while waiting': async ({ client, arrived }) => {
      const controller = new AbortController();
      const promise = create(client('hang'), { signal: controller.signal });
      void arrived().then(() => controller.abort());
      return promise;
    },
    'create: params missing, thrown synchronously': ({ client, log }) => {
      try {
        return resource(client('ok')).create();
      } catch (error) {
        log(['synchronous', (error as Error).name]);
        return 'thrown';
      }
    },
    ...Object.fromEntries(
      refusals.flatMap((scenario): [string, Shape][] => [
        [`create: ${scenario}`, async ({ client }) => create(client(scenario, ONCE))],
        [`stream: ${scenario}`, async ({ client, log }) => readAll(await stream(client(scenario, ONCE)), log)],
      ]),
    ),
    'create: refused, asResponse': async ({ client }) => create(client('bad', ONCE)).asResponse(),
    'create: refused, withResponse': async ({ client }) => create(client('bad', ONCE)).withResponse(),
    'create: refused, _thenUnwrap': async ({ client }) => create(client('bad', ONCE))._thenUnwrap(() => 1),
    'create: rejection never awaited': async ({ client, answered }) => {
      create(client('bad', ONCE));
      await answered();
    },
    'create: rejection of a promise of a promise never awaited': async ({ client, answered }) => {
      create(client('bad', ONCE))._thenUnwrap(() => 1);
      await answered();
    },
    'create: two rejections, one handled': async ({ client, answered }) => {
      const own = client('bad', ONCE);
      create(own);
      await create(own).catch(() => undefined);
      await answered();
    },
    'create: never awaited': async ({ client, answered }) => {
      create(client('ok'));
      await answered();
    },
    'create: rejection awaited late': async ({ client, answered }) => {
      const promise = create(client('bad', ONCE));
      await answered();
      return promise;
    },

    'stream: read to the end': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      await readAll(answer, log);
      return answer;
    },
    'stream: before any read': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      log(Reflect.ownKeys(answer).map(String));
      answer.controller.abort();
      return answer;
    },
    'stream: never read': async ({ client }) => {
      await stream(client('ok'));
    },
    'stream: withResponse': async ({ client, log }) => {
      const { data, response, request_id } = await stream(client('ok')).withResponse();
      await readAll(data, log);
      return [response.status, request_id];
    },
    'stream: asResponse': async ({ client }) => (await stream(client('ok')).asResponse()).text(),
    'stream: early break': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      for await (const event of answer) {
        log(event);
        if (isThird(event)) break;
      }
      return answer.controller.signal.aborted;
    },
    'stream: throw inside the loop': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      try {
        for await (const _ of answer) throw new Error('mine');
      } catch (error) {
        log(error);
      }
      return answer.controller.signal.aborted;
    },
    'stream: by hand': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      const iterator = answer[Symbol.asyncIterator]();
      log([Object.keys(iterator), typeof iterator.next, typeof iterator.return, typeof iterator.throw]);
      log(await iterator.next());
      log(await Promise.all([iterator.next(), iterator.next(), iterator.next()]));
      log(await iterator.return('mine'));
      log(await iterator.next());
      return answer.controller.signal.aborted;
    },
    'stream: throw by hand': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      const iterator = answer[Symbol.asyncIterator]();
      log(await iterator.next());
      try {
        log(await iterator.throw(new Error('mine')));
      } catch (error) {
        log(error);
      }
      return answer.controller.signal.aborted;
    },
    'stream: read twice': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      await readAll(answer, () => undefined);
      await readAll(answer, log);
    },
    'stream: tee': async ({ client, log }) => {
      const [left, right] = (await stream(client('ok'))).tee();
      await Promise.all([
        readAll(left, (event) => log(['left', event])),
        readAll(right, (event) => log(['right', event])),
      ]);
      return [left, right];
    },
    'stream: tee, one half left early': async ({ client, log }) => {
      const [left, right] = (await stream(client('ok'))).tee();
      for await (const event of left) {
        log(['left', event]);
        break;
      }
      await readAll(right, (event) => log(['right', event]));
    },
    'stream: toReadableStream': async ({ client }) =>
      new Response((await stream(client('ok'))).toReadableStream()).text(),
    'stream: toReadableStream, cancelled': async ({ client, log }) => {
      const answer = await stream(client('ok'));
      const reader = answer.toReadableStream().getReader();
      log((await reader.read()).done);
      await reader.cancel();
      return answer.controller.signal.aborted;
    },
    'stream: aborted through its controller': async ({ client, log }) => {
      const answer = await stream(client('hang-in-stream'));
      for await (const event of answer) {
        log(event);
        if (isThird(event)) answer.controller.abort();
      }
      return answer.controller.signal.aborted;
    },
    'stream: aborted between reads': async ({ client, log }) => {
      const answer = await stream(client('hang-in-stream'));
      log(await answer[Symbol.asyncIterator]().next());
      answer.controller.abort();
    },
    'stream: aborted by the signal': async ({ client, log }) => {
      const controller = new AbortController();
      const answer = await stream(client('hang-in-stream'), { signal: controller.signal });
      for await (const event of answer) {
        log(event);
        if (isThird(event)) setTimeout(() => controller.abort(), 5);
      }
      return answer.controller.signal.aborted;
    },
    'stream: timeout before the headers': async ({ client, log }) =>
      readAll(await stream(client('hang', ONCE), { timeout: 100 }), log),
    'stream: retried twice': async ({ client, log }) => readAll(await stream(client(`flaky~${name}-stream`)), log),
    'stream: error event': async ({ client, log }) => readAll(await stream(client('error-event', ONCE)), log),
    'stream: broken event': async ({ client, log }) => readAll(await stream(client('bad-event', ONCE)), log),
    'stream: cut off': async ({ client, log }) => readAll(await stream(client('cut-off', ONCE)), log),
    'stream: ends early': async ({ client, log }) => readAll(await stream(client('ends-early', ONCE)), log),
    'stream: events changed by the reader': async ({ client, log }) => {
      for await (const event of await stream(client('ok'))) {
        event.object = 'mine';
        event.type = 'mine';
        log(Object.isFrozen(event));
      }
    },

    'beside: custom fetch that throws': async ({ client }) =>
      create(client('ok', { ...ONCE, fetch: async () => Promise.reject(new TypeError('mine')) })),
    'beside: order among microtasks of one answer': async ({ client, log }) => {
      const promise = create(client('ok'));
      const first = promise.then(() => log('first'));
      const second = promise.then(() => log('second'));
      const third = promise.withResponse().then(() => log('third'));
      await Promise.all([first, second, third]);
    },
    'beside: subclass with its own post': async ({ Sdk, client, log }) => {
      class Mine extends Sdk.OpenAI {
        post(path: string, options: unknown) {
          log(path);
          return super.post(path, options);
        }
      }
      return create(new (Mine as Any)({ apiKey: 'key', baseURL: client('ok').baseURL }));
    },
    'beside: copy of the client': async ({ client }) => {
      const own = client('ok');
      return own.withOptions ? create(own.withOptions({ timeout: 9000 })) : absent;
    },
  });
}

const ADD = {
  type: 'function',
  function: {
    name: 'add',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    parse: JSON.parse,
    function: ({ a, b }: { a: number; b: number }) => String(a + b),
  },
};
const FORMAT = { type: 'json_schema', json_schema: { name: 'sum', schema: { type: 'object' } } };
const CHAT_EVENTS = ['connect', 'chunk', 'content', 'message', 'functionToolCall', 'functionToolCallResult'];
const ENDINGS = ['error', 'abort', 'end'];

/** Up to openai 4 these helpers are on `beta`. */
const chatHelpers = (client: Any): Any =>
  client.chat.completions.runTools ? client.chat.completions : client.beta.chat.completions;

const CHAT_SHAPES = named('chat', {
  'parse: await': async ({ client }) => chatHelpers(client('ok')).parse({ ...CHAT.body, response_format: FORMAT }),
  'parse: withResponse': async ({ client }) =>
    chatHelpers(client('ok'))
      .parse({ ...CHAT.body, response_format: FORMAT })
      .withResponse(),
  'parse: refused': async ({ client }) => chatHelpers(client('bad', ONCE)).parse(CHAT.body),
  'parse: never awaited, refused': async ({ client, answered }) => {
    chatHelpers(client('bad', ONCE)).parse(CHAT.body);
    await answered();
  },
  'helper: events in order': async ({ client, log }) => {
    const stream = chatHelpers(client('ok')).stream(CHAT.body);
    listen(stream, log, [...CHAT_EVENTS, ...ENDINGS]);
    return stream.finalChatCompletion();
  },
  'helper: iterated': async ({ client, log }) => readAll(chatHelpers(client('ok')).stream(CHAT.body), log),
  'helper: early break': async ({ client, log }) => {
    const stream = chatHelpers(client('ok')).stream(CHAT.body);
    listen(stream, log, ENDINGS);
    for await (const event of stream) {
      log(event);
      break;
    }
    await pause(10);
    return [stream.aborted, stream.ended, stream.errored];
  },
  'helper: abort': async ({ client, log }) => {
    const stream = chatHelpers(client('hang-in-stream')).stream(CHAT.body);
    listen(stream, log, ENDINGS);
    stream.on('chunk', (event: Any) => CHAT.isThird(event) && stream.abort());
    return stream.done();
  },
  'helper: error event': async ({ client, log }) => {
    const stream = chatHelpers(client('error-event', ONCE)).stream(CHAT.body);
    listen(stream, log, ENDINGS);
    return stream.finalMessage();
  },
  'helper: cut off': async ({ client, log }) => {
    const stream = chatHelpers(client('cut-off', ONCE)).stream(CHAT.body);
    listen(stream, log, ENDINGS);
    return stream.finalMessage();
  },
  'helper: bad': async ({ client, log }) => {
    const stream = chatHelpers(client('bad', ONCE)).stream(CHAT.body);
    listen(stream, log, ENDINGS);
    return stream.finalMessage();
  },
  'helper: nobody listens to its failure': async ({ client, answered }) => {
    chatHelpers(client('bad', ONCE)).stream(CHAT.body);
    await answered();
  },
  'helper: toReadableStream': async ({ client }) =>
    new Response(chatHelpers(client('ok')).stream(CHAT.body).toReadableStream()).text(),
  'helper: a listener throws': async ({ client, log }) => {
    const stream = chatHelpers(client('ok')).stream(CHAT.body);
    stream.on('connect', () => {
      throw new Error('mine');
    });
    listen(stream, log, ENDINGS);
    return stream.finalMessage();
  },
  'runTools: to the end': async ({ client, log }) => {
    const runner = chatHelpers(client('tools')).runTools({ ...CHAT.body, tools: [ADD] });
    listen(runner, log, [...CHAT_EVENTS, ...ENDINGS]);
    return runner.finalContent();
  },
  'runTools: streamed': async ({ client, log }) => {
    const runner = chatHelpers(client('tools')).runTools({ ...CHAT.body, stream: true, tools: [ADD] });
    listen(runner, log, [...CHAT_EVENTS, ...ENDINGS]);
    return runner.finalContent();
  },
  'runTools: streamed, iterated': async ({ client, log }) =>
    readAll(chatHelpers(client('tools')).runTools({ ...CHAT.body, stream: true, tools: [ADD] }), log),
  'runTools: refused': async ({ client, log }) => {
    const runner = chatHelpers(client('bad', ONCE)).runTools({ ...CHAT.body, tools: [ADD] });
    listen(runner, log, ENDINGS);
    return runner.finalContent();
  },
  'runTools: a tool throws': async ({ client, log }) => {
    const tool = { ...ADD, function: { ...ADD.function, function: () => Promise.reject(new Error('mine')) } };
    const runner = chatHelpers(client('tools')).runTools({ ...CHAT.body, tools: [tool] });
    listen(runner, log, ENDINGS);
    return runner.finalContent();
  },
  'runTools: aborted': async ({ client, log, arrived }) => {
    const runner = chatHelpers(client('hang')).runTools({ ...CHAT.body, tools: [ADD] });
    listen(runner, log, ENDINGS);
    void arrived().then(() => runner.abort());
    return runner.finalContent();
  },
});

const RESPONSES_SHAPES = named('responses', {
  'parse: await': async ({ client }) =>
    client('ok').responses.parse({
      ...RESPONSES.body,
      text: { format: { type: 'json_schema', name: 'sum', schema: {} } },
    }),
  'parse: withResponse': async ({ client }) => client('ok').responses.parse(RESPONSES.body).withResponse(),
  'parse: asResponse': async ({ client }) => (await client('ok').responses.parse(RESPONSES.body).asResponse()).text(),
  'parse: refused': async ({ client }) => client('bad', ONCE).responses.parse(RESPONSES.body),
  'parse: never awaited, refused': async ({ client, answered }) => {
    client('bad', ONCE).responses.parse(RESPONSES.body);
    await answered();
  },
  'helper: events in order': async ({ client, log }) => {
    const stream = client('ok').responses.stream(RESPONSES.body);
    listen(stream, log, ['connect', 'event', 'response.output_text.delta', 'response.completed', ...ENDINGS]);
    return stream.finalResponse();
  },
  'helper: iterated': async ({ client, log }) => readAll(client('ok').responses.stream(RESPONSES.body), log),
  'helper: early break': async ({ client, log }) => {
    const stream = client('ok').responses.stream(RESPONSES.body);
    listen(stream, log, ENDINGS);
    for await (const event of stream) {
      log(event);
      break;
    }
    await pause(10);
    return [stream.aborted, stream.ended, stream.errored];
  },
  'helper: abort': async ({ client, log }) => {
    const stream = client('hang-in-stream').responses.stream(RESPONSES.body);
    listen(stream, log, ENDINGS);
    stream.on('event', (event: Any) => RESPONSES.isThird(event) && stream.abort());
    return stream.done();
  },
  'helper: ends early': async ({ client, log }) => {
    const stream = client('ends-early', ONCE).responses.stream(RESPONSES.body);
    listen(stream, log, ENDINGS);
    return stream.finalResponse();
  },
  'helper: bad': async ({ client, log }) => {
    const stream = client('bad', ONCE).responses.stream(RESPONSES.body);
    listen(stream, log, ENDINGS);
    return stream.finalResponse();
  },
  'helper: nobody listens to its failure': async ({ client, answered }) => {
    client('bad', ONCE).responses.stream(RESPONSES.body);
    await answered();
  },
  'helper: of a stored response': async ({ client }) =>
    client('ok').responses.stream({ response_id: 'resp_01' }).finalResponse(),
  'tool runner: to the end': async ({ client, load, log }) => {
    const helpers = await load('helpers/responses-tool-runner');
    if (!helpers) return absent;
    const tool = { type: 'function', name: 'add', parameters: { type: 'object', properties: {} }, strict: false };
    const runner = new helpers.ResponsesToolRunner({ functions: [{ tool, execute: () => '4' }] });
    const own = client('tools');
    for await (const turn of runner.iterate(own, RESPONSES.body)) log(turn.response.id);
    return runner.run(own, RESPONSES.body, { stream: true });
  },
  'compact: await': async ({ client }) => client('ok').responses.compact?.(RESPONSES.body) ?? absent,
  'compact: withResponse': async ({ client }) =>
    client('ok').responses.compact?.(RESPONSES.body).withResponse() ?? absent,
  'compact: refused': async ({ client }) => client('bad', ONCE).responses.compact?.(RESPONSES.body) ?? absent,
  'stored: retrieve': async ({ client }) => client('ok').responses.retrieve('resp_01'),
  'stored: retrieve, withResponse': async ({ client }) => client('ok').responses.retrieve('resp_01').withResponse(),
  'stored: retrieve with options': async ({ client }) =>
    client('ok').responses.retrieve('resp_01', { include: ['reasoning.encrypted_content'] }, { timeout: 9000 }),
  'stored: retrieve as a stream': async ({ client, log }) => {
    const stream = await client('ok').responses.retrieve('resp_01', { stream: true });
    if (!stream[Symbol.asyncIterator]) return stream;
    await readAll(stream, log);
  },
  'stored: missing': async ({ client }) => client('missing', ONCE).responses.retrieve('resp_01'),
  'stored: input items, cancel, delete': async ({ client, log }) => {
    const { responses } = client('ok');
    log(await (responses.delete ?? responses.del).call(responses, 'resp_01'));
    log(await responses.cancel?.('resp_01'));
  },
  'beta: create': async ({ client }) =>
    client('ok').beta.responses?.create({ ...RESPONSES.body, betas: ['responses_multi_agent=v1'] }) ?? absent,
  'beta: stream': async ({ client, log }) => {
    const { beta } = client('ok');
    if (!beta.responses) return absent;
    await readAll(await beta.responses.create({ ...RESPONSES.body, stream: true, betas: ['a', 'b'] }), log);
  },
  'beta: refused': async ({ client }) => client('bad', ONCE).beta.responses?.create(RESPONSES.body) ?? absent,
  'beta: asResponse': async ({ client }) =>
    (await client('ok').beta.responses?.create(RESPONSES.body).asResponse())?.text() ?? absent,
  'beta: compact': async ({ client }) => client('ok').beta.responses?.compact?.(RESPONSES.body) ?? absent,
  'beta: retrieve': async ({ client }) => client('ok').beta.responses?.retrieve('resp_01') ?? absent,
  'beside: conversations': async ({ client }) => client('ok').conversations?.create() ?? absent,
  'beside: post by hand': async ({ client }) => client('ok').post('/responses', { body: RESPONSES.body }),
  'beside: input tokens': async ({ client }) => client('ok').responses.inputTokens?.count(RESPONSES.body) ?? absent,
  'beside: Azure': async ({ Sdk, client }) => {
    const { baseURL } = client('ok');
    const azure = new Sdk.AzureOpenAI({ apiKey: 'key', baseURL, apiVersion: '2026-01-01', deployment: 'mine' });
    return [await azure.responses.create(RESPONSES.body), await azure.chat.completions.create(CHAT.body)];
  },
});

/** Named `API area: what`; the scenario is in the call of `client`. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  ...shapesOf(CHAT),
  ...shapesOf(RESPONSES),
  ...CHAT_SHAPES,
  ...RESPONSES_SHAPES,
  ...named('socket', SOCKET_SHAPES),
};
