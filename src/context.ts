import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Attributes, MeterProvider, Span, TracerProvider } from '@opentelemetry/api';
import type { ReasoningOptions } from './config.ts';
import type { Ledger } from './continuity/ledger.ts';
import type { ApiName, CallEnd, Dialect } from './dialects/dialect.ts';
import type { PriceTable } from './emit/cost.ts';
import type { RunCall, RunTotals } from './emit/run-totals.ts';
import type { ObserveCall } from './observe/seen-call.ts';

/** Told of the model calls inside a run. */
export interface RunTally {
  /** A call has begun; exactly one `ended` follows. */
  begun(): void;
  /** Undefined where the call could not be judged. */
  ended(call: RunCall | undefined, how: CallEnd): void;
}

/** What a run carries along the async context. */
export interface RunContext {
  /** Run id that every step inside takes, instead of inheriting one through the ledger. */
  readonly runId?: string;
  /** Overrides what the configuration of each request says. */
  readonly expectReasoning?: boolean;
  readonly experimentArm?: string;
  /** Given by the application, for `gen_ai.conversation.id`. */
  readonly conversationId?: string;
  /** Attributes of the user's own that stand on metrics too. */
  readonly labels?: Attributes;
  /** Adds the steps up. One of an outer run is told by the inner one's. */
  readonly tally?: RunTally;
  /** The arm leaves reasoning out of requests: what is missing in them is missing by plan. */
  readonly strips?: boolean;
}

/** Set by whoever sets the instrumentation up; absent means the default. */
export interface Settings {
  /** false: calls pass unobserved. Absent: on, unless an environment variable switches it off. */
  enabled?: boolean;
  /** Absent: the global one, whenever it is registered. */
  tracerProvider?: TracerProvider;
  meterProvider?: MeterProvider;
  /** In place of those of this release, as where a user has added rows to a table. */
  dialects?: Readonly<Partial<Record<ApiName, Dialect>>>;
  /** Of the ledger, which the first observed call makes. */
  ledgerMaxEntries?: number;
  /** Milliseconds. */
  ledgerMaxAge?: number;
  /** What happens on a loss beside its being recorded. */
  onFinding?: 'record' | 'warn' | 'throw';
  /** Names of attributes of runs that also stand on metrics. */
  metricAttributes?: readonly string[];
  prices?: PriceTable;
  /** The options that were given in code, as they came. */
  given?: ReasoningOptions;
}

/** Who sees the calls of a patched method. */
export interface Subscriber {
  readonly observe: ObserveCall;
  /** The client was handed to `instrumentClient`. */
  readonly manual: boolean;
  /** Only the calls of these clients; absent: of every client. */
  readonly clients?: { has(client: object): boolean };
}

/** One patched method of an SDK's class. A second copy of this package subscribes, and patches nothing. */
export interface PatchedMethod {
  readonly subscribers: Subscriber[];
  /** Puts the original back. */
  restore(): void;
}

/**
 * The one object per process. The ESM and the CJS copy of this package, and two installed copies, hold a module state
 * each, and have to know of one another's issued blocks and patched classes.
 */
export interface ProcessContext {
  /** Made by the first call that is observed. */
  ledger?: Ledger;
  readonly run: AsyncLocalStorage<RunContext>;
  /** The patch lock: what some copy has patched, by prototype and name of the method. */
  readonly patched: WeakMap<object, Map<string, PatchedMethod>>;
  /** Spans that already stand for a call, so that none stands for two. */
  readonly callSpans: WeakSet<Span>;
  /** What the calls under the span of an SDK's tool runner add up to so far. */
  readonly rollUps: WeakMap<Span, RunTotals>;
  /** Key of the digests that stand for credentials; random, or configured so that processes agree. */
  accountKey: Uint8Array | string;
  readonly settings: Settings;
}

const KEY = Symbol.for('reasoning-otel/1');

const create = (): ProcessContext => ({
  run: new AsyncLocalStorage<RunContext>(),
  patched: new WeakMap(),
  callSpans: new WeakSet(),
  rollUps: new WeakMap(),
  accountKey: randomBytes(32),
  settings: {},
});

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The context of this process; made on first use. */
export function processContext(): ProcessContext {
  const holder = globalThis as { [KEY]?: ProcessContext };
  const existing = holder[KEY];
  if (isObject(existing)) {
    // Made by another copy, perhaps of an older version under the same key: fill in what it did not know of.
    if (!('settings' in existing && 'rollUps' in existing))
      Object.assign(existing, { ...create(), ...(existing as object) });
    return existing;
  }
  const made = create();
  // Not enumerable: a program that walks its globals finds what it would have found.
  Object.defineProperty(globalThis, KEY, { value: made, configurable: true, writable: true, enumerable: false });
  return made;
}
