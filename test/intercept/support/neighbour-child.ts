/**
 * Ours beside another instrumentation of the same SDK. Arguments: package name of the SDK, order (`theirs`, `ours`: who
 * patches first), base URL of the wire server without a scenario. Prints the spans of each call.
 */
import { createRequire } from 'node:module';
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import type { Any } from './call-shapes.ts';

const [packageName = '', order, origin] = process.argv.slice(2);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const Sdk: Any = createRequire(import.meta.url)(packageName);
const theirs = () => new AnthropicInstrumentation().manuallyInstrument(Sdk);
const ours = () => void new ReasoningInstrumentation();
for (const patch of order === 'theirs' ? [theirs, ours] : [ours, theirs]) patch();

const client = (scenario: string): Any =>
  new Sdk.Anthropic({ apiKey: 'key', baseURL: `${origin}/${scenario}`, maxRetries: 0, openTelemetry: false });
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  create: () => client('ok').messages.create(body),
  beta: () => client('ok').beta.messages.create(body),
  refused: () =>
    client('bad')
      .messages.create(body)
      .catch(() => undefined),
  stream: async () => {
    for await (const _ of await client('ok').messages.create({ ...body, stream: true }));
  },
  helper: () => client('ok').messages.stream(body).finalMessage(),
};
const spans: Record<string, string[]> = {};
for (const [name, call] of Object.entries(CALLS)) {
  await call();
  await new Promise((resolve) => setTimeout(resolve, 20));
  spans[name] = exporter
    .getFinishedSpans()
    .map((span) => `${span.name}, judged: ${'reasoning.continuity' in span.attributes}`);
  exporter.reset();
}
process.stdout.write(JSON.stringify(spans), () => process.exit(0));
