/**
 * A process that lives for one call, as an application would write it, with nothing of the test in its way.
 * Arguments: package name of the SDK, mode (`bare`, `hooked`), what happens.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import { installLoaderHooks } from '../../../src/register/loader-hooks.ts';
import type { Any } from './call-shapes.ts';
import { startWireServer } from './wire-server.ts';

const [packageName = '', mode, what = ''] = process.argv.slice(2);
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })] }),
);
if (mode === 'hooked') {
  installLoaderHooks();
  new ReasoningInstrumentation();
}
const { Anthropic }: Any = await import(packageName);
const server = await startWireServer();
const client = (scenario: string): Any =>
  new Anthropic({ apiKey: 'key', baseURL: server.base(scenario), maxRetries: 0 });
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };

const HAPPENINGS: Readonly<Record<string, () => unknown>> = {
  'never-awaited rejection': () => void client('bad').messages.create(body),
  'never-awaited rejection of a stream': () => void client('bad').messages.create({ ...body, stream: true }),
  'helper that nobody listens to': () => void client('broken').messages.stream(body),
  'rejection of a top-level await': () => client('bad').messages.create(body),
  'throw inside the loop': async () => {
    for await (const _ of await client('ok').messages.create({ ...body, stream: true })) throw new Error('mine');
  },
  'a good end': async () => {
    await client('ok').messages.create(body);
    for await (const _ of await client('ok').messages.create({ ...body, stream: true })) break;
    await server.close();
  },
  'a stream left half read': async () => {
    for await (const _ of await client('hang-in-stream').messages.create({ ...body, stream: true })) break;
    await server.close();
  },
};
await HAPPENINGS[what]?.();
process.stdout.write('reached the end\n');
