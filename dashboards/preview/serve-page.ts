import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedPage extends AsyncDisposable {
  readonly url: string;
}

const PAGE = '<!doctype html><meta charset="utf-8"><div id="board"></div><script src="/page.js"></script>';

/** The page on loopback, with Prometheus behind the same address, so that the browser may ask it. */
export async function servePage(script: Uint8Array, prometheus: string): Promise<ServedPage> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    if (path === '/page.js') return void response.setHeader('content-type', 'text/javascript').end(script);
    if (!path.startsWith('/api/v1/')) return void response.setHeader('content-type', 'text/html').end(PAGE);
    try {
      const answer = await fetch(new URL(path, prometheus));
      response.setHeader('content-type', 'application/json').end(await answer.text());
    } catch (error) {
      response.statusCode = 502;
      response.end(JSON.stringify({ status: 'error', error: `${prometheus}: ${error}` }));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
