/**
 * Several copies and majors of the SDK in one process, with `register` as built. Plain JavaScript: it also runs on Node 20.
 * Arguments: base URL, `register` as it is built. Prints the spans that the calls of each copy make.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const [baseURL, register] = process.argv.slice(2);
const require = createRequire(import.meta.url);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const early = require('openai-5.23');
await import(pathToFileURL(register));

const copies = {
  'newest, import': await import('openai'),
  'newest, require': require('openai'),
  '6.49, import': await import('openai-6.49'),
  // As an ES module it does not survive hooks over every module: its shims load in another order.
  '4.104, import': await import('openai-4.104'),
  '4.87, import': await import('openai-4.87'),
  '5.23, required early': early,
};
const sockets = {
  'newest, import': await import('openai/resources/responses/ws'),
  'newest, require': require('openai/resources/responses/ws'),
  '6.49, import': await import('openai-6.49/resources/responses/ws'),
};

async function ask({ ResponsesWS }, client) {
  const socket = new ResponsesWS(client);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', (error) => console.error(error));
  socket.on('response.completed', () => socket.close());
  socket.send({ type: 'response.create', model: 'gpt-test', input: 'hi' });
  await closed;
}

const spans = {};
for (const [name, { OpenAI }] of Object.entries(copies)) {
  const client = new OpenAI({ apiKey: 'key', baseURL, maxRetries: 0 });
  await client.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }] });
  for await (const _ of await client.responses.create({ model: 'gpt-test', input: 'hi', stream: true }));
  if (sockets[name]) await ask(sockets[name], client);
  spans[name] = exporter.getFinishedSpans().map((span) => `${span.name} ${span.attributes['reasoning.continuity']}`);
  exporter.reset();
}
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
