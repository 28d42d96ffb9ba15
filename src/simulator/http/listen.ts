import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createEitherServer } from './either-server.ts';
import type { Exchange, Reply, ServerSocket, SocketSession } from './exchange.ts';
import { cutOff } from './peer.ts';
import { send } from './send.ts';
import { acceptWebSocket } from './websocket.ts';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

export interface Answering {
  readonly now: () => number;
  /** Sees each request once its body is whole. */
  answer(exchange: Exchange): Promise<Reply>;
  /** Sees each WebSocket before it is accepted. */
  connect(opening: Exchange): SocketSession | Reply;
}

/** Serves on loopback. */
export async function listen(port: number, { now, answer, connect }: Answering): Promise<Listening> {
  let index = 0;
  const sockets = new Set<ServerSocket>();
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mine = index++;
    try {
      await send(response, await answer(exchangeOf(request, await readBody(request), mine)), now);
    } catch {
      // The peer went away in the middle of its own request, or of ours.
      cutOff(response);
    }
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const opening = exchangeOf(request, '', -1);
    const session = connect(opening);
    const key = request.headers['sec-websocket-key'];
    if ('kind' in session || key === undefined) {
      refuseUpgrade(stream, 'kind' in session ? session : undefined);
      return;
    }
    const socket = acceptWebSocket(stream, key, head, (body, own) => {
      const exchange = { ...opening, method: 'WEBSOCKET', body, index: index++ };
      session.message(exchange, own).catch(() => own.destroy());
    });
    sockets.add(socket);
    stream.on('close', () => sockets.delete(socket));
  };
  const { server, destroyAll } = createEitherServer(onRequest, onUpgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      destroyAll();
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function exchangeOf(request: IncomingMessage, body: string, index: number): Exchange {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: flatHeaders(request),
    body,
    index,
  };
}

/** A WebSocket that nobody takes is answered over HTTP. */
function refuseUpgrade(stream: Duplex, reply: Reply | undefined): void {
  const status = reply?.status ?? 400;
  const body = reply && 'body' in reply ? JSON.stringify(reply.body) : '';
  stream.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    // The first line of a request over HTTP/2 stands among its headers.
    if (value !== undefined && !name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
