import { Readable } from 'node:stream';
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEDROCK_RUNTIME } from '../../../src/intercept/bedrock-runtime.ts';
import { classPatches } from '../../../src/intercept/class-patches.ts';
import { recorder } from '../support/recording.ts';
import { type BedrockWire, startBedrockWire } from './support/wire.ts';

let server: BedrockWire;
beforeAll(async () => {
  server = await startBedrockWire();
});
afterAll(() => server.close());

const prototype = BedrockRuntimeClient.prototype;
const shared = Object.getPrototypeOf(prototype);
const config = () => ({
  region: 'us-east-1',
  endpoint: server.base('ok'),
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
});
const input = {
  modelId: 'anthropic.claude-test-v1:0',
  messages: [{ role: 'user' as const, content: [{ text: 'hi' }] }],
};
const command = () => new ConverseCommand(input);
const ask = async (): Promise<unknown> => {
  const client = new BedrockRuntimeClient(config());
  const answer = await client.send(command());
  client.destroy();
  return answer.stopReason;
};

function patched() {
  const { observe, take } = recorder();
  const patches = classPatches(observe);
  patches.enable();
  patches.offer(BEDROCK_RUNTIME.ofPackage({ BedrockRuntimeClient }), '3.1164.0');
  return { patches, take };
}

describe('send, which every client of AWS inherits', () => {
  it('is watched on the class of Bedrock alone, and gone from there when nobody watches', async () => {
    const before = shared.send;
    const { patches, take } = patched();
    expect([Object.hasOwn(prototype, 'send'), shared.send]).toEqual([true, before]);
    expect([prototype.send.name, prototype.send.length]).toEqual([before.name, before.length]);
    expect([await ask(), take().length]).toEqual(['end_turn', 1]);
    patches.disable();
    expect(Object.hasOwn(prototype, 'send')).toBe(false);
    expect([await ask(), take().length]).toEqual(['end_turn', 0]);
    patches.enable();
    expect([await ask(), take().length]).toEqual(['end_turn', 1]);
    patches.disable();
  });

  it('is watched no more through handlers that a client keeps', async () => {
    const { patches, take } = patched();
    const client = new BedrockRuntimeClient({ ...config(), cacheMiddleware: true });
    await client.send(command());
    await client.send(command());
    expect(take()).toHaveLength(2);
    patches.disable();
    await client.send(command());
    expect(take()).toHaveLength(0);
    client.destroy();
  });

  it('is looked up where it stands at each call', async () => {
    const { patches, take } = patched();
    const original = shared.send;
    let seen = 0;
    shared.send = function send(...args: unknown[]) {
      seen += 1;
      return Reflect.apply(original, this, args);
    };
    expect([await ask(), seen, take().length]).toEqual(['end_turn', 1, 1]);
    shared.send = original;
    patches.disable();
  });

  it('is observed once by two that watch', async () => {
    const [first, second] = [patched(), patched()];
    await ask();
    expect([first.take().length, second.take().length]).toEqual([1, 0]);
    first.patches.disable();
    await ask();
    expect([first.take().length, second.take().length]).toEqual([0, 1]);
    second.patches.disable();
  });

  it('leaves the iterators of the platform alone where a middleware answers with one of its streams', async () => {
    async function* events() {
      yield { messageStop: { stopReason: 'end_turn' } };
    }
    const { patches, take } = patched();
    const streams = [events(), Readable.from(['x']), new Blob(['x']).stream()];
    const prototypes = [
      Object.getPrototypeOf(Object.getPrototypeOf(events.prototype)),
      Readable.prototype,
      ReadableStream.prototype,
    ];
    const before = prototypes.map((owner) => owner[Symbol.asyncIterator]);
    for (const stream of streams) {
      const client = new BedrockRuntimeClient(config());
      const answer = { output: { stream, $metadata: {} }, response: {} } as never;
      client.middlewareStack.add(() => async () => answer, { step: 'finalizeRequest' });
      expect((await client.send(new ConverseStreamCommand(input))).stream).toBe(stream);
      client.destroy();
    }
    expect(take().map(({ ends }) => ends)).toEqual([['raw'], ['raw'], ['raw']]);
    expect(prototypes.map((owner) => owner[Symbol.asyncIterator])).toEqual(before);
    patches.disable();
  });

  it.each([
    ['3.754.0', false],
    ['3.755.0', true],
    ['4.0.0', false],
  ])('version %s is in the range: %s', (version, expected) => expect(BEDROCK_RUNTIME.inRange(version)).toBe(expected));
});
