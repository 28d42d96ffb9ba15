import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_REASONING_RUN_ID,
  ATTR_REASONING_RUN_OUTCOME,
  OPERATION_INVOKE_AGENT,
} from '../semconv.ts';
import { gateLabels, passes } from './gate.ts';
import type { RunTotals } from './run-totals.ts';

/** What is known of a run when it begins. */
export interface RunStart {
  readonly runId: string;
  readonly name?: string;
  readonly conversationId?: string;
  /** Of the application's own. */
  readonly attributes: Attributes;
}

/** How a run came out. */
export interface RunEnd {
  readonly outcome: string;
  /** Class of what was thrown. */
  readonly errorType?: string;
}

/** Starts the span of a run: `invoke_agent {name}`, INTERNAL, by the GenAI conventions. */
export function startRunSpan(tracer: Tracer, parent: Context, { runId, name, ...start }: RunStart): Span {
  const attributes = gateLabels(
    'run',
    [
      [ATTR_GEN_AI_OPERATION_NAME, OPERATION_INVOKE_AGENT],
      [ATTR_GEN_AI_AGENT_NAME, name],
      [ATTR_GEN_AI_CONVERSATION_ID, start.conversationId],
      [ATTR_REASONING_RUN_ID, runId],
    ],
    {},
  );
  const spanName = passes('run', ATTR_GEN_AI_AGENT_NAME, name)
    ? `${OPERATION_INVOKE_AGENT} ${name}`
    : OPERATION_INVOKE_AGENT;
  return tracer.startSpan(
    spanName,
    { kind: SpanKind.INTERNAL, attributes: { ...start.attributes, ...attributes } },
    parent,
  );
}

/** Writes how a run ended, on a span of ours or on that of an SDK's tool runner. */
export function writeRunEnd(span: Span, { outcome }: RunEnd): void {
  if (span.isRecording()) span.setAttributes(gateLabels('run', [[ATTR_REASONING_RUN_OUTCOME, outcome]]));
}

/** Writes the GenAI side of the end on a span of our own, and ends it. A failure has no message: it can quote the prompt. */
export function endRunSpan(span: Span, { errorType }: RunEnd, { calls, inputTokens, outputTokens }: RunTotals): void {
  if (span.isRecording()) {
    span.setAttributes(
      gateLabels('run', [
        [ATTR_GEN_AI_USAGE_INPUT_TOKENS, calls > 0 ? inputTokens : undefined],
        [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, calls > 0 ? outputTokens : undefined],
        [ATTR_ERROR_TYPE, errorType],
      ]),
    );
    if (errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
