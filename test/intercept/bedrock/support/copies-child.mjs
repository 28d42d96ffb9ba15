/**
 * Both versions of the SDK in one process, imported and required, with `register` as built. Plain JavaScript: it also
 * runs on Node 20. Arguments: endpoint, `register` as it is built. Prints the spans that the calls of each copy make.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const [endpoint, register] = process.argv.slice(2);
const require = createRequire(import.meta.url);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const early = require('bedrock-runtime-3.840');
await import(pathToFileURL(register));

const copies = {
  'newest, import': await import('@aws-sdk/client-bedrock-runtime'),
  'newest, require': require('@aws-sdk/client-bedrock-runtime'),
  '3.840, required early': early,
  '3.840, import': await import('bedrock-runtime-3.840'),
};

const spans = {};
for (const [name, { BedrockRuntime, BedrockRuntimeClient, ConverseStreamCommand }] of Object.entries(copies)) {
  const options = { region: 'us-east-1', endpoint, credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' } };
  const input = { modelId: 'anthropic.claude-test-v1:0', messages: [{ role: 'user', content: [{ text: 'hi' }] }] };
  await new BedrockRuntime(options).converse(input);
  const { stream } = await new BedrockRuntimeClient(options).send(new ConverseStreamCommand(input));
  for await (const _ of stream);
  spans[name] = exporter.getFinishedSpans().map((span) => `${span.name} ${span.attributes['reasoning.continuity']}`);
  exporter.reset();
}
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
