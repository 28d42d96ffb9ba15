/**
 * Abandons promises and streams in every state and waits for the garbage collector. Needs --expose-gc.
 * Arguments: package name of the SDK, mode (`bare`, to compare by hand; `watched`; `hooked`). Prints what was collected, and the ends seen.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { classPatches } from '../../../../src/intercept/class-patches.ts';
import { OPENAI } from '../../../../src/intercept/openai.ts';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import type { Any } from '../../support/call-shapes.ts';
import { recorder } from '../../support/recording.ts';
import { startOpenaiWire } from './wire.ts';

const [packageName = '', mode] = process.argv.slice(2);
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
const { observe, take } = recorder();
if (mode === 'hooked') {
  installLoaderHooks();
  new ReasoningInstrumentation();
}
const Sdk: Any = await import(packageName);
if (mode === 'watched') {
  const patches = classPatches(observe);
  patches.enable();
  patches.offer(OPENAI.ofPackage(Sdk), undefined);
}
const server = await startOpenaiWire();
// A signal that outlives every call, as an agent's own would.
const session = new AbortController();
const client = (scenario: string): Any =>
  new Sdk.OpenAI({ apiKey: 'key', baseURL: server.base(scenario), maxRetries: 0 });
const chat = (scenario: string, stream: boolean): Any =>
  client(scenario).chat.completions.create(
    { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }], ...(stream && { stream }) },
    { signal: session.signal },
  );
const respond = (scenario: string, stream: boolean): Any =>
  client(scenario).responses.create(
    { model: 'gpt-test', input: 'hi', ...(stream && { stream }) },
    { signal: session.signal },
  );

/** Each leaves nothing behind but weak references. */
const ABANDONED: Readonly<Record<string, () => Promise<WeakRef<object>>>> = {
  'half-read stream': async () => {
    const stream = await respond('hang-in-stream', true);
    await stream[Symbol.asyncIterator]().next();
    return new WeakRef(stream);
  },
  'half-read generator': async () => {
    const stream = await chat('hang-in-stream', true);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    return new WeakRef(iterator);
  },
  'unread stream': async () => new WeakRef(await chat('ok', true)),
  'unread answer': async () => {
    const promise = respond('ok', false);
    await server.arrived();
    return new WeakRef(promise);
  },
  'unread answer of parse': async () => {
    const promise = client('ok').responses.parse({ model: 'gpt-test', input: 'hi' });
    await server.arrived();
    return new WeakRef(promise);
  },
  'unread compaction': async () => {
    const { responses } = client('ok');
    const promise = responses.compact?.({ model: 'gpt-test', input: 'hi' }) ?? respond('ok', false);
    await server.arrived();
    return new WeakRef(promise);
  },
  'finished call': async () => {
    const promise = chat('ok', false);
    await promise;
    return new WeakRef(promise);
  },
  'finished stream': async () => {
    const stream = await respond('ok', true);
    for await (const _ of stream);
    return new WeakRef(stream);
  },
};

const left: Record<string, WeakRef<object>> = {};
const calls: Record<string, ReturnType<typeof take>> = {};
for (const [name, abandon] of Object.entries(ABANDONED)) {
  left[name] = await abandon();
  calls[name] = take();
  server.take();
}
// Held, and read long after the garbage collector has been at work.
const kept = respond('ok', false);
const keptCalls = take();
// What was last on the stack, in the socket pool and in the parser may stay until the next call.
await chat('ok', false);
for await (const _ of await respond('ok', true));
const settled = () => Object.keys(left).filter((name) => left[name]?.deref() === undefined);
const ended = () => Object.entries(calls).map(([name, seen]) => [name, seen.flatMap(({ ends }) => ends)] as const);
for (let turn = 0; turn < 80; turn += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const allEnded = mode !== 'watched' || ended().every(([, ends]) => ends.length > 0);
  if (settled().length === Object.keys(left).length && allEnded) break;
}
const before = keptCalls.flatMap(({ ends }) => ends);
const { id } = await kept;
const result = {
  collected: settled(),
  ends: Object.fromEntries(ended()),
  kept: { id, before, after: keptCalls.flatMap(({ ends }) => ends) },
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
