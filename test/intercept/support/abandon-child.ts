/**
 * Abandons promises and streams in every state and waits for the garbage collector. Needs --expose-gc.
 * Arguments: package name of the SDK, mode (`bare`, `watched`, `hooked`). Prints what was collected, and the ends seen.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ANTHROPIC } from '../../../src/intercept/anthropic.ts';
import { classPatches } from '../../../src/intercept/class-patches.ts';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import { installLoaderHooks } from '../../../src/register/loader-hooks.ts';
import type { Any } from './call-shapes.ts';
import { recorder } from './recording.ts';
import { startWireServer } from './wire-server.ts';

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
  patches.offer(ANTHROPIC.ofPackage(Sdk), undefined);
}
const server = await startWireServer();
// A signal that outlives every call, as an agent's own would.
const session = new AbortController();
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };
const create = (scenario: string, stream: boolean): Any =>
  new Sdk.Anthropic({ apiKey: 'key', baseURL: server.base(scenario), maxRetries: 0 }).messages.create(
    { ...body, ...(stream && { stream }) },
    { signal: session.signal },
  );

/** Each leaves nothing behind but weak references. */
const ABANDONED: Readonly<Record<string, () => Promise<WeakRef<object>>>> = {
  'half-read stream': async () => {
    const stream = await create('hang-in-stream', true);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    return new WeakRef(stream);
  },
  'half-read generator': async () => {
    const stream = await create('hang-in-stream', true);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    return new WeakRef(iterator);
  },
  'unread stream': async () => new WeakRef(await create('ok', true)),
  'unread answer': async () => {
    const promise = create('ok', false);
    await server.arrived();
    return new WeakRef(promise);
  },
  'finished call': async () => {
    const promise = create('ok', false);
    await promise;
    return new WeakRef(promise);
  },
  'finished stream': async () => {
    const stream = await create('ok', true);
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
// What was last on the stack, in the socket pool and in the parser may stay until the next call.
await create('ok', false);
for await (const _ of await create('ok', true));
const settled = () => Object.keys(left).filter((name) => left[name]?.deref() === undefined);
const ended = () => Object.entries(calls).map(([name, seen]) => [name, seen.flatMap(({ ends }) => ends)] as const);
for (let turn = 0; turn < 60; turn += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const allEnded = mode !== 'watched' || ended().every(([, ends]) => ends.length > 0);
  if (settled().length === Object.keys(left).length && allEnded) break;
}
const result = { collected: settled(), ends: Object.fromEntries(ended()), spans: exporter.getFinishedSpans().length };
process.stdout.write(JSON.stringify(result), () => process.exit(0));
