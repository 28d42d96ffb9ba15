import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange, Reply } from './exchange.ts';
import { send } from './send.ts';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves on loopback. `answer` sees each request once its body is whole. */
export async function listen(
  port: number,
  now: () => number,
  answer: (exchange: Exchange) => Promise<Reply>,
): Promise<Listening> {
  let index = 0;
  const server = createServer(async (request, response) => {
    const mine = index++;
    try {
      const body = await readBody(request);
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const reply = await answer({
        method: request.method ?? 'GET',
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: flatHeaders(request),
        body,
        index: mine,
      });
      await send(response, reply, now);
    } catch {
      // The peer went away in the middle of its own request, or of ours.
      response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
