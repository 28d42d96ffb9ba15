/**
 * Runs every shape of call in one process and prints what the application saw.
 * `faulty` wraps `create` as it must not be wrapped: the comparison has to notice.
 * Arguments: package name of the SDK; mode: `bare`, `hooked` (loader hooks and the whole instrumentation), `watched` and
 * `client` (a recording observer, on the classes and on each client).
 */

import { context, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ANTHROPIC } from '../../../src/intercept/anthropic.ts';
import { classPatches } from '../../../src/intercept/class-patches.ts';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import { clientWatcher } from '../../../src/intercept/watch-client.ts';
import { installLoaderHooks } from '../../../src/register/loader-hooks.ts';
import { type Any, SHAPES } from './call-shapes.ts';
import { describeValue } from './describe-value.ts';
import { recorder } from './recording.ts';
import { recordShapeSpans } from './shape-spans.ts';
import { type ReceivedRequest, startWireServer } from './wire-server.ts';

const [packageName = '@anthropic-ai/sdk', mode = 'bare', only] = process.argv.slice(2);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const shapeSpans = recordShapeSpans();

if (mode === 'hooked') {
  installLoaderHooks();
  new ReasoningInstrumentation();
}
const Sdk: Any = await import(packageName);
const { observe, take } = recorder();
const watchClient = clientWatcher(observe);
if (mode === 'faulty') {
  const { prototype } = Sdk.Anthropic.Messages;
  const { create } = prototype;
  prototype.create = async function (this: unknown, ...args: unknown[]) {
    return await create.apply(this, args);
  };
}
if (mode === 'watched') {
  const patches = classPatches(observe);
  patches.enable();
  patches.offer(ANTHROPIC.ofPackage(Sdk), undefined);
}

const server = await startWireServer();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(describeValue(reason)));
const warnings: string[] = [];
process.on('warning', (warning) => warnings.push(String(warning)));

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Some calls of some versions never come back, with or without us; that too has to be the same. */
const withLimit = (result: unknown): Promise<unknown> =>
  Promise.race([result, new Promise((resolve) => setTimeout(resolve, 1500, 'never came back').unref())]);

const report: Record<string, unknown> = {};
const diagnostics: string[] = [];
const note = (...parts: unknown[]) => void diagnostics.push(parts.join(' '));
diag.setLogger({ error: note, warn: note, info: () => undefined, debug: () => undefined, verbose: () => undefined });

for (const [name, shape] of Object.entries(SHAPES)) {
  if (only !== undefined && name !== only) continue;
  const log: unknown[] = [];
  const client = (scenario: string, options: Record<string, unknown> = {}): Any => {
    const made = new Sdk.Anthropic({ apiKey: 'key', baseURL: server.base(scenario), ...options });
    if (mode === 'client') watchClient(made);
    return made;
  };
  let outcome: unknown;
  try {
    const answered = () => server.answered().then(settle);
    const tools = {
      Sdk,
      arrived: server.arrived,
      answered,
      client,
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
  const { host: _, connection: __, ...kept } = headers;
  const lines = Object.entries(kept).map(([name, value]) => `${name}: ${String(value)}`);
  return [`${method} ${path}`, body, ...lines.sort()].join('\n');
}
