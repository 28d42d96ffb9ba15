import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How every connection of HTTP/2 begins (RFC 9113, 3.4). */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n');

export interface EitherServer {
  readonly server: Server;
  /** Destroys every connection. */
  destroyAll(): void;
}

/**
 * One port for HTTP/1.1, WebSockets, and HTTP/2 without encryption, which the AWS SDK speaks to any endpoint of Bedrock.
 * Which of them a connection speaks is told by its first bytes.
 */
export function createEitherServer(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  onUpgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void,
): EitherServer {
  const http1 = createHttp1(onRequest).on('upgrade', onUpgrade);
  // The compatibility API of Node: everything that is used of requests and responses here, it has.
  const http2 = createHttp2((request, response) =>
    onRequest(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  );
  // A peer that goes away in the middle takes its session along; there is nobody to tell.
  http2.on('sessionError', () => undefined);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      const start = first.subarray(0, PREFACE.length);
      const chosen = start.equals(PREFACE.subarray(0, start.length)) ? http2 : http1;
      chosen.emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  return {
    server,
    destroyAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
