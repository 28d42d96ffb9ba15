/**
 * The instrumentation of the AWS SDK beside ours. Arguments: `theirs` or `ours`, the one that is registered first; the
 * endpoints of a call that is answered and of one that is refused. Prints the spans of each call.
 */
import { createRequire } from 'node:module';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AwsInstrumentation } from '@opentelemetry/instrumentation-aws-sdk';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import type { Any } from '../../support/call-shapes.ts';

const [first, ok = '', bad = ''] = process.argv.slice(2);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

const registrations = [() => new AwsInstrumentation(), () => new ReasoningInstrumentation()];
for (const register of first === 'theirs' ? registrations : registrations.reverse()) register();

const { BedrockRuntime }: Any = createRequire(import.meta.url)('@aws-sdk/client-bedrock-runtime');
const clientOf = (endpoint: string): Any =>
  new BedrockRuntime({
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
    maxAttempts: 1,
  });
const input = { modelId: 'anthropic.claude-test-v1:0', messages: [{ role: 'user', content: [{ text: 'hi' }] }] };

const report: Record<string, string[]> = {};
async function see(name: string, call: () => Promise<unknown>): Promise<void> {
  await call().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 5));
  report[name] = exporter.getFinishedSpans().map(({ name: span, instrumentationScope: scope, attributes }) => {
    const { 'reasoning.continuity': continuity, 'reasoning.rejected': rejected } = attributes;
    return `${scope.name}: ${span}, ${continuity}, rejected ${rejected}`;
  });
  exporter.reset();
}
await see('converse', () => clientOf(ok).converse(input));
await see('refused', () => clientOf(bad).converse(input));
await see('stream', async () => {
  const { stream } = await clientOf(ok).converseStream(input);
  for await (const _ of stream);
});
process.stdout.write(JSON.stringify(report), () => process.exit(0));
