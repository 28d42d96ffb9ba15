/** An application as a bundler sees it: the SDK, OpenTelemetry and this package, all to become one file. */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { instrumentClient } from '../../../../src/index.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const options = { apiKey: 'key', baseURL: process.argv[2] ?? '', maxRetries: 0 };
const watched = instrumentClient(new OpenAI(options));
const other = new OpenAI(options);
const question = { model: 'bundled-chat', messages: [{ role: 'user' as const, content: 'hi' }] };

await watched.chat.completions.create(question);
for await (const _ of await watched.withOptions({ timeout: 9000 }).responses.create({
  model: 'bundled-stream',
  input: 'hi',
  stream: true,
}));
await other.responses.create({ model: 'other', input: 'hi' });

const ask = (socket: ResponsesWS): Promise<void> =>
  new Promise((resolve) => {
    socket.on('close', () => resolve());
    socket.on('response.completed', () => socket.close());
    socket.send({ type: 'response.create', model: 'gpt-test', input: 'hi' });
  });
await ask(instrumentClient(new ResponsesWS(watched)));
await ask(new ResponsesWS(watched));

const spans = exporter
  .getFinishedSpans()
  .map(({ name, attributes }) => `${name} ${attributes['reasoning.continuity']}`);
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
