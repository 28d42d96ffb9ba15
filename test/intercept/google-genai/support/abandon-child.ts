/**
 * Abandons promises and streams in every state and waits for the garbage collector. Needs --expose-gc.
 * Arguments: package name of the SDK, mode (`bare`, to compare; `watched`). Prints what was collected, and the ends seen.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { clientWatcher } from '../../../../src/intercept/watch-client.ts';
import { observeCall } from '../../../../src/observe/observe-call.ts';
import { both } from '../../openai/support/both.ts';
import type { Any } from '../../support/call-shapes.ts';
import { recorder } from '../../support/recording.ts';
import { startGoogleWire } from './wire.ts';

const [packageName = '', mode] = process.argv.slice(2);
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
const { observe, take } = recorder();
const watch = clientWatcher(both(observe, observeCall));
const Sdk: Any = await import(packageName);
const server = await startGoogleWire();
// A signal that outlives every call, as an agent's own would.
const session = new AbortController();
const client = (scenario: string): Any => {
  const made = new Sdk.GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.base(scenario) } });
  if (mode === 'watched') watch(made);
  return made;
};
const model = 'gemini-3.8-flash';
const BY_HAND = { automaticFunctionCalling: { disable: true }, abortSignal: session.signal };
const open = (scenario: string, config: object = {}): Any =>
  client(scenario).models.generateContentStream({ model, contents: 'hi', config });
const interact = (scenario: string): Any => client(scenario).interactions.create({ model, input: 'hi', stream: true });

/** Each leaves nothing behind but weak references. */
const ABANDONED: Readonly<Record<string, () => Promise<WeakRef<object>>>> = {
  'half-read stream': async () => {
    const stream = await open('hang-in-stream', BY_HAND);
    await stream.next();
    return new WeakRef(stream);
  },
  'half-read stream with tools': async () => {
    const stream = await open('hang-in-stream');
    await stream.next();
    return new WeakRef(stream);
  },
  'unread stream': async () => new WeakRef(await open('ok', BY_HAND)),
  'unread interaction': async () => new WeakRef(await interact('ok')),
  'finished call': async () => new WeakRef(await client('ok').models.generateContent({ model, contents: 'hi' })),
  'finished stream': async () => {
    const stream = await open('ok', BY_HAND);
    for await (const _ of stream);
    return new WeakRef(stream);
  },
  'finished interaction': async () => {
    const stream = await interact('ok');
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
await client('ok').models.generateContent({ model, contents: 'hi' });
for await (const _ of await open('ok', BY_HAND));
const settled = () => Object.keys(left).filter((name) => left[name]?.deref() === undefined);
const ended = () => Object.entries(calls).map(([name, seen]) => [name, seen.flatMap(({ ends }) => ends)] as const);
for (let turn = 0; turn < 80; turn += 1) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const allEnded = mode !== 'watched' || ended().every(([, ends]) => ends.length > 0);
  if (settled().length === Object.keys(left).length && allEnded) break;
}
process.stdout.write(JSON.stringify({ collected: settled(), ends: Object.fromEntries(ended()) }), () =>
  process.exit(0),
);
