import { isMainThread } from 'node:worker_threads';
import { readSettings } from '../config/read-settings.ts';
import { resolveSettings } from '../config/resolve-settings.ts';
import { ReasoningInstrumentation } from '../intercept/reasoning-instrumentation.ts';
import { isSdkDisabled } from '../observe/is-enabled.ts';
import { showWarnings } from './diag-lines.ts';
import { watchEndings } from './endings.ts';
import { handOverWhenAsked } from './hand-over.ts';
import { installLoaderHooks } from './loader-hooks.ts';
import { otelPackages, rangeProblem } from './otel-packages.ts';
import { isRegistered, yieldRegistration } from './registrations.ts';
import { say } from './say.ts';
import { startFromFile } from './start-from-file.ts';
import { startSdk } from './start-sdk.ts';

/** One `register` a process, however many copies of this package are loaded. */
const BEGUN = Symbol.for('reasoning-otel/1/register');

const USE_CLIENT = 'Hand each client to instrumentClient(client) instead';

/**
 * Hooks and observes the SDKs, and sees to it that there is an OpenTelemetry SDK. Runs before the application, which it
 * must never keep from running: what goes wrong is said in a line.
 */
export function begin(): void {
  try {
    if (Reflect.has(globalThis, BEGUN)) return;
    Object.defineProperty(globalThis, BEGUN, { value: true });
    if (resolveSettings().settings.disabled || isSdkDisabled()) return;
    showWarnings();
    const { sdk, exitFlush } = readSettings();
    const problem = rangeProblem();
    if (problem !== undefined) say('warn', problem);
    step('hook modules, so nothing is observed', observe);
    if (sdk === 'auto') step('start OpenTelemetry, so nothing is sent', () => provide(exitFlush));
  } catch (error) {
    say('warn', `could not start; the application is not affected: ${inWords(error)}`);
  }
}

/** One part of the whole, which the other parts survive. */
function step(what: string, fn: () => void): void {
  try {
    fn();
  } catch (error) {
    say('warn', `could not ${what}; the application is not affected: ${inWords(error)}`);
  }
}

function observe(): void {
  hook();
  new ReasoningInstrumentation();
}

const inWords = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join();

function hook(): void {
  const runtime = process.versions.bun ? 'Bun' : 'Deno' in globalThis ? 'Deno' : undefined;
  try {
    if (installLoaderHooks() !== 'none' && runtime === undefined) return;
    say('warn', `loader hooks cannot run on ${runtime ?? `Node ${process.version}`}. ${USE_CLIENT}`);
  } catch (error) {
    say('warn', `loader hooks cannot run here: ${inWords(error)}. ${USE_CLIENT}`);
  }
}

/** Joins the providers that are there; where there is none, starts an SDK. */
function provide(childAtExit: boolean): void {
  if (isRegistered('trace') || isRegistered('metrics')) return;
  const hadLogger = isRegistered('diag');
  const packages = otelPackages();
  const sdk = startFromFile(packages) ?? startSdk(packages);
  // By OTEL_LOG_LEVEL the SDK has set a logger; so will theirs.
  if (!hadLogger && isRegistered('diag')) yieldRegistration('diag', () => undefined);
  handOverWhenAsked(sdk);
  watchEndings(sdk, childAtExit);
  if (isMainThread) {
    say(
      'info',
      `started OpenTelemetry, since none was registered: ${sdk.destination} (REASONING_OTEL_SDK=off starts none)`,
    );
  }
}
