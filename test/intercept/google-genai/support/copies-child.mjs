/**
 * Several copies and majors of the SDK in one process, with `register` as built. Plain JavaScript: it also runs on Node 20.
 * Arguments: base URL, `register` as it is built. Prints the spans that the calls of each copy make.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const [baseUrl, register] = process.argv.slice(2);
const require = createRequire(import.meta.url);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
console.warn = () => undefined;

const early = require('genai-1.50');
await import(pathToFileURL(register));

const copies = {
  'newest, import': await import('@google/genai'),
  'newest, import, for browsers': await import('@google/genai/web'),
  'newest, require': require('@google/genai'),
  '2.32, import': await import('genai-2.32'),
  '1.50, import': await import('genai-1.50'),
  '1.50, required early': early,
  '1.0, import': await import('genai-1.0'),
};

const model = 'gemini-3.8-flash';
const spans = {};
for (const [name, { GoogleGenAI }] of Object.entries(copies)) {
  const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl } });
  await client.models.generateContent({ model, contents: 'hi' });
  for await (const _ of await client.chats.create({ model }).sendMessageStream({ message: 'hi' }));
  if (client.interactions) {
    await client.interactions.create({ model, input: 'hi' });
    for await (const _ of await client.interactions.create({ model, input: 'hi', stream: true }));
  }
  spans[name] = exporter.getFinishedSpans().map((span) => `${span.name} ${span.attributes['reasoning.continuity']}`);
  exporter.reset();
}
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
