import { bracket, type Run } from './bracket.ts';
import { intactReport } from './intact-report.ts';
import type { RunSummary } from './run-summary.ts';

export interface ExpectIntactOptions {
  /** Whether the answers should hold reasoning, whatever the configuration of a request says. */
  readonly expectReasoning?: boolean;
}

const NOTHING_SEEN =
  'No model call was observed, so nothing can be said of its reasoning. Hand the client to instrumentClient(client), or ' +
  'load reasoning-otel/register, and see that REASONING_OTEL_DISABLED is not set.';

/**
 * Asserts that reasoning came through a run whole: no block lost or damaged, none missing where it was to be expected, no
 * request refused for it. For any test runner: it throws an `Error` whose message says where and what to change. Notes are
 * no faults. No OpenTelemetry SDK is needed.
 *
 * @param run what makes the model calls, such as one run of your agent; what it throws is thrown, unless reasoning was lost:
 *   then that is its `cause`. Or a run of `withRun()`, for what it has done so far.
 * @returns what `run` returns
 * @throws also where no model call was observed
 */
export function expectIntact<T>(run: () => T | PromiseLike<T>, options?: ExpectIntactOptions): Promise<Awaited<T>>;
export function expectIntact(run: Run): void;
export function expectIntact<T>(
  run: Run | (() => T | PromiseLike<T>),
  options: ExpectIntactOptions = {},
): Promise<Awaited<T>> | undefined {
  if (typeof run === 'function') return runIntact(run, options);
  check(run.summary());
  return undefined;
}

async function runIntact<T>(work: () => T | PromiseLike<T>, options: ExpectIntactOptions): Promise<Awaited<T>> {
  let own: Run | undefined;
  let result: Awaited<T>;
  try {
    result = await bracket(options, { silent: true }, async (run) => {
      own = run;
      return await work();
    });
  } catch (cause) {
    const report = own && intactReport(own.summary());
    throw report === undefined ? cause : new Error(report, { cause });
  }
  check(own?.summary());
  return result;
}

function check(summary: RunSummary | undefined): void {
  if (summary === undefined || summary.calls === 0) throw new Error(NOTHING_SEEN);
  const report = intactReport(summary);
  if (report !== undefined) throw new Error(report);
}
