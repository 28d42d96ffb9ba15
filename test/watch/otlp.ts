import type { ReceivedSpan } from '../../src/watch/otlp-json.ts';

type Value = string | number | boolean;

const anyValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { intValue: value };
};

export const keyValues = (of: Record<string, Value>): object[] =>
  Object.entries(of).map(([key, value]) => ({ key, value: anyValue(value) }));

let spans = 0;

/** A span as the receiver hands it on, of a judged call unless the attributes say otherwise. */
export function callSpan(
  attributes: Record<string, Value>,
  findings: readonly Record<string, Value>[] = [],
  at: { startMs?: number; service?: string } = {},
): ReceivedSpan {
  spans += 1;
  return {
    traceId: 'a'.repeat(32),
    spanId: spans.toString(16).padStart(16, '0'),
    name: 'chat claude-opus-4-8',
    startMs: at.startMs ?? spans,
    service: at.service ?? 'agent',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-opus-4-8',
      'reasoning.run.id': 'aaaaaaaa-0000',
      'reasoning.continuity': 'not_applicable',
      ...attributes,
    },
    events: findings.map((finding) => ({
      name: 'reasoning.finding',
      attributes: { 'reasoning.finding.count': 1, 'reasoning.finding.severity': 'loss', ...finding },
    })),
  };
}

/** The same as an exporter would send it. */
export function tracePayload(of: readonly ReceivedSpan[]): string {
  const spans = of.map(({ traceId, spanId, name, startMs, attributes, events }) => ({
    traceId,
    spanId,
    name,
    startTimeUnixNano: `${startMs}000000`,
    attributes: keyValues(attributes as Record<string, Value>),
    events: events.map((event) => ({
      name: event.name,
      attributes: keyValues(event.attributes as Record<string, Value>),
    })),
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}
