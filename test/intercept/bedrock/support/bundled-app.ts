/** An application as a bundler sees it: the SDK, OpenTelemetry and this package, all to become one file. */
import {
  BedrockRuntime,
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { instrumentClient } from '../../../../src/index.ts';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const options = {
  region: 'us-east-1',
  endpoint: process.argv[2] ?? '',
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
};
const ask = (modelId: string) => ({ modelId, messages: [{ role: 'user' as const, content: [{ text: 'hi' }] }] });

const watched = instrumentClient(new BedrockRuntimeClient(options));
await watched.send(new ConverseCommand(ask('bundled.converse')));
const { stream } = await watched.send(new ConverseStreamCommand(ask('bundled.stream')));
for await (const _ of stream ?? []);
await instrumentClient(new BedrockRuntime(options)).converse(ask('bundled.method'));
await new BedrockRuntime(options).converse(ask('other'));
await new BedrockRuntimeClient(options).send(new ConverseCommand(ask('other')));

const spans = exporter
  .getFinishedSpans()
  .map(({ name, attributes }) => `${name} ${attributes['reasoning.continuity']}`);
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
