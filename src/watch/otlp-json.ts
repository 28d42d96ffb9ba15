import * as v from 'valibot';

/** What an attribute can hold once it is decoded. Integers beyond 2^53 lose precision; none of ours come near. */
export type AttributeValue = string | number | boolean | readonly AttributeValue[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface ReceivedEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** A finished span as it arrived, with what is needed of its resource. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  /** Milliseconds since the epoch, with a fraction; for ordering. */
  readonly startMs: number;
  readonly service: string;
  readonly attributes: Attributes;
  readonly events: readonly ReceivedEvent[];
}

/** One point of a sum, with all that tells its series from another. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly value: number;
  /** `cumulative` points replace the last value of their series, `delta` points add to it. */
  readonly temporality: 'cumulative' | 'delta';
  readonly service: string;
  /** The same for every point of one series, different for different processes. */
  readonly series: string;
  readonly attributes: Attributes;
}

interface AnyValue {
  stringValue?: string | undefined;
  boolValue?: boolean | undefined;
  intValue?: string | number | undefined;
  doubleValue?: string | number | undefined;
  arrayValue?: { values?: AnyValue[] | undefined } | undefined;
}

// Field names and the string form of 64-bit integers: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
// Unknown fields are ignored there, so every object is read loosely. An enum may come as its number or as its name.
const integer = v.union([v.string(), v.number()]);
const anyValue: v.GenericSchema<AnyValue> = v.object({
  stringValue: v.optional(v.string()),
  boolValue: v.optional(v.boolean()),
  intValue: v.optional(integer),
  doubleValue: v.optional(integer),
  arrayValue: v.optional(v.object({ values: v.optional(v.array(v.lazy(() => anyValue))) })),
});
const attributes = v.optional(v.array(v.object({ key: v.string(), value: v.optional(anyValue) })), []);
const resource = v.optional(v.object({ attributes }));

const traceRequest = v.object({
  resourceSpans: v.optional(
    v.array(
      v.object({
        resource,
        scopeSpans: v.optional(
          v.array(
            v.object({
              spans: v.optional(
                v.array(
                  v.object({
                    traceId: v.string(),
                    spanId: v.string(),
                    name: v.optional(v.string(), ''),
                    startTimeUnixNano: v.optional(integer, 0),
                    attributes,
                    events: v.optional(v.array(v.object({ name: v.optional(v.string(), ''), attributes })), []),
                  }),
                ),
                [],
              ),
            }),
          ),
          [],
        ),
      }),
    ),
    [],
  ),
});

const metricsRequest = v.object({
  resourceMetrics: v.optional(
    v.array(
      v.object({
        resource,
        scopeMetrics: v.optional(
          v.array(
            v.object({
              metrics: v.optional(
                v.array(
                  v.object({
                    name: v.optional(v.string(), ''),
                    sum: v.optional(
                      v.object({
                        aggregationTemporality: v.optional(integer),
                        dataPoints: v.optional(
                          v.array(v.object({ asInt: v.optional(integer), asDouble: v.optional(integer), attributes })),
                          [],
                        ),
                      }),
                    ),
                  }),
                ),
                [],
              ),
            }),
          ),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** Thrown for a body that is not of the OTLP/JSON shape; its message is one line that names the field. */
export class MalformedPayload extends Error {
  override readonly name = 'MalformedPayload';
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const parse = <T>(schema: v.GenericSchema<unknown, T>, payload: unknown): T => {
  // For valibot an array is an object as well.
  if (Array.isArray(payload)) throw new MalformedPayload('body: expected Object, received array');
  const result = v.safeParse(schema, payload);
  if (result.success) return result.output;
  const issue = result.issues[0];
  // Type only: the value itself may be anything, and goes to the terminal.
  throw new MalformedPayload(
    `${v.getDotPath(issue) ?? 'body'}: expected ${issue.expected}, received ${typeName(issue.input)}`,
  );
};

const decodeValue = (value: AnyValue | undefined): AttributeValue | undefined => {
  if (value?.stringValue !== undefined) return value.stringValue;
  if (value?.boolValue !== undefined) return value.boolValue;
  if (value?.intValue !== undefined) return Number(value.intValue);
  if (value?.doubleValue !== undefined) return Number(value.doubleValue);
  return value?.arrayValue?.values?.map(decodeValue).filter((one) => one !== undefined);
};

const decodeAttributes = (list: readonly { key: string; value?: AnyValue | undefined }[]): Attributes =>
  Object.fromEntries(
    list.flatMap(({ key, value }) => {
      const decoded = decodeValue(value);
      return decoded === undefined ? [] : [[key, decoded] as const];
    }),
  );

const serviceOf = (of: Attributes): string => String(of['service.name'] ?? '');

/**
 * Decodes an `ExportTraceServiceRequest` in its JSON form.
 * @throws {MalformedPayload} naming the first field that is not of the shape.
 */
export function decodeSpans(payload: unknown): ReceivedSpan[] {
  return parse(traceRequest, payload).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = serviceOf(decodeAttributes(resource?.attributes ?? []));
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        name: span.name,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        service,
        attributes: decodeAttributes(span.attributes),
        events: span.events.map((event) => ({ name: event.name, attributes: decodeAttributes(event.attributes) })),
      }));
  });
}

const DELTA: readonly (string | number | undefined)[] = [1, '1', 'AGGREGATION_TEMPORALITY_DELTA'];

/**
 * Decodes the sums of an `ExportMetricsServiceRequest` in its JSON form; other kinds of metric are skipped.
 * @throws {MalformedPayload} naming the first field that is not of the shape.
 */
export function decodePoints(payload: unknown): ReceivedPoint[] {
  return parse(metricsRequest, payload).resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    const owner = decodeAttributes(resource?.attributes ?? []);
    return scopeMetrics
      .flatMap((scope) => scope.metrics)
      .flatMap(({ name, sum }) =>
        (sum?.dataPoints ?? []).map((point) => {
          const of = decodeAttributes(point.attributes);
          return {
            metric: name,
            value: Number(point.asInt ?? point.asDouble ?? 0),
            temporality: DELTA.includes(sum?.aggregationTemporality) ? ('delta' as const) : ('cumulative' as const),
            service: serviceOf(owner),
            series: JSON.stringify([name, Object.entries(owner).sort(), Object.entries(of).sort()]),
            attributes: of,
          };
        }),
      );
  });
}
