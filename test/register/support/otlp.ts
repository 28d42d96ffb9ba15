/** Receivers of OTLP on loopback, apart from any test runner. */
import { createServer } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

interface Post {
  readonly path: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface Receiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly posts: readonly Post[];
  /** Names of the spans that came as JSON. */
  spans(): ReceivedSpan[];
  /** Of each metric that came as JSON: the sum of what its newest data points say. */
  metrics(): Map<string, number>;
  /** The same for each post of metrics. */
  collections(): Map<string, number>[];
}

interface ReceivedSpan {
  readonly name: string;
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly service: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes?: Attribute[];
}
interface DataPoint {
  asInt?: string | number;
  asDouble?: number;
  count?: string | number;
}
interface Payload {
  resourceSpans?: {
    resource: { attributes: Attribute[] };
    scopeSpans: { scope: { name: string }; spans: Span[] }[];
  }[];
  resourceMetrics?: { scopeMetrics: { metrics: Record<string, unknown>[] }[] }[];
}

const plain = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function spansOf({ resourceSpans = [] }: Payload): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes }) => ({
        name,
        scope: scope.name,
        traceId,
        spanId,
        parentSpanId,
        service: plain(resource.attributes)['service.name'] as string | undefined,
        attributes: plain(attributes),
      })),
    ),
  );
}

function metricsOf({ resourceMetrics = [] }: Payload): [string, number][] {
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .map((metric) => {
      const { dataPoints = [] } = Object.values(metric).find(
        (value): value is { dataPoints?: DataPoint[] } => typeof value === 'object' && value !== null,
      ) ?? { dataPoints: [] };
      const sum = dataPoints.reduce((all, { asInt, asDouble, count }) => all + Number(asInt ?? asDouble ?? count), 0);
      return [String(metric.name), sum];
    });
}

function receiver(url: string, posts: Post[]): Receiver {
  const payloads = (): Payload[] =>
    posts.filter(({ contentType }) => contentType === 'application/json').map(({ body }) => JSON.parse(String(body)));
  return {
    url,
    posts,
    spans: () => payloads().flatMap(spansOf),
    metrics: () => new Map(payloads().flatMap(metricsOf)),
    collections: () => payloads().flatMap((payload) => (payload.resourceMetrics ? [new Map(metricsOf(payload))] : [])),
  };
}

/** A receiver that runs until it is closed. */
export interface RunningReceiver extends Receiver {
  close(): void;
}

/** Takes OTLP over HTTP. `status`: what it answers. */
export async function runReceiver({ status = 200 } = {}): Promise<RunningReceiver> {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const contentType = request.headers['content-type'] ?? '';
    posts.push({ path: request.url ?? '', contentType, headers: request.headers, body });
    response.writeHead(status, { 'content-type': contentType }).end(contentType.includes('json') ? '{}' : '');
  });
  const url = await listening(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { ...receiver(url, posts), close };
}

/** Takes OTLP over gRPC, and answers each call with an empty message. */
export async function runGrpcReceiver(): Promise<RunningReceiver> {
  const posts: Post[] = [];
  const server = createHttp2Server();
  server.on('stream', async (stream: ServerHttp2Stream, headers) => {
    const frame = Buffer.concat(await stream.toArray().catch(() => []));
    posts.push({
      path: String(headers[':path']),
      contentType: String(headers['content-type']),
      headers,
      body: frame.subarray(5, 5 + (frame.length > 5 ? frame.readUInt32BE(1) : 0)),
    });
    if (stream.destroyed) return;
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.end(Buffer.alloc(5));
  });
  const url = await listening(server);
  return { ...receiver(url, posts), close: () => void server.close() };
}

/** A URL at which nobody listens. */
export async function nowhere(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function listening(server: ReturnType<typeof createServer> | ReturnType<typeof createHttp2Server>) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
