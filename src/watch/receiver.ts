import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { decodePoints, decodeSpans, MalformedPayload, type ReceivedPoint, type ReceivedSpan } from './otlp-json.ts';

const inflate = promisify(gunzip);

/** The setting that makes an exporter speak what this receiver reads. */
export const PROTOCOL_MEND = 'OTEL_EXPORTER_OTLP_PROTOCOL=http/json';

/** Bytes of one body, inflated. An exporter's batch is far below; the bound is for what is no exporter. */
const BODY_LIMIT = 64 * 1024 * 1024;

export interface ReceiverOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly onSpans: (spans: ReceivedSpan[]) => void;
  readonly onPoints: (points: ReceivedPoint[]) => void;
  /** One line on what was refused and how to mend it; the same line may come many times. */
  readonly onRefusal: (line: string) => void;
}

export interface Receiver {
  readonly port: number;
  /** The base URL, without `/v1/…`. */
  readonly url: string;
  /** Resolves once no request has been open for `quietMs`, or after `limitMs`. Milliseconds. */
  settled(quietMs: number, limitMs: number): Promise<void>;
  close(): Promise<void>;
}

/** An answer other than 200, as the sender reads it and as the terminal shows it. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refusal(413, `the body is larger than ${BODY_LIMIT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const DECODERS: Readonly<Record<string, (body: Buffer) => Promise<Buffer> | Buffer>> = {
  identity: (body) => body,
  gzip: (body) =>
    inflate(body, { maxOutputLength: BODY_LIMIT }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE'
        ? new Refusal(413, `the inflated body is larger than ${BODY_LIMIT} bytes`)
        : new Refusal(400, 'the body is not gzip, though Content-Encoding says so');
    }),
};

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    throw new Refusal(415, `cannot read ${type || 'a body without Content-Type'}: set ${PROTOCOL_MEND} in the sender`);
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const decode = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!decode) {
    throw new Refusal(
      415,
      `cannot read Content-Encoding ${encoding}: set OTEL_EXPORTER_OTLP_COMPRESSION=gzip in the sender`,
    );
  }
  const text = (await decode(await readBody(request))).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/**
 * Starts an OTLP/HTTP receiver on loopback that reads http/json, plain or gzip. Logs are accepted and thrown away.
 * @throws the error of `listen`, so `EADDRINUSE` where the port is taken.
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const routes: Readonly<Record<string, (payload: unknown) => void>> = {
    '/v1/traces': (payload) => options.onSpans(decodeSpans(payload)),
    '/v1/metrics': (payload) => options.onPoints(decodePoints(payload)),
    '/v1/logs': () => {},
  };
  let open = 0;
  let lastEnd = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?')[0] ?? '';
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    try {
      if (!route) throw new Refusal(404, `no such path ${path}: this receiver has ${Object.keys(routes).join(', ')}`);
      if (request.method !== 'POST') throw new Refusal(405, `${path} takes POST`);
      route(await readJson(request));
      answer(response, 200, {});
    } catch (error) {
      // What an exporter is to be told; anything else would be a fault of this receiver, and is not hidden.
      const refusal = error instanceof MalformedPayload ? new Refusal(400, error.message) : error;
      if (!(refusal instanceof Refusal)) throw error;
      // A request that was not read to its end must not be mistaken for the start of the next one.
      if (!request.complete) response.setHeader('connection', 'close');
      answer(response, refusal.status, { message: refusal.message });
      if (refusal.status !== 404 && refusal.status !== 405) options.onRefusal(refusal.message);
    }
  };

  const server = createServer((request, response) => {
    open += 1;
    handle(request, response)
      .catch((error: unknown) => {
        response.destroy();
        options.onRefusal(`a request broke off: ${error instanceof Error ? error.message : String(error)}`);
      })
      .finally(() => {
        open -= 1;
        lastEnd = performance.now();
      });
  });
  // A gRPC exporter opens with the HTTP/2 preface, which is no HTTP/1 request and never reaches the handler.
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    if (error.rawPacket?.subarray(0, 3).toString() === 'PRI') {
      options.onRefusal(`cannot read gRPC: set ${PROTOCOL_MEND} in the sender`);
    }
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  lastEnd = performance.now();

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async settled(quietMs, limitMs) {
      const asked = performance.now();
      lastEnd = Math.max(lastEnd, asked);
      while (performance.now() - asked < limitMs && (open > 0 || performance.now() - lastEnd < quietMs)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
