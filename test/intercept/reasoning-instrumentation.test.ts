import { createRequire } from 'node:module';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReasoningInstrumentationConfig } from '../../src/intercept/config.ts';
import { ReasoningInstrumentation } from '../../src/intercept/reasoning-instrumentation.ts';
import type { ObserveCall } from '../../src/observe/seen-call.ts';
import type { Any } from './support/call-shapes.ts';
import { recorder } from './support/recording.ts';
import { startWireServer, type WireServer } from './support/wire-server.ts';

const require = createRequire(import.meta.url);
const { observe, take } = recorder();

class Watching extends ReasoningInstrumentation {
  protected override observer(): ObserveCall {
    return observe;
  }
}

const BODY = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };
const Sdk: Any = require('@anthropic-ai/sdk');
const { Messages } = Sdk.Anthropic;
const { create: original } = Messages.prototype;

let server: WireServer;
let said: string[];
let running: Watching[] = [];
const watching = (config?: ReasoningInstrumentationConfig): Watching => {
  const made = new Watching(config);
  running.push(made);
  return made;
};
const client = (scenario = 'ok'): Any =>
  new Sdk.Anthropic({ apiKey: 'key', baseURL: server.base(scenario), maxRetries: 0 });

beforeAll(async () => {
  server = await startWireServer();
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

afterEach(() => {
  for (const instrumentation of running) instrumentation.disable();
  running = [];
  take();
});

describe('ReasoningInstrumentation', () => {
  it('patches an SDK that was required before it, in place', async () => {
    watching();
    expect(Messages.prototype.create).not.toBe(original);
    expect([Messages.prototype.create.name, Messages.prototype.create.length]).toEqual([
      original.name,
      original.length,
    ]);
    expect(Object.keys(Messages.prototype)).toEqual([]);
    await client().messages.create(BODY);
    await client().beta.messages.create(BODY);
    expect(take().map(({ ends, seen }) => [...ends, seen.manual])).toEqual([
      ['completed', false],
      ['completed', false],
    ]);
  });

  it('puts the original back on disable, and the patch on enable', async () => {
    const instrumentation = watching();
    instrumentation.disable();
    expect(Messages.prototype.create).toBe(original);
    await client().messages.create(BODY);
    expect(take()).toEqual([]);
    instrumentation.enable();
    await client().messages.create(BODY);
    expect(take()).toHaveLength(1);
    instrumentation.disable();
    expect(Messages.prototype.create).toBe(original);
  });

  it('lets a call finish that was running at disable', async () => {
    const instrumentation = watching();
    const promise = client().messages.create(BODY);
    const stream = await client().messages.create({ ...BODY, stream: true });
    instrumentation.disable();
    expect((await promise).id).toBe('msg_01');
    const events: string[] = [];
    for await (const event of stream) events.push(event.type);
    expect(events).toHaveLength(12);
    expect(take().map(({ ends }) => ends)).toEqual([['completed'], ['completed']]);
  });

  it('patches nothing while it is not enabled', async () => {
    watching({ enabled: false });
    expect(Messages.prototype.create).toBe(original);
  });

  it.each([
    ['REASONING_OTEL_DISABLED', '1'],
    ['OTEL_SDK_DISABLED', 'true'],
  ])('patches nothing where %s says so, also when enabled by a registration', (name, value) => {
    process.env[name] = value;
    try {
      const instrumentation = watching();
      instrumentation.enable();
      expect(Messages.prototype.create).toBe(original);
    } finally {
      delete process.env[name];
    }
  });

  it('observes a call once, however many instances there are', async () => {
    const [first, second] = [watching(), watching()];
    await client().messages.create(BODY);
    expect(take()).toHaveLength(1);
    first?.disable();
    await client().messages.create(BODY);
    expect(take()).toHaveLength(1);
    second?.disable();
    expect(Messages.prototype.create).toBe(original);
  });

  it('leaves a method alone that somebody wrapped after it, and takes up again behind it', async () => {
    const instrumentation = watching();
    const ours = Messages.prototype.create;
    const theirs = function (this: unknown, ...args: unknown[]) {
      return ours.apply(this, args);
    };
    Messages.prototype.create = theirs;
    try {
      instrumentation.disable();
      expect(Messages.prototype.create).toBe(theirs);
      await client().messages.create(BODY);
      expect(take()).toEqual([]);
      instrumentation.enable();
      await client().messages.create(BODY);
      expect(take()).toHaveLength(1);
    } finally {
      Messages.prototype.create = ours;
    }
  });

  it('keeps the call going when the observer throws', async () => {
    class Throwing extends ReasoningInstrumentation {
      protected override observer(): ObserveCall {
        return () => {
          throw new Error('secret prompt');
        };
      }
    }
    const instrumentation = new Throwing();
    try {
      const message = await client().messages.create(BODY);
      expect(message.id).toBe('msg_01');
      expect(said.filter((line) => line.includes('observing a call'))).toHaveLength(1);
      expect(said.join('\n')).not.toContain('secret prompt');
    } finally {
      instrumentation.disable();
    }
  });

  it('keeps the call going when every method of the observer throws', async () => {
    const thrower = () => {
      throw new Error('mine');
    };
    class Throwing extends ReasoningInstrumentation {
      protected override observer(): ObserveCall {
        return () => ({
          run: thrower,
          headers: thrower,
          event: thrower,
          response: thrower,
          error: thrower,
          end: thrower,
        });
      }
    }
    const instrumentation = new Throwing();
    try {
      server.take();
      expect((await client().messages.create(BODY)).id).toBe('msg_01');
      expect(server.take()).toHaveLength(1);
      await expect(client('bad').messages.create(BODY)).rejects.toThrow('Invalid `signature`');
      const events: string[] = [];
      for await (const event of await client().messages.create({ ...BODY, stream: true })) events.push(event.type);
      expect(events).toHaveLength(12);
    } finally {
      instrumentation.disable();
    }
  });

  it('notes batches once, and judges none', async () => {
    watching();
    await client().messages.batches.create({ requests: [{ custom_id: 'a', params: BODY }] });
    await client().beta.messages.batches.create({ requests: [{ custom_id: 'a', params: BODY }] });
    expect(take()).toEqual([]);
    expect(said.filter((line) => line.includes('Batches'))).toHaveLength(1);
  });

  it('says once that a version is outside the range, with the command that mends it', () => {
    const patch = (exports: unknown, version: string) =>
      (watching() as Any).offer(exports, version, () => [
        [Sdk.Anthropic.Messages, { label: 'Messages', sdk: '@anthropic-ai/sdk', method: 'create' }],
      ]);
    patch({}, '0.36.3');
    patch({}, '0.36.3');
    patch({}, '2.0.0');
    expect(said.filter((line) => line.includes('outside the supported range'))).toEqual([
      'reasoning-otel @anthropic-ai/sdk 0.36.3 is outside the supported range >=0.37.0 <2: its calls are not observed. Mend it with: npm install @anthropic-ai/sdk@1',
      'reasoning-otel @anthropic-ai/sdk 2.0.0 is outside the supported range >=0.37.0 <2: its calls are not observed. Mend it with: npm install @anthropic-ai/sdk@1',
    ]);
  });

  it('hands every module back as it came, also one that cannot be read', () => {
    const instrumentation = watching() as Any;
    const hostile = new Proxy(class {}, {
      get: () => {
        throw new Error('mine');
      },
    });
    for (const definition of instrumentation.init()) {
      for (const { patch } of [definition, ...definition.files]) {
        for (const exports of [
          hostile,
          {},
          undefined,
          null,
          7,
          { Messages: {} },
          { default: { Messages: class {} } },
        ]) {
          expect(patch(exports, '1.0.0')).toBe(exports);
        }
      }
    }
    expect(said.some((line) => line.includes('no Messages.create() to patch'))).toBe(true);
  });
});
