/**
 * Several copies of the SDK and of this package in one process, hooked as OpenTelemetry documents it.
 * Plain JavaScript: it also runs on Node 20. Arguments: base URL, our ES module, our CommonJS module.
 * Prints how many spans a call of each copy makes, with both copies of this package on, with one, and with none.
 */
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const [baseURL, esm, cjs] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

// Loaded before everything.
const early = require('anthropic-0.137');

const first = new (await import(esm)).ReasoningInstrumentation();
const second = new (require(cjs).ReasoningInstrumentation)({ aliases: { 'anthropic-0.37': '@anthropic-ai/sdk' } });

const copies = {
  'newest, import': await import('@anthropic-ai/sdk'),
  'newest, require': require('@anthropic-ai/sdk'),
  '0.60, import': await import('anthropic-0.60'),
  '0.37, require by alias': require('anthropic-0.37'),
  '0.137, required early': early,
};

async function spansOfEach() {
  const counts = {};
  for (const [name, { Anthropic }] of Object.entries(copies)) {
    const client = new Anthropic({ apiKey: 'key', baseURL, maxRetries: 0, openTelemetry: false });
    const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };
    await client.messages.create(body);
    for await (const _ of await client.beta.messages.create({ ...body, stream: true }));
    counts[name] = exporter.getFinishedSpans().length;
    exporter.reset();
  }
  return counts;
}

const both = await spansOfEach();
first.disable();
const one = await spansOfEach();
second.disable();
const none = await spansOfEach();
process.stdout.write(JSON.stringify({ both, one, none }), () => process.exit(0));
