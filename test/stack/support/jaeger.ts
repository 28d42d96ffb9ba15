import * as v from 'valibot';

const Tag = v.object({ key: v.string(), value: v.unknown() });
const Span = v.object({
  traceID: v.string(),
  spanID: v.string(),
  operationName: v.string(),
  references: v.nullish(v.array(v.object({ refType: v.string(), traceID: v.string(), spanID: v.string() })), []),
  tags: v.array(Tag),
  logs: v.nullish(v.array(v.object({ fields: v.array(Tag) })), []),
});
const Traces = v.object({
  data: v.nullish(v.array(v.object({ traceID: v.string(), spans: v.array(Span) })), []),
});

export type JaegerSpan = v.InferOutput<typeof Span>;
export interface JaegerTrace {
  readonly traceID: string;
  readonly spans: readonly JaegerSpan[];
}

/** Searches as Jaeger's page does: by equality of tags. */
export async function searchTraces(
  url: string,
  service: string,
  tags: Readonly<Record<string, string>> = {},
): Promise<readonly JaegerTrace[]> {
  const search = new URLSearchParams({ service, limit: '1000', lookback: '1h', tags: JSON.stringify(tags) });
  const response = await fetch(`${url}/api/traces?${search}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return v.parse(Traces, JSON.parse(text)).data ?? [];
}

/** The value of a tag; undefined where there is none. */
export const tagOf = ({ tags }: JaegerSpan, name: string): unknown => tags.find(({ key }) => key === name)?.value;

/** Spans whose parent is not in the trace, other than the root. */
export function orphansOf({ spans }: JaegerTrace): readonly JaegerSpan[] {
  const ids = new Set(spans.map(({ spanID }) => spanID));
  return spans.filter(({ references }) =>
    references?.some(({ refType, spanID }) => refType === 'CHILD_OF' && !ids.has(spanID)),
  );
}
