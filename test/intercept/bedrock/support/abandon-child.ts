/**
 * Abandons promises and streams in every state and waits for the garbage collector. Needs --expose-gc.
 * Arguments: package name of the SDK, mode (`bare`, to compare with; `watched`). Prints what was collected, and the ends seen.
 */

import { BEDROCK_RUNTIME } from '../../../../src/intercept/bedrock-runtime.ts';
import { classPatches } from '../../../../src/intercept/class-patches.ts';
import type { Any } from '../../support/call-shapes.ts';
import { recorder } from '../../support/recording.ts';
import { startBedrockWire } from './wire.ts';

const [packageName = '', mode] = process.argv.slice(2);
const { observe, take } = recorder();
const Sdk: Any = await import(packageName);
if (mode === 'watched') {
  const patches = classPatches(observe);
  patches.enable();
  patches.offer(BEDROCK_RUNTIME.ofPackage(Sdk), undefined);
}
const server = await startBedrockWire();
// A signal that outlives every call, as an agent's own would.
const session = new AbortController();
const input = { modelId: 'anthropic.claude-test-v1:0', messages: [{ role: 'user', content: [{ text: 'hi' }] }] };
const send = (command: string, scenario: string): Any =>
  new Sdk.BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: server.base(scenario),
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
  }).send(new Sdk[command](input), { abortSignal: session.signal });
const streamOf = async (scenario: string): Promise<Any> => (await send('ConverseStreamCommand', scenario)).stream;

/** Each leaves nothing behind but weak references. */
const ABANDONED: Readonly<Record<string, () => Promise<WeakRef<object>>>> = {
  'half-read stream': async () => {
    const stream = await streamOf('hang-in-stream');
    await stream[Symbol.asyncIterator]().next();
    return new WeakRef(stream);
  },
  'half-read generator': async () => {
    const iterator = (await streamOf('hang-in-stream'))[Symbol.asyncIterator]();
    await iterator.next();
    return new WeakRef(iterator);
  },
  'unread stream': async () => new WeakRef(await streamOf('ok')),
  'finished call': async () => {
    const promise = send('ConverseCommand', 'ok');
    await promise;
    return new WeakRef(promise);
  },
  'finished stream': async () => {
    const stream = await streamOf('ok');
    for await (const _ of stream);
    return new WeakRef(stream);
  },
};

const left: Record<string, WeakRef<object>> = {};
const calls: Record<string, ReturnType<typeof take>> = {};
for (const [name, abandon] of Object.entries(ABANDONED)) {
  left[name] = await abandon();
  calls[name] = take();
}
// What was last on the stack may stay until the next call.
await send('ConverseCommand', 'ok');
for await (const _ of await streamOf('ok'));
const settled = () => Object.keys(left).filter((name) => left[name]?.deref() === undefined);
const ended = () => Object.entries(calls).map(([name, seen]) => [name, seen.flatMap(({ ends }) => ends)] as const);
for (let turn = 0; turn < 80; turn += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (
    settled().length === Object.keys(left).length &&
    (mode === 'bare' || ended().every(([, ends]) => ends.length > 0))
  )
    break;
}
const result = { collected: settled(), ends: Object.fromEntries(ended()) };
process.stdout.write(JSON.stringify(result), () => process.exit(0));
