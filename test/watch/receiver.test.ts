import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedPoint, ReceivedSpan } from '../../src/watch/otlp-json.ts';
import { type Receiver, startReceiver } from '../../src/watch/receiver.ts';
import { keyValues } from './otlp.ts';

let receiver: Receiver;
let spans: ReceivedSpan[];
let points: ReceivedPoint[];
let refusals: string[];

beforeEach(async () => {
  spans = [];
  points = [];
  refusals = [];
  receiver = await startReceiver({
    port: 0,
    onSpans: (received) => spans.push(...received),
    onPoints: (received) => points.push(...received),
    onRefusal: (line) => refusals.push(line),
  });
});
afterEach(() => receiver.close());

const TRACE = {
  resourceSpans: [
    {
      resource: { attributes: keyValues({ 'service.name': 'agent' }) },
      scopeSpans: [
        {
          spans: [
            {
              traceId: '0af7651916cd43dd8448eb211c80319c',
              spanId: 'b7ad6b7169203331',
              name: 'chat',
              startTimeUnixNano: '1764500000000000001',
              attributes: [
                ...keyValues({ a: 'text', b: 3, c: true }),
                { key: 'd', value: { arrayValue: { values: [{ stringValue: 'x' }, { intValue: '4' }] } } },
                { key: 'e', value: { doubleValue: 0.5 } },
              ],
              events: [{ name: 'found', timeUnixNano: '1', attributes: keyValues({ kind: 'dropped' }) }],
              someFutureField: { nested: true },
            },
          ],
        },
      ],
    },
  ],
};

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${receiver.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

const message = async (response: Response): Promise<string> => ((await response.json()) as { message: string }).message;

describe('what the receiver reads', () => {
  it('a trace request: values of every type, events, the service', async () => {
    expect((await post('/v1/traces', JSON.stringify(TRACE))).status).toBe(200);
    expect(spans).toEqual([
      {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        name: 'chat',
        startMs: 1764500000000,
        service: 'agent',
        attributes: { a: 'text', b: 3, c: true, d: ['x', 4], e: 0.5 },
        events: [{ name: 'found', attributes: { kind: 'dropped' } }],
      },
    ]);
  });

  it('the same, gzipped', async () => {
    const body = gzipSync(JSON.stringify(TRACE));
    expect((await post('/v1/traces', body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(spans).toHaveLength(1);
  });

  it('what the OpenTelemetry exporter sends', async () => {
    const provider = new TracerProvider({
      spanProcessors: [
        new SimpleSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }) }),
      ],
    });
    const span = provider.getTracer('test').startSpan('call', { attributes: { 'reasoning.blocks.issued': 2 } });
    span.addEvent('reasoning.finding', { 'reasoning.finding.kind': 'dropped' });
    span.end();
    await provider.shutdown();
    expect(spans).toMatchObject([
      {
        name: 'call',
        spanId: span.spanContext().spanId,
        attributes: { 'reasoning.blocks.issued': 2 },
        events: [{ name: 'reasoning.finding', attributes: { 'reasoning.finding.kind': 'dropped' } }],
      },
    ]);
    expect(Math.abs((spans[0]?.startMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('sums of a metrics request, by their temporality; other kinds are skipped', async () => {
    const sum = (aggregationTemporality: number | string, asInt: string) => ({
      name: 'reasoning.tool_calls',
      sum: { aggregationTemporality, dataPoints: [{ asInt, attributes: keyValues({ 'gen_ai.tool.name': 'find' }) }] },
    });
    const metrics = [
      sum(2, '7'),
      sum('AGGREGATION_TEMPORALITY_DELTA', '3'),
      { name: 'h', histogram: { dataPoints: [] } },
    ];
    const body = { resourceMetrics: [{ resource: { attributes: [] }, scopeMetrics: [{ metrics }] }] };
    expect((await post('/v1/metrics', JSON.stringify(body))).status).toBe(200);
    expect(points.map(({ metric, value, temporality }) => [metric, value, temporality])).toEqual([
      ['reasoning.tool_calls', 7, 'cumulative'],
      ['reasoning.tool_calls', 3, 'delta'],
    ]);
    expect(points[0]?.series).toBe(points[1]?.series);
  });

  it('logs, which it throws away', async () => {
    expect((await post('/v1/logs', '{"resourceLogs":[]}')).status).toBe(200);
    expect(refusals).toEqual([]);
  });
});

describe('what the receiver cannot decode', () => {
  it.each([
    ['protobuf', { 'content-type': 'application/x-protobuf' }, 'application/x-protobuf'],
    ['no type at all', { 'content-type': '' }, 'Content-Type'],
  ])('%s: 415 with the mend', async (_name, headers, named) => {
    const response = await post('/v1/traces', new Uint8Array([10, 0]), headers);
    expect(response.status).toBe(415);
    const line = await message(response);
    expect(line).toContain(named);
    expect(line).toContain('OTEL_EXPORTER_OTLP_PROTOCOL=http/json');
    expect(refusals).toEqual([line]);
  });

  it('another compression: 415 with the mend', async () => {
    const response = await post('/v1/traces', 'x', { 'content-encoding': 'zstd' });
    expect(response.status).toBe(415);
    expect(await message(response)).toMatch(/zstd.*OTEL_EXPORTER_OTLP_COMPRESSION=gzip/);
  });

  it.each([
    ['not JSON', '{"resourceSpans":', 'the body is not JSON'],
    ['not an object', '[]', 'body: expected Object, received array'],
    [
      'a wrong field',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":2}]}]}]}',
      'resourceSpans.0.scopeSpans.0.spans.0.spanId: expected string, received number',
    ],
  ])('%s: 400 and one line', async (_name, body, line) => {
    const response = await post('/v1/traces', body);
    expect(response.status).toBe(400);
    expect(await message(response)).toBe(line);
    expect(refusals).toEqual([line]);
    expect(spans).toEqual([]);
  });

  it('not gzip, though it says so: 400', async () => {
    const response = await post('/v1/traces', '{}', { 'content-encoding': 'gzip' });
    expect(response.status).toBe(400);
    expect(await message(response)).toContain('gzip');
  });

  it('a small body that inflates beyond all bounds: 413', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
    const response = await post('/v1/traces', bomb, { 'content-encoding': 'gzip' });
    expect(response.status).toBe(413);
  });

  it('gRPC: the mend in the terminal', async () => {
    const socket = connect(receiver.port, '127.0.0.1');
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve).on('data', () => {}));
    expect(refusals).toEqual([expect.stringMatching(/gRPC.*OTEL_EXPORTER_OTLP_PROTOCOL=http\/json/)]);
  });

  it('another path or method: 404, 405, and not a word in the terminal', async () => {
    expect((await post('/v1/nothing', '{}')).status).toBe(404);
    expect((await post('/constructor', '{}')).status).toBe(404);
    expect((await fetch(`${receiver.url}/v1/traces`)).status).toBe(405);
    expect(refusals).toEqual([]);
  });
});
