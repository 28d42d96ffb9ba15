/** An application as a bundler sees it: the SDK, OpenTelemetry and this package, all to become one file. */
import Anthropic from '@anthropic-ai/sdk';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { instrumentClient } from '../../../src/index.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const options = { apiKey: 'key', baseURL: process.argv[2] ?? '', maxRetries: 0 };
const watched = instrumentClient(new Anthropic({ ...options, openTelemetry: false }));
const native = instrumentClient(new Anthropic(options));
const other = new Anthropic({ ...options, openTelemetry: false });
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user' as const, content: 'hi' }] };

await watched.messages.create(body);
for await (const _ of await native.messages.create({ ...body, stream: true }));
await watched.withOptions({ timeout: 9000 }).beta.messages.create(body);
await other.messages.create(body);

const spans = exporter
  .getFinishedSpans()
  .map(({ name, attributes }) => `${name} ${attributes['reasoning.continuity']}`);
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
