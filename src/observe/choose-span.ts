import { type Context, type Span, trace } from '@opentelemetry/api';
import {
  ATTR_GEN_AI_OPERATION_NAME,
  FOREIGN_CALL_MARKS,
  INFERENCE_OPERATIONS,
  NATIVE_SCOPES,
  OPERATION_INVOKE_AGENT,
  type SPAN_OWNERS,
} from '../semconv.ts';

type Owner = (typeof SPAN_OWNERS)[number];

/** The span that a call is on, where somebody else made it. */
export interface BorrowedSpan {
  readonly span: Span;
  readonly owner: Exclude<Owner, 'own'>;
}

const CALL_MARKS: typeof FOREIGN_CALL_MARKS = [
  [ATTR_GEN_AI_OPERATION_NAME, INFERENCE_OPERATIONS],
  ...FOREIGN_CALL_MARKS,
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Reads from a span what the API does not show, but every SDK's spans do: they are given so to exporters. OpenInference
 * makes a wrapper active, which holds the span in a field of that name.
 */
function readable(span: Span): { readonly attributes: Readonly<Record<string, unknown>>; readonly scope: unknown } {
  let fields: unknown = span;
  if (isObject(fields) && !isObject(fields.attributes)) fields = fields.span;
  if (!isObject(fields)) return { attributes: {}, scope: undefined };
  // `instrumentationLibrary` is the name of the field in SDK 1.x.
  const scope = fields.instrumentationScope ?? fields.instrumentationLibrary;
  return {
    attributes: isObject(fields.attributes) ? fields.attributes : {},
    scope: isObject(scope) ? scope.name : undefined,
  };
}

function isCallSpan(span: Span): boolean {
  const { attributes } = readable(span);
  return CALL_MARKS.some(([name, values]) => values.some((value) => attributes[name] === value));
}

/**
 * The span that already stands for this call: the one that the SDK made, else the active one where another
 * instrumentation made it for a model call. Never one that stands for another call: an active inference span is then
 * the caller of this one, as when a middleware asks a second model.
 */
export function borrowedSpan(
  native: Span | undefined,
  active: Context,
  taken: WeakSet<Span>,
): BorrowedSpan | undefined {
  // Where the SDK's span is not sampled, ours would be a second one with a second chance.
  if (native !== undefined) return { span: native, owner: 'native' };
  const span = trace.getSpan(active);
  if (span === undefined || !span.isRecording() || taken.has(span) || !isCallSpan(span)) return undefined;
  return { span, owner: 'other' };
}

/** The span of the SDK's own tool runner, where it is the active one and open. */
export function agentSpan(active: Context): Span | undefined {
  const around = trace.getSpan(active);
  if (!around?.isRecording()) return undefined;
  const { attributes, scope } = readable(around);
  const isNative = typeof scope === 'string' && NATIVE_SCOPES.some((name) => scope.startsWith(name));
  return isNative && attributes[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_INVOKE_AGENT ? around : undefined;
}
