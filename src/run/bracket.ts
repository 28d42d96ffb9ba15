import { randomUUID } from 'node:crypto';
import { type Attributes, context, diag, type Span } from '@opentelemetry/api';
import { processContext, type RunContext, type RunTally } from '../context.ts';
import type { CallEnd } from '../dialects/dialect.ts';
import { passes } from '../emit/gate.ts';
import { recordRun } from '../emit/record-run.ts';
import { writeTotals } from '../emit/roll-up.ts';
import { endRunSpan, startRunSpan, writeRunEnd } from '../emit/run-span.ts';
import { addCall, createTotals } from '../emit/run-totals.ts';
import { instrumentsOf, tracerOf } from '../emit/telemetry-api.ts';
import { agentSpan } from '../observe/choose-span.ts';
import { errorType } from '../observe/error-type.ts';
import { guard, guarded } from '../observe/guard.ts';
import { isEnabled } from '../observe/is-enabled.ts';
import { runWithSpan } from '../observe/run-with-span.ts';
import { ATTR_REASONING_RUN_OUTCOME } from '../semconv.ts';
import { type Ending, followResult } from './follow-result.ts';
import { metricLabels, spanAttributes } from './run-labels.ts';
import { type RunSummary, summaryOf } from './run-summary.ts';

export interface RunOptions {
  /** Of the agent, `gen_ai.agent.name`: a name of at most four words, the same for all of its runs. */
  readonly name?: string;
  /** `gen_ai.conversation.id`. Only where the application has one; none is made up. */
  readonly conversationId?: string;
  /** Whether the answers of this run should hold reasoning, whatever the configuration of a request says. */
  readonly expectReasoning?: boolean;
  /**
   * Attributes of your own for the span of the run (team, tenant). Those whose names the setting `metricAttributes` lists
   * also stand on the metrics of the run and of its calls.
   */
  readonly attributes?: Readonly<Attributes>;
}

/** A run that is under way. */
export interface Run {
  /** `reasoning.run.id`; empty where everything is switched off. */
  readonly id: string;
  /** Says how it ended, in place of `completed`, `failed` or `abandoned`: a lower_snake word out of a small set. */
  setOutcome(outcome: string): void;
  /** What it adds up to so far, and once it has ended. */
  summary(): RunSummary;
}

/** What only this package gives to a run. */
export interface RunExtras {
  readonly experimentArm?: string;
  /** The arm leaves reasoning out of requests. */
  readonly strips?: boolean;
  /** Runs without telemetry of its own: no span, no metric. */
  readonly silent?: boolean;
}

/** One run from its beginning to its end. */
interface OpenRun {
  readonly run: Run;
  /** Runs a part of its work. */
  within<R>(fn: () => R): R;
  ended(ending: Ending): void;
  unclaimed(): void;
  claimed(): void;
}

/** Brackets one run: what `fn` does, until what it has returned comes to its end. */
export function bracket<T>(options: RunOptions, extras: RunExtras, fn: (run: Run) => T): T {
  const open = guard('starting a run', () => openRun(options, extras));
  if (open === undefined) return fn(INERT);
  let result: T;
  try {
    result = open.within(() => fn(open.run));
  } catch (cause) {
    open.ended({ how: 'thrown', cause });
    throw cause;
  }
  const { within: resume, ended, unclaimed, claimed } = open;
  return followResult(result, { resume, ended, unclaimed, claimed });
}

const INERT: Run = { id: '', setOutcome: () => undefined, summary: () => summaryOf(createTotals()) };

function openRun(options: RunOptions, extras: RunExtras): OpenRun | undefined {
  const shared = processContext();
  if (!isEnabled(shared.settings)) return undefined;
  const outer = shared.run.getStore();
  const runId = randomUUID();
  const { name, conversationId = outer?.conversationId, expectReasoning = outer?.expectReasoning } = options;
  const { experimentArm = outer?.experimentArm, strips = outer?.strips, silent = false } = extras;
  const attributes = spanAttributes(options.attributes);
  const labels: Attributes = { ...outer?.labels, ...metricLabels(attributes, shared.settings.metricAttributes) };
  const start = {
    runId,
    attributes,
    ...(name !== undefined && { name }),
    ...(conversationId !== undefined && { conversationId }),
  };
  const active = context.active();
  const joined = silent ? undefined : agentSpan(active);
  const own = silent || joined ? undefined : startRunSpan(tracerOf(shared.settings), active, start);
  const span: Span | undefined = joined ?? own;
  if (joined) joined.setAttributes(attributes);

  const totals = createTotals();
  const startedAt = performance.now();
  let openCalls = 0;
  let ending: Ending | undefined;
  let isUnclaimed = false;
  let outcome: string | undefined;
  let over = false;

  const tally: RunTally = {
    begun() {
      openCalls++;
      outer?.tally?.begun();
    },
    ended(call, how) {
      openCalls--;
      if (call) addCall(totals, call);
      // On the span of a tool runner its calls are added up already.
      if (call && own) writeTotals(own, { ...totals, runId }, experimentArm);
      outer?.tally?.ended(call, how);
      if (isUnclaimed && openCalls === 0) ending ??= endingBy(how);
      finishIfOver();
    },
  };

  /** A call that outlasts the function, as a stream that is handed on, belongs to the run. */
  function finishIfOver(): void {
    if (over || ending === undefined || openCalls > 0) return;
    over = true;
    const how = ending;
    // What was thrown is the application's: even its name can throw when it is asked for.
    const end = guard('reading how a run ended', () => endOf(how, outcome)) ?? { outcome: outcome ?? 'failed' };
    if (span) guard('writing the end of a run', () => writeRunEnd(span, end));
    if (own) guard('ending the span of a run', () => endRunSpan(own, end, totals));
    if (silent) return;
    guard('counting a run', () =>
      recordRun(instrumentsOf(shared.settings), {
        ...end,
        totals,
        duration: (performance.now() - startedAt) / 1000,
        runLabels: labels,
        ...(name !== undefined && { name }),
        ...(experimentArm !== undefined && { experimentArm }),
      }),
    );
  }

  const within: RunContext = {
    runId,
    tally,
    labels,
    ...(expectReasoning !== undefined && { expectReasoning }),
    ...(experimentArm !== undefined && { experimentArm }),
    ...(conversationId !== undefined && { conversationId }),
    ...(strips !== undefined && { strips }),
  };
  return {
    run: {
      id: runId,
      setOutcome: guarded('noting the outcome of a run', (word: string) => {
        if (passes('run', ATTR_REASONING_RUN_OUTCOME, word)) outcome = word;
        else diag.warn('reasoning-otel: an outcome of a run is left out: expected a lower_snake word');
      }),
      summary: () => summaryOf(totals),
    },
    within: (fn) => shared.run.run(within, () => (own ? runWithSpan(own, fn) : fn())),
    ended(how) {
      ending ??= how;
      isUnclaimed = false;
      finishIfOver();
    },
    unclaimed() {
      isUnclaimed = true;
    },
    claimed() {
      isUnclaimed = false;
    },
  };
}

/** Where the result is had in a way that cannot be followed (`catch`, `withResponse`), its last call tells. */
function endingBy(call: CallEnd): Ending {
  if (call === 'failed') return { how: 'thrown', cause: undefined };
  return { how: call === 'aborted' ? 'left' : 'returned' };
}

/** Names of the errors by which work is called off, here and in the SDKs. */
const ABORTS = /^(?:AbortError|APIUserAbortError)$/;

function endOf(ending: Ending, said: string | undefined): { readonly outcome: string; readonly errorType?: string } {
  if (ending.how !== 'thrown') return { outcome: said ?? (ending.how === 'left' ? 'abandoned' : 'completed') };
  const { cause } = ending;
  const called = cause instanceof Error && (ABORTS.test(cause.name) || ABORTS.test(cause.constructor.name));
  return { outcome: said ?? (called ? 'abandoned' : 'failed'), errorType: errorType(undefined, cause) };
}
