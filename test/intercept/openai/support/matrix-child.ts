/**
 * Runs every shape of call of one version in one process and prints what the application saw.
 * Arguments: package name of the SDK; mode; where wanted, the one shape to run. Modes: `bare`; `hooked` (loader hooks and
 * the whole instrumentation, which also records); `theirs` (another instrumentation); `both`.
 */
import { createRequire } from 'node:module';
import { context, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { observeCall } from '../../../../src/observe/observe-call.ts';
import type { ObserveCall } from '../../../../src/observe/seen-call.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import type { Any } from '../../support/call-shapes.ts';
import { describeValue } from '../../support/describe-value.ts';
import { recorder } from '../../support/recording.ts';
import { recordShapeSpans } from '../../support/shape-spans.ts';
import type { ReceivedRequest } from '../../support/wire-server.ts';
import { both } from './both.ts';
import { SHAPES } from './shapes.ts';
import { startOpenaiWire } from './wire.ts';

const [packageName = 'openai', mode = 'bare', only] = process.argv.slice(2);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const shapeSpans = recordShapeSpans();

const { observe, take } = recorder();
class Recording extends ReasoningInstrumentation {
  protected override observer(): ObserveCall {
    return both(observe, observeCall);
  }
}
if (mode === 'hooked' || mode === 'both') {
  installLoaderHooks();
  new Recording();
}
const Sdk: Any = await import(packageName);
if (mode === 'theirs' || mode === 'both') {
  // By hand, after ours: which order makes no difference is a test of its own.
  const theirs = new OpenAIInstrumentation();
  theirs.setMeterProvider(new MeterProvider());
  const [definition] = (theirs as Any).init();
  definition.patch({ OpenAI: Sdk.OpenAI });
}

const server = await startOpenaiWire();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(describeValue(reason)));
const warnings: string[] = [];
process.on('warning', (warning) => warnings.push(String(warning)));
// What the SDK says of broken events.
console.error = () => undefined;

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Some calls of some versions never come back, with or without us; that too has to be the same. */
const withLimit = (result: unknown): Promise<unknown> =>
  Promise.race([result, new Promise((resolve) => setTimeout(resolve, 1500, 'never came back').unref())]);

const require = createRequire(import.meta.url);
/** A module that the version has, however it is loaded. */
async function load(path: string): Promise<Any> {
  try {
    require.resolve(`${packageName}/${path}`);
  } catch {
    return undefined;
  }
  return import(`${packageName}/${path}`);
}

const report: Record<string, unknown> = {};
const diagnostics: string[] = [];
const note = (...parts: unknown[]) => void diagnostics.push(parts.join(' '));
diag.setLogger({ error: note, warn: note, info: () => undefined, debug: () => undefined, verbose: () => undefined });

for (const [name, shape] of Object.entries(SHAPES)) {
  if (only !== undefined && name !== only) continue;
  // The other instrumentation knows nothing of these.
  if ((mode === 'theirs' || mode === 'both') && name.startsWith('socket ')) continue;
  const log: unknown[] = [];
  let outcome: unknown;
  try {
    const tools = {
      Sdk,
      load,
      arrived: server.arrived,
      answered: () => server.answered().then(settle),
      client: (scenario: string, options: Record<string, unknown> = {}): Any =>
        new Sdk.OpenAI({ apiKey: 'key', baseURL: server.base(scenario), ...options }),
      log: (entry: unknown) => log.push(describeValue(entry)),
      describe: describeValue,
    };
    outcome = { value: describeValue(await withLimit(shape(tools))) };
  } catch (error) {
    outcome = { error: describeValue(error) };
  }
  await settle();
  const spans = await shapeSpans.take();
  report[name] = {
    outcome,
    log,
    unhandled: unhandled.splice(0),
    requests: server.take().map(describeRequest).sort(),
    spans: spans.map((span) => ({ name: span.name, judged: 'reasoning.continuity' in span.attributes })),
    observed: take(),
  };
}
await server.close();
process.stdout.write(JSON.stringify({ report, warnings, diagnostics }), () => process.exit(0));

/** Method, path, body byte for byte, and headers in order of name. As text, since parallel requests arrive in any order. */
function describeRequest({ method, path, headers, body }: ReceivedRequest): string {
  const { host: _, connection: __, 'sec-websocket-key': ___, ...kept } = headers;
  const lines = Object.entries(kept).map(([name, value]) => `${name}: ${String(value)}`);
  return [`${method} ${path}`, body, ...lines.sort()].join('\n');
}
