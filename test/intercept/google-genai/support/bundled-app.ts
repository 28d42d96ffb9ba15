/** An application as a bundler sees it: the SDK, OpenTelemetry and this package, all to become one file. */
import { GoogleGenAI } from '@google/genai';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { instrumentClient } from '../../../../src/index.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const options = { apiKey: 'key', httpOptions: { baseUrl: process.argv[2] ?? '' } };
const watched = instrumentClient(new GoogleGenAI(options));
const other = new GoogleGenAI(options);

await watched.models.generateContent({ model: 'bundled-model', contents: 'hi' });
for await (const _ of await watched.chats.create({ model: 'bundled-chat' }).sendMessageStream({ message: 'hi' }));
await watched.interactions.create({ model: 'bundled-interaction', input: 'hi' });
for await (const _ of await watched.interactions.create({ model: 'bundled-stream', input: 'hi', stream: true }));
await other.models.generateContent({ model: 'other', contents: 'hi' });
await other.interactions.create({ model: 'other', input: 'hi' });

const spans = exporter
  .getFinishedSpans()
  .map(({ name, attributes }) => `${name} ${attributes['reasoning.continuity']}`);
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
