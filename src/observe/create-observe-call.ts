import { context, type Span } from '@opentelemetry/api';
import type { ProcessContext, RunContext } from '../context.ts';
import type { ProducerRef } from '../continuity/judgement.ts';
import type { Ledger } from '../continuity/ledger.ts';
import type { ApiName, CallEnd, CallError, Dialect, DialectCall, RequestInput } from '../dialects/dialect.ts';
import type { CallCircumstances } from '../emit/gen-ai-attributes.ts';
import { recordCall } from '../emit/record-call.ts';
import { rollUp } from '../emit/roll-up.ts';
import { noteSdk } from '../emit/seen-sdks.ts';
import { instrumentsOf, tracerOf } from '../emit/telemetry-api.ts';
import { VALUE_OTHER } from '../semconv.ts';
import { accountDigest } from './account.ts';
import { agentSpan, borrowedSpan } from './choose-span.ts';
import { ReasoningContinuityError } from './continuity-error.ts';
import { errorType } from './error-type.ts';
import { guard, guarded } from './guard.ts';
import { isEnabled } from './is-enabled.ts';
import { createKnownAccounts } from './known-accounts.ts';
import { observeFetch } from './observe-fetch.ts';
import { placeOnBorrowedSpan, placeOnOwnSpan } from './placed-call.ts';
import { sayLosses } from './say-losses.ts';
import type { CallObserver, ObserveCall, SeenCall } from './seen-call.ts';
import { startStopwatch } from './stopwatch.ts';
import { type Target, targetOf } from './target.ts';

/** What observing a call depends on. */
export interface ObserveDependencies {
  /** Unless the settings of the process hold others. */
  readonly dialects: Readonly<Partial<Record<ApiName, Dialect>>>;
  readonly createLedger: () => Ledger;
  /** Asked at each call, so that a copy of this package that comes second shares what the first one made. */
  readonly processContext: () => ProcessContext;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Learnt from answers, for the APIs whose credentials do not tell. */
const knownAccounts = createKnownAccounts();

/** Of the account that a client names, as a digest. */
function namedAccount({ organization }: SeenCall, { accountKey }: ProcessContext): string | undefined {
  const named = guard('reading the name of an account', () => organization?.());
  return named ? accountDigest(named, accountKey) : undefined;
}

function requestOf(
  seen: SeenCall,
  credential: string | undefined,
  shared: ProcessContext,
  run: RunContext | undefined,
  target?: Target,
): RequestInput {
  const { body, headers, provider, accountHeader, keeper, losesSeals } = seen;
  // The getter below lives as long as the call: it must not share a scope with what reads the client.
  const named = namedAccount(seen, shared);
  const canBeNamed = seen.organization !== undefined;
  return {
    body,
    ...(headers && { headers }),
    ...(provider !== undefined && { provider }),
    ...(target?.endpoint !== undefined && { endpoint: target.endpoint }),
    ...(target !== undefined && { path: target.path }),
    // Asked again when the answer is in: the account may be known by then.
    get account() {
      if (named !== undefined) return named;
      if (credential === undefined || canBeNamed) return undefined;
      return accountHeader === undefined ? credential : knownAccounts.of(credential);
    },
    ...(canBeNamed && credential !== undefined && { key: credential }),
    ...(keeper && { keeper }),
    ...(losesSeals !== undefined && { losesSeals }),
    ...(run?.expectReasoning !== undefined && { expectReasoning: run.expectReasoning }),
    ...(run?.runId !== undefined && { runId: run.runId }),
    ...(run?.strips && run.experimentArm !== undefined && { experimentArm: run.experimentArm }),
  };
}

/** Makes `observeCall` from its parts; the parts are what tests put others in the place of. */
export function createObserveCall(dependencies: ObserveDependencies): ObserveCall {
  return guarded('observing a call', (seen: SeenCall): CallObserver | undefined => {
    const shared = dependencies.processContext();
    const dialect = (shared.settings.dialects ?? dependencies.dialects)[seen.api];
    if (dialect === undefined || !isEnabled(shared.settings)) return undefined;
    shared.ledger ??= dependencies.createLedger();
    if (seen.fetches !== undefined) {
      const fetched = dialect.fetch?.(seen.fetches, shared.ledger);
      return fetched && observeFetch(fetched);
    }
    const run = shared.run.getStore();
    const target = targetOf(seen.api, seen.baseURL);
    const producer: Mutable<ProducerRef> = { traceId: '', spanId: '', traceFlags: 0 };
    const secret = guard('reading a credential', () => seen.credential?.());
    const credential = secret ? accountDigest(secret, shared.accountKey) : undefined;
    const call = dialect.open(requestOf(seen, credential, shared, run, target), shared.ledger, producer);
    if (call === undefined) return undefined;
    const { sdk, manual, nativeSpan, accountHeader } = seen;
    return observe({
      sdk,
      manual,
      nativeSpan,
      accountHeader,
      credential,
      shared,
      run,
      target,
      producer,
      call,
      dialect,
    });
  });
}

/** The losses that are certain before the request leaves, as an error; undefined where there are none. */
function refusalOf(api: ApiName, call: DialectCall): ReasoningContinuityError | undefined {
  const { findings, prefixChanged } = call.judgement();
  const losses = findings.filter(({ severity, certainty }) => severity === 'loss' && certainty === 'certain');
  if (losses.length === 0) return undefined;
  const placed = losses.map((finding) => ({ ...finding, api, prefixChanged }));
  return new ReasoningContinuityError(api, call.facts().requestModel, placed);
}

/** A call that its dialect has opened. Without the request: the observer may outlive the application's interest in it. */
interface Opened extends Pick<SeenCall, 'sdk' | 'manual'> {
  readonly nativeSpan: Span | undefined;
  readonly accountHeader: string | undefined;
  /** As a digest. */
  readonly credential: string | undefined;
  readonly shared: ProcessContext;
  readonly run: RunContext | undefined;
  readonly target: Target | undefined;
  readonly producer: Mutable<ProducerRef>;
  readonly call: DialectCall;
  readonly dialect: Dialect;
}

function observe(opened: Opened): CallObserver {
  const { sdk, manual, nativeSpan, accountHeader, credential, shared, run, target, producer, call, dialect } = opened;
  const watch = startStopwatch();
  const startedAt = Date.now();
  const arm = run?.experimentArm;
  const active = context.active();
  const server: CallCircumstances = {
    ...(target !== undefined && { address: target.address, port: target.port }),
    ...(run?.conversationId !== undefined && { conversationId: run.conversationId }),
  };
  const borrowed = guard('looking for the span of a call', () => borrowedSpan(nativeSpan, active, shared.callSpans));
  const around = guard('looking for the span of a run', () => agentSpan(active));
  const place =
    borrowed === undefined
      ? placeOnOwnSpan(() => tracerOf(shared.settings), active, call, server, arm)
      : placeOnBorrowedSpan(borrowed, call, arm);
  guard('noting the span of a call', () => {
    if (place.span === undefined) return;
    shared.callSpans.add(place.span);
    const { traceId, spanId, traceFlags } = place.span.spanContext();
    Object.assign(producer, { traceId, spanId, traceFlags });
  });
  guard('adding up a run', () => run?.tally?.begun());
  const { onFinding } = shared.settings;
  const refusal = onFinding === 'throw' ? guard('judging a request', () => refusalOf(dialect.api, call)) : undefined;
  let failureType: string | undefined;
  let ended = false;

  function finish(how: CallEnd): void {
    const judgement = guard('judging a call', () => call.close(how)) ?? guard('judging a call', () => call.judgement());
    const facts = guard('reading the facts of a call', () => call.facts());
    // A stream that nobody read is found by the garbage collector, long after anything has happened.
    const duration = how === 'unread' ? watch.lastSeen() : watch.elapsed();
    const circumstances: CallCircumstances = {
      ...server,
      ...(watch.timeToFirstChunk !== undefined && { timeToFirstChunk: watch.timeToFirstChunk }),
      ...(how === 'failed' && { errorType: failureType ?? VALUE_OTHER }),
      ...((how === 'failed' || how === 'aborted') && { cutShort: watch.timeToFirstChunk !== undefined }),
    };
    const endTime = how === 'unread' ? { endTime: startedAt + duration * 1000 } : undefined;
    guard('writing a call', () => place.finish({ judgement, facts, circumstances, ...endTime }));
    const judged = judgement && facts && { api: dialect.api, facts, judgement };
    if (judged && around) guard('rolling up a call', () => rollUp(shared.rollUps, around, judged, arm));
    guard('adding up a run', () => run?.tally?.ended(judged, how));
    if (judgement === undefined || facts === undefined) return;
    if (onFinding === 'warn') guard('saying losses', () => sayLosses(dialect.api, facts.requestModel, judgement));
    guard('counting a call', () => {
      noteSdk({ ...sdk, by: manual ? 'client' : 'hook', span: place.owner });
      recordCall(instrumentsOf(shared.settings), {
        judgement,
        facts,
        circumstances,
        duration,
        chunkGaps: watch.gaps,
        ...(arm !== undefined && { experimentArm: arm }),
        ...(run?.labels && { runLabels: run.labels }),
        ...(shared.settings.prices && { prices: shared.settings.prices }),
      });
    });
  }

  /** Nothing after the end: the first one wins. */
  const open = <A extends unknown[]>(site: string, fn: (...args: A) => void) =>
    guarded(site, (...args: A): void => {
      if (!ended) fn(...args);
    });

  return {
    ...(refusal && { refusal }),
    run: place.run,
    headers: open('noting the headers of a response', (_status: number, get: (name: string) => unknown) => {
      watch.seen();
      const account = accountHeader && get(accountHeader);
      if (credential === undefined || typeof account !== 'string' || account === '') return;
      knownAccounts.learn(credential, accountDigest(account, shared.accountKey));
    }),
    event: open('reading a stream event', (event: unknown) => {
      if (dialect.isChunk?.(event) ?? true) watch.chunk();
      else watch.seen();
      call.event(event);
    }),
    response: open('reading a response', (value: unknown) => {
      watch.seen();
      call.response(value);
    }),
    error: open('reading an error', (error: CallError, cause: unknown) => {
      watch.seen();
      failureType ??= errorType(error, cause);
      // Ours is no answer of the provider's.
      if (refusal === undefined || cause !== refusal) call.error(error);
    }),
    end: open('ending a call', (how: CallEnd) => {
      ended = true;
      finish(how);
    }),
  };
}
