/**
 * A process that lives for one call, as an application would write it, with nothing of the test in its way.
 * Arguments: package name of the SDK, mode (`bare`, `hooked`), what happens.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import type { Any } from '../../support/call-shapes.ts';
import { startGoogleWire } from './wire.ts';

const [packageName = '', mode, what = ''] = process.argv.slice(2);
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })] }),
);
if (mode === 'hooked') {
  installLoaderHooks();
  new ReasoningInstrumentation();
}
const { GoogleGenAI }: Any = await import(packageName);
const server = await startGoogleWire();
const client = (scenario: string): Any =>
  new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.base(scenario) } });
const ask = { model: 'gemini-3.8-flash', contents: 'hi' };
const interact = { model: 'gemini-3.8-flash', input: 'hi' };

const HAPPENINGS: Readonly<Record<string, () => unknown>> = {
  'never-awaited rejection': () => void client('bad').models.generateContent(ask),
  'never-awaited rejection of a stream': () => void client('bad').models.generateContentStream(ask),
  'never-awaited rejection of a chat': () =>
    void client('bad').chats.create({ model: ask.model }).sendMessage({ message: 'hi' }),
  'never-awaited rejection of an interaction': () => void client('bad').interactions.create(interact),
  'never-awaited rejection of a streamed interaction': () =>
    void client('bad').interactions.create({ ...interact, stream: true }),
  'a good end': async () => {
    await client('ok').models.generateContent(ask);
    for await (const _ of await client('ok').models.generateContentStream(ask)) break;
    await server.close();
  },
};
await HAPPENINGS[what]?.();
process.stdout.write('reached the end\n');
