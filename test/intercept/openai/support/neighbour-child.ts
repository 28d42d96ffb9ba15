/**
 * Ours beside another instrumentation of the same SDK. Arguments: order (`theirs`, `ours`: who patches first), base URL of
 * the wire server without a scenario, packages. Prints the spans of each call.
 */
import { createRequire } from 'node:module';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import type { Any } from '../../support/call-shapes.ts';

const [order, origin, ...packages] = process.argv.slice(2);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const require = createRequire(import.meta.url);
const Sdks = packages.map((name): Any => require(name));
const theirs = () => {
  const instrumentation = new OpenAIInstrumentation();
  instrumentation.setMeterProvider(new MeterProvider());
  const [definition] = (instrumentation as Any).init();
  for (const { OpenAI } of Sdks) definition.patch({ OpenAI });
};
const ours = () => void new ReasoningInstrumentation();
for (const patch of order === 'theirs' ? [theirs, ours] : [ours, theirs]) patch();

const chat = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }] };
const ask = { model: 'gpt-test', input: 'hi' };
const read = async (stream: Any): Promise<void> => {
  for await (const _ of await stream);
};
type Call = (client: (scenario: string) => Any) => Promise<unknown>;
const CALLS: Readonly<Record<string, Call>> = {
  chat: (client) => client('ok').chat.completions.create(chat),
  responses: (client) => client('ok').responses.create(ask),
  'chat, refused': (client) =>
    client('bad')
      .chat.completions.create(chat)
      .catch(() => undefined),
  'responses, refused': (client) =>
    client('bad')
      .responses.create(ask)
      .catch(() => undefined),
  'chat stream': (client) => read(client('ok').chat.completions.create({ ...chat, stream: true })),
  'responses stream': (client) => read(client('ok').responses.create({ ...ask, stream: true })),
  'responses helper': (client) => client('ok').responses.stream(ask).finalResponse(),
};
const report: Record<string, Record<string, string[]>> = {};
for (const [index, { OpenAI }] of Sdks.entries()) {
  const spans: Record<string, string[]> = {};
  report[packages[index] ?? ''] = spans;
  for (const [name, call] of Object.entries(CALLS)) {
    await call((scenario) => new OpenAI({ apiKey: 'key', baseURL: `${origin}/${scenario}`, maxRetries: 0 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    spans[name] = exporter.getFinishedSpans().map(({ instrumentationScope, attributes }) => {
      const written = Object.keys(attributes).filter((key) => key.startsWith('reasoning.'));
      return `${instrumentationScope.name} ${written.includes('reasoning.continuity')} ${attributes['reasoning.rejected'] ?? '-'}`;
    });
    exporter.reset();
  }
}
process.stdout.write(JSON.stringify(report), () => process.exit(0));
