/**
 * A process that lives for one call, as an application would write it, with nothing of the test in its way.
 * Arguments: package name of the SDK, mode (`bare`, `hooked`), what happens.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import type { Any } from '../../support/call-shapes.ts';
import { startOpenaiWire } from './wire.ts';

const [packageName = '', mode, what = ''] = process.argv.slice(2);
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: new InMemorySpanExporter() })] }),
);
if (mode === 'hooked') {
  installLoaderHooks();
  new ReasoningInstrumentation();
}
const { OpenAI }: Any = await import(packageName);
const server = await startOpenaiWire();
const client = (scenario: string): Any => new OpenAI({ apiKey: 'key', baseURL: server.base(scenario), maxRetries: 0 });
const chat = { model: 'gpt-test', messages: [{ role: 'user', content: 'hi' }] };
const ask = { model: 'gpt-test', input: 'hi' };

const HAPPENINGS: Readonly<Record<string, () => unknown>> = {
  'never-awaited rejection': () => void client('bad').chat.completions.create(chat),
  'never-awaited rejection of parse': () => void client('bad').responses.parse(ask),
  'a good end': async () => {
    await client('ok').responses.create(ask);
    for await (const _ of await client('ok').chat.completions.create({ ...chat, stream: true })) break;
    await server.close();
  },
  'a WebSocket error that nobody listens to': async () => {
    const { ResponsesWS }: Any = await import(`${packageName}/resources/responses/ws`);
    new ResponsesWS(client('ok')).send({ ...ask, type: 'response.create', model: 'refused' });
  },
};
await HAPPENINGS[what]?.();
process.stdout.write('reached the end\n');
