/**
 * Runs every shape of call of one version in one process and prints what the application saw.
 * Arguments: package name of the SDK; mode: `bare`, or `hooked` (loader hooks and the whole instrumentation, which also
 * records); where wanted, the one shape to run.
 */
import { context, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';
import { observeCall } from '../../../../src/observe/observe-call.ts';
import type { ObserveCall } from '../../../../src/observe/seen-call.ts';
import { installLoaderHooks } from '../../../../src/register/loader-hooks.ts';
import { both } from '../../openai/support/both.ts';
import type { Any } from '../../support/call-shapes.ts';
import { describeValue } from '../../support/describe-value.ts';
import { recorder } from '../../support/recording.ts';
import { recordShapeSpans } from '../../support/shape-spans.ts';
import { SHAPES } from './shapes.ts';
import { type ReceivedRequest, startBedrockWire } from './wire.ts';

const [packageName = '', mode = 'bare', only] = process.argv.slice(2);

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const shapeSpans = recordShapeSpans();

const { observe, take } = recorder();
class Recording extends ReasoningInstrumentation {
  protected override observer(): ObserveCall {
    return both(observe, observeCall);
  }
}
if (mode === 'hooked') {
  installLoaderHooks();
  new Recording();
}
const Sdk: Any = await import(packageName);

const server = await startBedrockWire();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(stable(describeValue(reason))));
const warnings: string[] = [];
process.on('warning', (warning) => warnings.push(String(warning)));
const diagnostics: string[] = [];
const note = (...parts: unknown[]) => void diagnostics.push(parts.join(' '));
diag.setLogger({ error: note, warn: note, info: () => undefined, debug: () => undefined, verbose: () => undefined });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Some calls never come back, with or without us; that too has to be the same. */
const withLimit = (result: unknown): Promise<unknown> =>
  Promise.race([result, new Promise((resolve) => setTimeout(resolve, 2500, 'never came back').unref())]);

/** Random delays of retries, and the HTTP response that errors carry, with its socket. */
function stable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (/^(?:totalRetryDelay|\$response) /.test(key) ? 'volatile' : member)) ??
      'null',
  );
}

const report: Record<string, unknown> = {};
for (const [name, shape] of Object.entries(SHAPES)) {
  if (only !== undefined && name !== only) continue;
  const log: unknown[] = [];
  const clients: Any[] = [];
  let outcome: unknown;
  try {
    const tools = {
      Sdk,
      arrived: server.arrived,
      client: (scenario: string, { Client, aggregated, ...options }: Any = {}): Any => {
        const Made = Client ?? (aggregated ? Sdk.BedrockRuntime : Sdk.BedrockRuntimeClient);
        const client = new Made({
          region: 'us-east-1',
          endpoint: server.base(scenario),
          credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
          maxAttempts: 1,
          ...options,
        });
        clients.push(client);
        return client;
      },
      log: (entry: unknown) => log.push(stable(describeValue(entry))),
      describe: describeValue,
    };
    outcome = { value: stable(describeValue(await withLimit(shape(tools)))) };
  } catch (error) {
    outcome = { error: stable(describeValue(error)) };
  }
  await pause(5);
  for (const client of clients) client.destroy();
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

/** Path, body byte for byte, and headers in order of name, without those that are signed anew each time. */
function describeRequest({ path, headers, body }: ReceivedRequest): string {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?::authority|host|authorization|x-amz-date|amz-sdk-invocation-id|amz-sdk-request)$/.test(name),
  );
  return [path, body, ...kept.map(([name, value]) => `${name}: ${String(value)}`).sort()].join('\n');
}
