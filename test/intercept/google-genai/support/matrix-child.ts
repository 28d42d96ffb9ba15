/**
 * Runs every shape of call of one version in one process and prints what the application saw.
 * Arguments: package name of the SDK; mode; where wanted, the one shape to run. Modes: `bare`; `hooked` (loader hooks and
 * the whole instrumentation, which also records); `client` (a recording observer on each client); `required` and
 * `required-hooked` (the same of the CommonJS build); `faulty` (an answer that is copied: the comparison has to notice).
 */
import { createRequire } from 'node:module';
import { context, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { clientWatcher } from '../../../../src/intercept/watch-client.ts';
import { observeCall } from '../../../../src/observe/observe-call.ts';
import type { ObserveCall } from '../../../../src/observe/seen-call.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import { both } from '../../openai/support/both.ts';
import type { Any } from '../../support/call-shapes.ts';
import { describeValue } from '../../support/describe-value.ts';
import { recorder } from '../../support/recording.ts';
import { recordShapeSpans } from '../../support/shape-spans.ts';
import type { ReceivedRequest } from '../../support/wire-server.ts';
import { SHAPES } from './shapes.ts';
import { startGoogleWire } from './wire.ts';

const [packageName = '@google/genai', mode = 'bare', only] = process.argv.slice(2);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const shapeSpans = recordShapeSpans();

const { observe, take } = recorder();
class Recording extends ReasoningInstrumentation {
  protected override observer(): ObserveCall {
    return both(observe, observeCall);
  }
}
if (mode.endsWith('hooked')) {
  installLoaderHooks();
  new Recording({ aliases: { [packageName]: '@google/genai' } });
}
const require = createRequire(import.meta.url);
const Sdk: Any = mode.startsWith('required') ? require(packageName) : await import(packageName);
const watchClient = clientWatcher(both(observe, observeCall));
if (mode === 'faulty') {
  const { prototype } = Sdk.Models;
  const { generateContentInternal } = prototype;
  prototype.generateContentInternal = async function (this: unknown, ...args: unknown[]) {
    return { ...(await generateContentInternal.apply(this, args)) };
  };
}

const server = await startGoogleWire();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(describeValue(reason)));
const warnings: string[] = [];
process.on('warning', (warning) => warnings.push(String(warning)));
// What the SDK says of experiments and of broken events.
const said: string[] = [];
for (const level of ['warn', 'error', 'debug', 'info', 'log'] as const) {
  console[level] = (...parts: unknown[]) => {
    const line = parts.join(' ');
    // Node's own are heard as such.
    if (!line.startsWith('(node:')) said.push(`${level} ${line}`);
  };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
};

const withLimit = (result: unknown): Promise<unknown> =>
  Promise.race([result, new Promise((resolve) => setTimeout(resolve, 20_000, 'never came back').unref())]);

const report: Record<string, unknown> = {};
const diagnostics: string[] = [];
const note = (...parts: unknown[]) => void diagnostics.push(parts.join(' '));
diag.setLogger({ error: note, warn: note, info: () => undefined, debug: () => undefined, verbose: () => undefined });

for (const [name, shape] of Object.entries(SHAPES)) {
  if (only !== undefined && name !== only) continue;
  const log: unknown[] = [];
  let outcome: unknown;
  try {
    const tools = {
      Sdk,
      arrived: server.arrived,
      answered: () => server.answered().then(settle),
      client: (scenario: string, options: Record<string, unknown> = {}): Any => {
        const made = new Sdk.GoogleGenAI({
          apiKey: 'key',
          httpOptions: { baseUrl: server.base(scenario) },
          ...options,
        });
        if (mode === 'client') watchClient(made);
        return made;
      },
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
    said: said.splice(0),
    requests: server.take().map(describeRequest).sort(),
    spans: spans.map((span) => ({ name: span.name, judged: 'reasoning.continuity' in span.attributes })),
    observed: take(),
  };
}
await server.close();
process.stdout.write(JSON.stringify({ report, warnings, diagnostics }), () => process.exit(0));

/** Method, path, body byte for byte, and headers in order of name. As text, since parallel requests arrive in any order. */
function describeRequest({ method, path, headers, body }: ReceivedRequest): string {
  const { host: _, connection: __, ...kept } = headers;
  const lines = Object.entries(kept).map(([name, value]) => `${name}: ${String(value)}`);
  return [`${method} ${path}`, body, ...lines.sort()].join('\n');
}
