import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
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
const ask = async (): Promise<unknown> => {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: server.base('ok'),
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
  });
  const input = {
    modelId: 'anthropic.claude-test-v1:0',
    messages: [{ role: 'user' as const, content: [{ text: 'hi' }] }],
  };
  const answer = await client.send(new ConverseCommand(input));
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

  it.each([
    ['3.754.0', false],
    ['3.755.0', true],
    ['4.0.0', false],
  ])('version %s is in the range: %s', (version, expected) => expect(BEDROCK_RUNTIME.inRange(version)).toBe(expected));
});
