import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { Judgement } from '../continuity/judgement.ts';
import type { CallFacts, DialectCall } from '../dialects/dialect.ts';
import { type CallSpan, startCallSpan, writeJudgement, writeOutcome, writeRequest } from '../emit/call-span.ts';
import type { CallCircumstances } from '../emit/gen-ai-attributes.ts';
import type { SPAN_OWNERS } from '../semconv.ts';
import type { BorrowedSpan } from './choose-span.ts';
import { guard } from './guard.ts';
import { holdEnd } from './hold-end.ts';
import { runWithSpan } from './run-with-span.ts';

/** How a call came out, for its span. What could not be read is absent. */
export interface Outcome {
  readonly judgement: Judgement | undefined;
  readonly facts: CallFacts | undefined;
  readonly circumstances: CallCircumstances;
  /** Milliseconds since the epoch; absent: now. */
  readonly endTime?: number;
}

/** A call on its span. */
export interface PlacedCall {
  readonly owner: (typeof SPAN_OWNERS)[number];
  /** Absent where none could be started. */
  readonly span: Span | undefined;
  /** Runs the hand-over, with the span active where it is ours. */
  run<T>(fn: () => T): T;
  /** Writes the outcome; ends the span where it is ours. */
  finish(outcome: Outcome): void;
}

/** Places a call on a span of our own. */
export function placeOnOwnSpan(
  tracer: () => Tracer,
  parent: Context,
  call: DialectCall,
  server: CallCircumstances,
  arm: string | undefined,
): PlacedCall {
  const own = guard('starting the span of a call', () =>
    startCallSpan(tracer(), parent, call.facts(), server, call.judgement(), arm),
  );
  return {
    owner: 'own',
    span: own?.span,
    run: (fn) => (own === undefined ? fn() : runWithSpan(own.span, fn)),
    finish({ judgement, facts, circumstances, endTime }) {
      if (own === undefined) return;
      if (judgement) guard('writing a judgement', () => writeJudgement(own, judgement, arm));
      if (facts) guard('writing the outcome of a call', () => writeOutcome(own.span, facts, circumstances));
      guard('ending the span of a call', () => own.span.end(endTime));
    },
  };
}

/** Places a call on a span that somebody else made, and will end. */
export function placeOnBorrowedSpan(
  { span, owner }: BorrowedSpan,
  call: DialectCall,
  arm: string | undefined,
): PlacedCall {
  const place = { owner, span, run: <T>(fn: () => T) => fn() };
  if (!guard('reading a borrowed span', () => span.isRecording())) return { ...place, finish: () => undefined };
  // At once: should their span end before anything of ours runs again, this much is on it.
  const begun: CallSpan = guard('writing a request to a borrowed span', () =>
    writeRequest(span, call.judgement(), arm),
  ) ?? { span, written: {} };
  let last: Judgement | undefined;
  const write = () => writeJudgement(begun, last ?? call.judgement(), arm);
  const hold = guard('holding a borrowed span', () => holdEnd(span, write));
  return {
    ...place,
    finish({ judgement }) {
      last = judgement;
      if (hold !== undefined) hold.release();
      else guard('writing a judgement', write);
    },
  };
}
