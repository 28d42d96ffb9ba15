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
import { startOpenaiWire } from './support/wire.ts';

const require = createRequire(import.meta.url);
const { observe, take } = recorder();
const CHAT = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }] };
const ASK = { model: 'gpt-test', input: 'hi' };

let server: WireServer;
let said: string[];
beforeAll(async () => {
  server = await startOpenaiWire();
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

const Newest: Any = require('openai');
const V6: Any = require('openai-6.49');
const V4: Any = require('openai-4.87');
const { bedrock }: Any = require('openai/providers/bedrock');
const OWN = { apiKey: 'key-1', organization: null };
const AZURE = { apiVersion: '2026-01-01' };

/** Clients of the package, with what tells their platform, account and key. */
const CLIENTS: readonly (readonly [string, () => Any, string | undefined, string | undefined])[] = [
  ['OpenAI', () => new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') }), undefined, 'key-1'],
  [
    'OpenAI, of an organization',
    () => new Newest.OpenAI({ ...OWN, organization: 'org-1', baseURL: server.base('ok') }),
    undefined,
    'key-1 of org-1',
  ],
  [
    'OpenAI, with keys that a function brings',
    () => new V6.OpenAI({ ...OWN, apiKey: async () => 'token-1', baseURL: server.base('ok') }),
    undefined,
    undefined,
  ],
  ['OpenAI 4', () => new V4.OpenAI({ ...OWN, baseURL: server.base('ok') }), undefined, 'key-1'],
  [
    'AzureOpenAI',
    () => new Newest.AzureOpenAI({ ...OWN, ...AZURE, baseURL: server.base('ok') }),
    'azure.ai.openai',
    'key-1',
  ],
  [
    'AzureOpenAI 4, with tokens',
    () => new V4.AzureOpenAI({ ...AZURE, azureADTokenProvider: async () => 'token-1', baseURL: server.base('ok') }),
    'azure.ai.openai',
    undefined,
  ],
  [
    'BedrockOpenAI',
    () => new Newest.BedrockOpenAI({ apiKey: 'key-1', awsRegion: 'us-east-1', baseURL: server.base('ok') }),
    'aws.bedrock',
    'key-1',
  ],
  [
    'OpenAI, with Bedrock for its provider',
    () =>
      new Newest.OpenAI({ provider: bedrock({ apiKey: 'key-1', region: 'us-east-1', baseURL: server.base('ok') }) }),
    'aws.bedrock',
    undefined,
  ],
];

const accountOf = ({ credential, organization }: SeenCall): string | undefined =>
  [credential?.(), organization?.()].filter(Boolean).join(' of ') || undefined;

describe.each(CLIENTS)('a client of %s', (_name, make, provider, account) => {
  it('is observed when handed over, with its platform and account', async () => {
    const credentials: (string | undefined)[] = [];
    const observing: ObserveCall = (seen) => {
      credentials.push(accountOf(seen));
      return observe(seen);
    };
    const client = make();
    clientWatcher(observing)(client);
    expect((await client.responses.create(ASK)).id).toBe('resp_01');
    const chunks: unknown[] = [];
    for await (const chunk of await client.chat.completions.create({ ...CHAT, stream: true })) chunks.push(chunk);
    const calls = take();
    expect(chunks).toHaveLength(7);
    expect(calls.map(({ ends }) => ends)).toEqual([['completed'], ['completed']]);
    expect(calls.map(({ seen }) => [seen.api, seen.provider, seen.manual, seen.stream, seen.sdk.name])).toEqual([
      ['openai.responses', provider, true, false, 'openai'],
      ['openai.chat', provider, true, true, 'openai'],
    ]);
    expect(calls[0]?.seen.sdk.version).toMatch(/^[467]\.\d+\.\d+/);
    expect(credentials).toEqual([account, account]);
  });
});

describe('instrumentClient', () => {
  const watch = clientWatcher(observe);
  const make = (): Any => new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') });

  it('hands back the same client, with nothing of ours on it', () => {
    const client = make();
    const keys = () => [client, client.responses, client.chat.completions, client.beta.responses].map(Reflect.ownKeys);
    const before = keys();
    expect(instrumentClient(client)).toBe(client);
    expect(keys()).toEqual(before);
  });

  it('observes that client and its copies, each call once, and no other client', async () => {
    const client = make();
    watch(client);
    watch(client);
    await client.responses.create(ASK);
    await client.withOptions({ timeout: 9000 }).chat.completions.create(CHAT);
    await client.beta.responses.create(ASK);
    await client.responses.compact(ASK);
    await client.responses.retrieve('resp_01');
    expect(take().map(({ seen }) => [seen.api, seen.fetches])).toEqual([
      ['openai.responses', undefined],
      ['openai.chat', undefined],
      ['openai.responses', undefined],
      ['openai.responses', undefined],
      ['openai.responses', 'resp_01'],
    ]);
    await make().responses.create(ASK);
    expect(take()).toEqual([]);
  });

  it('observes a client behind a proxy', async () => {
    const client = new Proxy(make(), {});
    watch(client);
    await client.responses.create(ASK);
    expect(take()).toHaveLength(1);
  });

  it('knows the host of a platform where a bundler has renamed the class', () => {
    const hosts: readonly (readonly [string, string | undefined])[] = [
      ['https://mine.openai.azure.com/openai/v1', 'azure.ai.openai'],
      ['https://mine.services.ai.azure.com/openai/v1', 'azure.ai.openai'],
      ['https://bedrock-mantle.us-east-1.api.aws/openai/v1', 'aws.bedrock'],
      ['https://api.openai.com/v1', undefined],
      ['https://openrouter.ai/api/v1', undefined],
    ];
    const seen: unknown[] = [];
    const watching = clientWatcher((call) => {
      seen.push([call.baseURL, call.provider]);
      return undefined;
    });
    for (const [baseURL] of hosts) {
      const client = new Newest.OpenAI({ ...OWN, baseURL, maxRetries: 0, fetch: async () => new Response('{}') });
      watching(client);
      void client.responses.create(ASK);
    }
    expect(seen).toEqual(hosts);
  });

  it('sees the credential that a request brings along before that of the client', async () => {
    const seen: (string | undefined)[] = [];
    const client = make();
    clientWatcher((call) => {
      seen.push(accountOf(call));
      return undefined;
    })(client);
    await client.responses.create(ASK, { headers: { Authorization: 'Bearer tenant' } });
    await client.responses.create(ASK, { headers: { 'OpenAI-Organization': 'org-2' } });
    await client.responses.create(ASK);
    expect(seen).toEqual(['tenant', 'key-1 of org-2', 'key-1']);
  });

  it('reads request options as the SDK spreads them, and calls no getter of theirs', async () => {
    const client = make();
    watch(client);
    let asked = 0;
    const options = {
      get timeout() {
        asked += 1;
        return 9000;
      },
      body: { ...ASK, model: 'gpt-other' },
    };
    await client.responses.create(ASK, options);
    expect(asked).toBe(1);
    const [call] = take();
    const [request] = server.take().slice(-1);
    expect(call?.seen.body).toEqual(JSON.parse(request?.body ?? ''));
  });

  it('says so where it is given another SDK of the same make, and hands that back', () => {
    const other = { chat: { completions: { create: () => 1 } } };
    expect(instrumentClient(other)).toBe(other);
    expect(said.filter((line) => line.includes('is no client of a supported SDK'))).toHaveLength(1);
    expect(said.join()).toContain('openai >=4.87.0 <8');
  });
});

describe('a Responses WebSocket', () => {
  const { ResponsesWS }: Any = require('openai/resources/responses/ws');
  const ask = (socket: Any, times = 1): Promise<void> =>
    new Promise((resolve) => {
      let left = times;
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.on('response.completed', () => {
        left -= 1;
        if (left === 0) socket.close();
      });
      for (let time = 0; time < times; time += 1) socket.send({ ...ASK, type: 'response.create' });
    });

  it('is observed when handed over, with the account of its client, and no other of its class', async () => {
    const credentials: (string | undefined)[] = [];
    const watch = clientWatcher((seen) => {
      credentials.push(seen.credential?.());
      return observe(seen);
    });
    const client = new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') });
    const socket = new ResponsesWS(client);
    watch(socket);
    watch(socket);
    await Promise.all([ask(socket, 2), ask(new ResponsesWS(client))]);
    expect(take().map(({ seen, ends }) => [seen.manual, seen.stream, seen.sdk.name, ...ends])).toEqual([
      [true, true, 'openai', 'completed'],
      [true, true, 'openai', 'completed'],
    ]);
    expect(credentials).toEqual(['key-1', 'key-1']);
  });

  it('gives the request as the object that was sent, where the socket was open', async () => {
    const bodies: unknown[] = [];
    const client = new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') });
    const socket = new ResponsesWS(client);
    clientWatcher((seen) => {
      bodies.push(seen.body);
      return undefined;
    })(socket);
    await new Promise<void>((resolve) => socket.socket.once('open', () => resolve()));
    const request = { ...ASK, type: 'response.create' };
    socket.on('response.completed', () => socket.close());
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.send(request);
    await closed;
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toBe(request);
  });

  it('is left alone when the instrumentation is disabled, also while it is open', async () => {
    class Watching extends ReasoningInstrumentation {
      protected override observer(): ObserveCall {
        return observe;
      }
    }
    const instrumentation = new Watching();
    const socket = new ResponsesWS(new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') }));
    instrumentation.disable();
    await ask(socket);
    expect(take()).toEqual([]);
    instrumentation.enable();
    await ask(new ResponsesWS(new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') })));
    instrumentation.disable();
    expect(take()).toHaveLength(1);
  });

  it('goes on when the observer throws, in every method', async () => {
    const thrower = () => {
      throw new Error('mine');
    };
    const socket = new ResponsesWS(new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') }));
    clientWatcher(() => ({
      run: thrower,
      headers: thrower,
      event: thrower,
      response: thrower,
      error: thrower,
      end: thrower,
    }))(socket);
    server.take();
    await ask(socket);
    expect(server.take()).toHaveLength(1);
  });
});

describe('ReasoningInstrumentation', () => {
  class Watching extends ReasoningInstrumentation {
    protected override observer(): ObserveCall {
      return observe;
    }
  }

  it('puts the originals back on disable, and takes up again on enable', async () => {
    // No client of this one has been handed over.
    const { OpenAI }: Any = require('openai-5.23');
    const methods = () => ['create', 'retrieve'].map((name) => OpenAI.Responses.prototype[name]);
    const originals = methods();
    const client = new OpenAI({ ...OWN, baseURL: server.base('ok') });
    const instrumentation = new Watching();
    for (const [index, method] of methods().entries()) expect(method).not.toBe(originals[index]);
    instrumentation.disable();
    for (const [index, method] of methods().entries()) expect(method).toBe(originals[index]);
    await client.responses.create(ASK);
    expect(take()).toEqual([]);
    instrumentation.enable();
    await client.responses.create(ASK);
    instrumentation.disable();
    expect(take()).toHaveLength(1);
  });

  it('notes what passes no model once, and judges none of it', async () => {
    const instrumentation = new Watching();
    const { conversations } = new Newest.OpenAI({ ...OWN, baseURL: server.base('ok') });
    await conversations.create();
    await conversations.create();
    await conversations.items.create('conv_01', { items: [] });
    await conversations.items.delete('msg_01', { conversation_id: 'conv_01' });
    instrumentation.disable();
    expect(take()).toEqual([]);
    expect(said.filter((line) => line.includes('are noted, not judged')).sort()).toEqual([
      'reasoning-otel openai: calls of Conversation Items are noted, not judged',
      'reasoning-otel openai: calls of Conversations are noted, not judged',
    ]);
  });

  it.each(['4.86.2', '8.0.0'])(
    'says once that version %s is outside the range, with the command that mends it',
    (version) => {
      const instrumentation = new Watching() as Any;
      for (let time = 0; time < 2; time += 1)
        instrumentation.offer({}, version, () => [
          [Newest.OpenAI.Responses, { label: 'Responses', sdk: 'openai', method: 'create' }],
        ]);
      instrumentation.disable();
      expect(said.filter((line) => line.includes('outside the supported range'))).toEqual([
        `reasoning-otel openai ${version} is outside the supported range >=4.87.0 <8: its calls are not observed. Mend it with: npm install openai@7`,
      ]);
    },
  );
});
