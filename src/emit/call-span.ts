import { type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Judgement } from '../continuity/judgement.ts';
import type { CallFacts } from '../dialects/dialect.ts';
import { callAttributes } from './call-attributes.ts';
import { writeFindingEvents } from './finding-events.ts';
import type { Gated } from './gate.ts';
import { type CallCircumstances, genAiAttributes, spanName } from './gen-ai-attributes.ts';
import { producerLinks } from './producer-links.ts';

/** The span of a call, and what has been written on it so far. */
export interface CallSpan {
  readonly span: Span;
  readonly written: Gated;
}

/** Starts a span of ours for one call: `{operation} {model}`, CLIENT, by the GenAI conventions. */
export function startCallSpan(
  tracer: Tracer,
  parent: Context,
  facts: CallFacts,
  circumstances: CallCircumstances,
  judgement: Judgement,
  experimentArm: string | undefined,
): CallSpan {
  const forSamplers = genAiAttributes('start', facts, circumstances);
  callAttributes(judgement, 'start', experimentArm, forSamplers);
  const links = producerLinks(judgement.producers);
  const span = tracer.startSpan(spanName(facts), { kind: SpanKind.CLIENT, attributes: forSamplers, links }, parent);
  if (!span.isRecording()) return { span, written: {} };
  const written = genAiAttributes('request', facts, circumstances);
  callAttributes(judgement, 'request', experimentArm, written);
  span.setAttributes(written);
  return { span, written };
}

/** Writes what the request alone tells on a span that somebody else made. Only `reasoning.*`; the rest is theirs. */
export function writeRequest(span: Span, judgement: Judgement, experimentArm: string | undefined): CallSpan {
  if (!span.isRecording()) return { span, written: {} };
  const written = callAttributes(judgement, 'request', experimentArm);
  span.setAttributes(written);
  const links = producerLinks(judgement.producers);
  // Spans of an SDK older than 1.25 cannot take a link after their start.
  if (links.length > 0) span.addLinks?.(links);
  return { span, written };
}

/** Writes what the whole call tells, on anybody's span. Status stays unset: a finding is no error of the call. */
export function writeJudgement(
  { span, written }: CallSpan,
  judgement: Judgement,
  experimentArm: string | undefined,
): void {
  if (!span.isRecording()) return;
  const all = callAttributes(judgement, 'end', experimentArm);
  for (const name in all) {
    const value = all[name];
    if (value !== undefined && value !== written[name]) span.setAttribute(name, value);
  }
  writeFindingEvents(span, judgement.findings);
}

/** Writes the GenAI side of the end on a span of our own. A failure has no message: it can quote the prompt. */
export function writeOutcome(span: Span, facts: CallFacts, circumstances: CallCircumstances): void {
  if (!span.isRecording()) return;
  span.setAttributes(genAiAttributes('end', facts, circumstances));
  if (circumstances.errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
}
