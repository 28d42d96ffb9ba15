import { createRequire } from 'node:module';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import { clientWatcher } from '../../../src/intercept/watch-client.ts';
import type { ObserveCall, SeenCall } from '../../../src/observe/seen-call.ts';
import type { Any } from '../support/call-shapes.ts';
import { recorder } from '../support/recording.ts';
import type { WireServer } from '../support/wire-server.ts';
import { startGoogleWire } from './support/wire.ts';

const require = createRequire(import.meta.url);
const { observe, take } = recorder();
const MODEL = 'gemini-3.8-flash';
const GENERATE = { model: MODEL, contents: 'hi' };
const INTERACT = { model: MODEL, input: 'hi' };

let server: WireServer;
let said: string[];
beforeAll(async () => {
  server = await startGoogleWire();
  return () => server.close();
});
beforeEach(() => {
  said = [];
  const say = (...parts: unknown[]) => void said.push(parts.join(' '));
  const silent = () => undefined;
  diag.setLogger(
    { error: say, warn: say, info: silent, debug: say, verbose: silent },
    { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true },
  );
  said.length = 0;
});
afterEach(() => void take());

const Newest: Any = require('@google/genai');
const V2: Any = require('genai-2.32');
const V1: Any = require('genai-1.50');

const make = ({ GoogleGenAI }: Any = Newest, options: object = {}): Any =>
  new GoogleGenAI({ apiKey: 'key-1', httpOptions: { baseUrl: server.base('ok') }, ...options });

async function readAll(stream: AsyncIterable<unknown>): Promise<number> {
  let chunks = 0;
  for await (const _ of stream) chunks += 1;
  return chunks;
}

describe('instrumentClient', () => {
  const watch = clientWatcher(observe);

  it('hands back the same client, with nothing of ours on it', () => {
    const client = make();
    const keys = () => [client, client.models, client.chats].map(Reflect.ownKeys);
    const before = keys();
    expect(instrumentClient(client)).toBe(client);
    expect(keys()).toEqual(before);
    expect(said).toEqual([]);
  });

  it('asks no client for its interactions before the application does', () => {
    const client = make(V1);
    watch(client);
    expect(client._interactions).toBeUndefined();
  });

  it.each([
    ['3', Newest],
    ['2', V2],
    ['1', V1],
  ])(
    'observes that client, its chats and its interactions, each call once, and no other client: %s',
    async (_, Sdk) => {
      const client = make(Sdk);
      watch(client);
      watch(client);
      const { interactions } = client;
      await client.models.generateContent(GENERATE);
      await readAll(await client.models.generateContentStream(GENERATE));
      await client.chats.create({ model: MODEL }).sendMessage({ message: 'hi' });
      await interactions.create(INTERACT);
      await readAll(await interactions.create({ ...INTERACT, stream: true }));
      await interactions.get('int_01');
      expect(take().map(({ seen: { api, stream, fetches }, ends }) => [api, stream, fetches, ...ends])).toEqual([
        ['gemini.generateContent', false, undefined, 'completed'],
        ['gemini.generateContent', true, undefined, 'completed'],
        ['gemini.generateContent', false, undefined, 'completed'],
        ['gemini.interactions', false, undefined, 'completed'],
        ['gemini.interactions', true, undefined, 'completed'],
        ['gemini.interactions', false, 'int_01', 'completed'],
      ]);
      const other = make(Sdk);
      await other.models.generateContent(GENERATE);
      await other.interactions.create(INTERACT);
      await readAll(await other.interactions.create({ ...INTERACT, stream: true }));
      expect(take()).toEqual([]);
    },
  );

  it.each([
    ['3', Newest],
    ['1', V1],
  ])('observes interactions that were asked for before: %s', async (_, Sdk) => {
    const client = make(Sdk);
    const { interactions } = client;
    watch(client);
    await interactions.create(INTERACT);
    await readAll(await interactions.create({ ...INTERACT, stream: true }));
    expect(take()).toHaveLength(2);
  });

  it('observes a client behind a proxy, and one of a subclass', async () => {
    class Mine extends Newest.GoogleGenAI {}
    for (const client of [new Proxy(make(), {}), make({ GoogleGenAI: Mine })]) {
      watch(client);
      await client.models.generateContent(GENERATE);
      await client.interactions.create(INTERACT);
      expect(take()).toHaveLength(2);
    }
  });

  it('sees each hop of a stream of interactions under the version that a call asks for', async () => {
    const client = make();
    watch(client);
    await readAll(await client.interactions.create({ ...INTERACT, stream: true, api_version: 'v9' }));
    expect(server.take().at(-1)?.path).toBe('/ok/v9/interactions');
    expect(take().map(({ seen, ends }) => [seen.stream, ...ends])).toEqual([[true, 'completed']]);
  });

  it('says so where it is given a client of another SDK of the vendor', () => {
    const other = { models: { generateContent: () => 1 } };
    expect(instrumentClient(other)).toBe(other);
    expect(said.join()).toContain('@google/genai >=1.0.0 <4');
  });
});

describe('what is known of a client', () => {
  async function seenOf(Sdk: Any, options: object, params: object = GENERATE): Promise<SeenCall | undefined> {
    let seen: SeenCall | undefined;
    const client = make(Sdk, options);
    clientWatcher((call) => {
      seen = call;
      return undefined;
    })(client);
    await client.models.generateContent(params).catch(() => undefined);
    return seen;
  }
  const account = (seen: SeenCall | undefined) => [seen?.provider, seen?.credential?.()];

  it.each([
    ['3', Newest],
    ['2', V2],
    ['1', V1],
  ])('its platform and account: %s', async (_, Sdk) => {
    expect(account(await seenOf(Sdk, {}))).toEqual(['gcp.gemini', 'key-1']);
    expect(account(await seenOf(Sdk, { vertexai: true }))).toEqual(['gcp.vertex_ai', 'key-1']);
    const project = { vertexai: true, apiKey: undefined, project: 'project-1', location: 'us-central1' };
    expect(account(await seenOf(Sdk, project))).toEqual(['gcp.vertex_ai', 'project-1']);
  });

  it('what a request brings along before what the client has', async () => {
    const httpOptions = { baseUrl: server.base('tools'), headers: { 'X-Goog-Api-Key': 'tenant' } };
    const seen = await seenOf(Newest, {}, { ...GENERATE, config: { httpOptions } });
    expect(account(seen)).toEqual(['gcp.gemini', 'tenant']);
    expect(seen?.baseURL).toBe(server.base('tools'));
  });

  it('where it sends to, of all hosts of Vertex AI', async () => {
    const fetching = async () => new Response('{}', { headers: { 'content-type': 'application/json' } });
    const { fetch } = globalThis;
    globalThis.fetch = fetching;
    try {
      const at = async (location: string) =>
        (await seenOf(Newest, { vertexai: true, apiKey: undefined, project: 'p', location, httpOptions: undefined }))
          ?.baseURL;
      expect(await at('us-central1')).toBe('https://us-central1-aiplatform.googleapis.com/');
      expect(await at('global')).toBe('https://aiplatform.googleapis.com/');
      expect((await seenOf(Newest, { httpOptions: undefined }))?.baseURL).toBe(
        'https://generativelanguage.googleapis.com/',
      );
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe('ReasoningInstrumentation', () => {
  class Watching extends ReasoningInstrumentation {
    protected override observer(): ObserveCall {
      return observe;
    }
  }

  it('puts the originals back on disable, and takes up again on enable', async () => {
    const { GoogleGenAI, Models, Chats } = Newest;
    const methods = () => [
      Models.prototype.generateContentInternal,
      Models.prototype.generateContentStreamInternal,
      Chats.prototype.create,
      Object.getOwnPropertyDescriptor(GoogleGenAI.prototype, 'interactions')?.get,
    ];
    const instrumentation = new Watching();
    const client = make();
    const { interactions } = client;
    const both = async () => {
      await client.models.generateContent(GENERATE);
      await interactions.create(INTERACT);
      await readAll(await interactions.create({ ...INTERACT, stream: true }));
      return take().length;
    };
    expect(await both()).toBe(3);
    const watched = methods();
    instrumentation.disable();
    expect(await both()).toBe(0);
    instrumentation.enable();
    void client.interactions;
    expect(await both()).toBe(3);
    instrumentation.disable();
    expect(methods().map((one) => one?.name)).toEqual(watched.map((one) => one?.name));
  });

  it('leaves the getter a getter, of the same name', () => {
    const before = Object.getOwnPropertyDescriptor(V2.GoogleGenAI.prototype, 'interactions');
    const instrumentation = new Watching({ aliases: { 'genai-2.32': '@google/genai' } });
    require('genai-2.32');
    const now = Object.getOwnPropertyDescriptor(V2.GoogleGenAI.prototype, 'interactions');
    expect([now?.enumerable, now?.configurable, now?.set, now?.get?.name, now?.get?.length]).toEqual([
      before?.enumerable,
      before?.configurable,
      undefined,
      'get interactions',
      0,
    ]);
    instrumentation.disable();
  });

  it('goes on when the observer throws, in every method', async () => {
    const thrower = () => {
      throw new Error('mine');
    };
    const client = make();
    clientWatcher(() => ({
      run: thrower,
      headers: thrower,
      event: thrower,
      response: thrower,
      error: thrower,
      end: thrower,
    }))(client);
    server.take();
    expect((await client.models.generateContent(GENERATE)).text).toBe('It is four.');
    expect(await readAll(await client.models.generateContentStream(GENERATE))).toBe(5);
    expect((await client.interactions.create(INTERACT)).id).toBe('int_01');
    expect(await readAll(await client.interactions.create({ ...INTERACT, stream: true }))).toBe(8);
    expect(server.take()).toHaveLength(4);
  });

  it.each(['0.15.0', '4.0.0'])('says once that version %s is outside the range', (version) => {
    const instrumentation = new Watching() as Any;
    for (let time = 0; time < 2; time += 1)
      instrumentation.offer({}, version, () => [
        [Newest.Models, { label: 'Models', sdk: '@google/genai', method: 'generateContentInternal' }],
      ]);
    instrumentation.disable();
    expect(said.filter((line) => line.includes('outside the supported range'))).toEqual([
      `reasoning-otel @google/genai ${version} is outside the supported range >=1.0.0 <4: its calls are not observed. Mend it with: npm install @google/genai@3`,
    ]);
  });
});
