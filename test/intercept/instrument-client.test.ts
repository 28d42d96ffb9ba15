import { createRequire } from 'node:module';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANTHROPIC } from '../../src/intercept/anthropic.ts';
import { classPatches } from '../../src/intercept/class-patches.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { clientWatcher } from '../../src/intercept/watch-client.ts';
import type { ObserveCall } from '../../src/observe/seen-call.ts';
import type { Any } from './support/call-shapes.ts';
import { recorder } from './support/recording.ts';
import { startWireServer, type WireServer } from './support/wire-server.ts';

const require = createRequire(import.meta.url);
const { observe, take } = recorder();
const BODY = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };

let server: WireServer;
let said: string[];
beforeAll(async () => {
  server = await startWireServer();
  return () => server.close();
});
beforeEach(() => {
  said = [];
  const say = (...parts: unknown[]) => void said.push(parts.join(' '));
  const silent = () => undefined;
  diag.setLogger(
    { error: say, warn: say, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true },
  );
  said.length = 0;
});
afterEach(() => void take());

const Anthropic: Any = require('@anthropic-ai/sdk');
const Bedrock: Any = require('@anthropic-ai/bedrock-sdk');
const Vertex: Any = require('@anthropic-ai/vertex-sdk');

const authClient = {
  getRequestHeaders: async () => new Headers({ authorization: 'Bearer token' }),
  projectId: 'project',
};

/** Clients of the family, with what tells their platform and account. */
const CLIENTS: readonly (readonly [name: string, make: () => Any, provider: string | undefined, account: string])[] = [
  ['Anthropic', () => new Anthropic({ apiKey: 'key-1', baseURL: server.base('ok') }), undefined, 'key-1'],
  [
    'AnthropicBedrock',
    () =>
      new Bedrock.AnthropicBedrock({
        skipAuth: true,
        awsRegion: 'us-east-1',
        awsAccessKey: 'AKIA',
        awsSecretKey: 's',
        baseURL: server.base('ok'),
      }),
    'aws.bedrock',
    'AKIA',
  ],
  [
    'AnthropicVertex',
    () =>
      new Vertex.AnthropicVertex({ region: 'us-east5', projectId: 'project', authClient, baseURL: server.base('ok') }),
    'gcp.vertex_ai',
    'project',
  ],
];

describe.each(CLIENTS)('a client of %s', (_name, make, provider, account) => {
  it('is observed when handed over, with its platform and account', async () => {
    let credential: string | undefined;
    const observing: ObserveCall = (seen) => {
      credential = seen.credential?.();
      return observe(seen);
    };
    const client = make();
    clientWatcher(observing)(client);
    const message = await client.messages.create(BODY);
    const events: string[] = [];
    for await (const event of await client.beta.messages.create({ ...BODY, stream: true, betas: ['one'] }))
      events.push(event.type);
    const calls = take();
    expect(message.id).toBe('msg_01');
    expect(events).toHaveLength(12);
    expect(calls.map(({ ends }) => ends)).toEqual([['completed'], ['completed']]);
    expect(calls.map(({ seen }) => [seen.provider, seen.manual, seen.stream, seen.sdk.name])).toEqual([
      [provider, true, false, '@anthropic-ai/sdk'],
      [provider, true, true, '@anthropic-ai/sdk'],
    ]);
    expect(calls[1]?.seen.headers).toEqual({ 'anthropic-beta': 'one' });
    expect(calls[0]?.seen.sdk.version).toMatch(/^1\.\d+\.\d+/);
    expect(credential).toBe(account);
  });

  it('is observed through the files of the SDK that are hooked', async () => {
    const patches = classPatches(observe);
    patches.enable();
    for (const { path, find } of ANTHROPIC.files) patches.offer(find(require(`@anthropic-ai/sdk/${path}`)), '1.14.0');
    try {
      await make().messages.create(BODY);
      await make().beta.messages.create(BODY);
      expect(take().map(({ seen, ends }) => [seen.provider, seen.manual, ...ends])).toEqual([
        [provider, false, 'completed'],
        [provider, false, 'completed'],
      ]);
    } finally {
      patches.disable();
    }
  });
});

describe('instrumentClient', () => {
  const watch = clientWatcher(observe);
  const make = (): Any => new Anthropic({ apiKey: 'key', baseURL: server.base('ok') });

  it('hands back the same client, with nothing of ours on it', () => {
    const client = make();
    const before = [Reflect.ownKeys(client), Reflect.ownKeys(client.messages), Reflect.ownKeys(client.beta.messages)];
    expect(instrumentClient(client)).toBe(client);
    expect([Reflect.ownKeys(client), Reflect.ownKeys(client.messages), Reflect.ownKeys(client.beta.messages)]).toEqual(
      before,
    );
  });

  it('observes that client and its copies, each call once, and no other client', async () => {
    const client = make();
    watch(client);
    watch(client);
    await client.messages.create(BODY);
    expect(take()).toHaveLength(1);
    await client.withOptions({ timeout: 9000 }).withOptions({ maxRetries: 0 }).messages.create(BODY);
    expect(take()).toHaveLength(1);
    await make().messages.create(BODY);
    await make().withOptions({ timeout: 9000 }).messages.create(BODY);
    expect(take()).toEqual([]);
  });

  it('observes a client behind a proxy', async () => {
    const client = new Proxy(make(), {});
    watch(client);
    await client.messages.create(BODY);
    expect(take()).toHaveLength(1);
  });

  it('says so where it is given something else, and hands that back', () => {
    for (const other of [{}, { messages: {} }, { messages: { create: () => 1 } }, Object.freeze([]), () => 1]) {
      expect(instrumentClient(other)).toBe(other);
    }
    expect(said.filter((line) => line.includes('is no client of a supported SDK'))).toHaveLength(1);
  });

  it('leaves a client alone whose post() is its own', async () => {
    const client = make();
    watch(client);
    const post = () => Promise.resolve({ id: 'mine' });
    client.post = post;
    expect(await client.messages.create(BODY)).toEqual({ id: 'mine' });
    expect(client.post).toBe(post);
    expect(take()).toEqual([]);
  });

  it('sees the credential that a request brings along before that of the client', async () => {
    const seen: (string | undefined)[] = [];
    const client = make();
    clientWatcher((call) => {
      seen.push(call.credential?.());
      return undefined;
    })(client);
    await client.messages.create(BODY, { headers: { 'X-Api-Key': 'tenant' } });
    await client.messages.create(BODY, { headers: new Headers({ authorization: 'Bearer tenant' }) });
    await client.messages.create(BODY);
    expect(seen).toEqual(['tenant', 'tenant', 'key']);
  });

  it('takes the beta header from wherever it is set, the nearest first', async () => {
    const client: Any = new Anthropic({
      apiKey: 'key',
      baseURL: server.base('ok'),
      defaultHeaders: { 'Anthropic-Beta': 'default' },
    });
    watch(client);
    await client.messages.create(BODY);
    await client.messages.create(BODY, { headers: { 'anthropic-beta': 'request' } });
    await client.messages.create(BODY, { headers: { 'anthropic-beta': null } });
    await client.messages.create(BODY, { headers: [['anthropic-beta', 'pair']] });
    await client.beta.messages.create({ ...BODY, betas: ['a', 'b'] });
    const sent = server.take().map(({ headers }) => headers['anthropic-beta']);
    expect(take().map(({ seen }) => seen.headers?.['anthropic-beta'])).toEqual(sent.slice(-5));
    expect(sent.slice(-5)).toEqual(['default', 'request', undefined, 'pair', 'a,b']);
  });
});
