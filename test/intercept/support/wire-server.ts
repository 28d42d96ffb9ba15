import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request, as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WireServer {
  /** Base URL of one scenario; each counts its own attempts from 0. */
  base(scenario: string): string;
  /** Resolves when a request has arrived since the last `take`. */
  arrived(): Promise<void>;
  /** Resolves when one has arrived, and all that have arrived are answered to the end. */
  answered(): Promise<void>;
  /** Requests since the last call, in order of arrival. */
  take(): ReceivedRequest[];
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest, attempt: number) => void;

const MESSAGE = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [
    { type: 'thinking', thinking: 'two and two', signature: 'c2VhbA==' },
    { type: 'text', text: '{"answer":4}' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 7 },
};

const TOOL_CALL = {
  ...MESSAGE,
  id: 'msg_02',
  content: [MESSAGE.content[0], { type: 'tool_use', id: 'toolu_01', name: 'add', input: { a: 2, b: 2 } }],
  stop_reason: 'tool_use',
};

const EVENTS: readonly Record<string, unknown>[] = [
  {
    type: 'message_start',
    message: { ...MESSAGE, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'two and ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'two' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2VhbA==' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '{"answer"' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ':4}' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

const TOOL_EVENTS: readonly Record<string, unknown>[] = [
  EVENTS[0] as Record<string, unknown>,
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_01', name: 'add', input: {} },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":2,"b":2}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

const SSE = { 'content-type': 'text/event-stream', 'request-id': 'req_01' };

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_01', ...headers });
  response.end(JSON.stringify(body));
}

const failure = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_01' });
const sse = (event: Record<string, unknown>) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
/** Bedrock and Vertex say it in the path. */
const wantsStream = ({ body, path }: ReceivedRequest) =>
  /"stream": ?true/.test(body) || /response-stream|streamRawPredict/.test(path);
const hasResult = (request: ReceivedRequest) => request.body.includes('tool_result');

/** Writes the events one by one, so that the reader sees several chunks. */
export function writeAll(response: ServerResponse, chunks: readonly string[], then: (r: ServerResponse) => void): void {
  let at = 0;
  const write = (): void => {
    const chunk = chunks[at];
    if (chunk === undefined) {
      then(response);
      return;
    }
    at += 1;
    response.write(chunk, () => setImmediate(write));
  };
  write();
}

function stream(
  response: ServerResponse,
  events: readonly Record<string, unknown>[],
  then: (r: ServerResponse) => void,
): void {
  response.writeHead(200, SSE);
  writeAll(response, events.map(sse), then);
}

const finish = (response: ServerResponse) => void response.end();
const refuse =
  (status: number, type: string, message = 'no'): Answer =>
  (response) =>
    json(response, status, failure(type, message));

const ANSWERS: Readonly<Record<string, Answer>> = {
  ok: (response, request) => (wantsStream(request) ? stream(response, EVENTS, finish) : json(response, 200, MESSAGE)),
  tools: (response, request) => {
    const done = hasResult(request);
    if (wantsStream(request)) stream(response, done ? EVENTS : TOOL_EVENTS, finish);
    else json(response, 200, done ? MESSAGE : TOOL_CALL);
  },
  bad: refuse(400, 'invalid_request_error', 'messages.1.content.0: Invalid `signature` in `thinking` block'),
  unauthorized: refuse(401, 'authentication_error', 'invalid x-api-key'),
  missing: refuse(404, 'not_found_error', 'model: nope'),
  limited: refuse(429, 'rate_limit_error', 'slow down'),
  broken: refuse(500, 'api_error', 'Internal server error'),
  'plain-error': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>bad gateway</html>');
  },
  flaky: (response, request, attempt) =>
    attempt < 2
      ? json(response, 529, failure('overloaded_error', 'Overloaded'), { 'retry-after-ms': '1' })
      : ANSWERS.ok?.(response, request, attempt),
  hang: () => undefined,
  'hang-in-stream': (response) => stream(response, EVENTS.slice(0, 3), () => undefined),
  'cut-off': (response) => stream(response, EVENTS.slice(0, 4), (r) => void r.destroy()),
  'ends-early': (response) => stream(response, EVENTS.slice(0, 8), finish),
  'error-event': (response) =>
    stream(
      response,
      EVENTS.slice(0, 4),
      (r) => void r.end(`event: error\ndata: ${JSON.stringify(failure('overloaded_error', 'Overloaded'))}\n\n`),
    ),
  'bad-event': (response) =>
    stream(response, EVENTS.slice(0, 4), (r) => void r.end('event: content_block_delta\ndata: {"type":\n\n')),
  'bad-json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"id": "msg_');
  },
  'bad-length': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
    response.write('{"id": "msg_', () => response.destroy());
  },
  text: (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('hello');
  },
  empty: (response) => {
    response.writeHead(204);
    response.end();
  },
  odd: (response) => json(response, 200, { unexpected: [null, 1, { deep: true }] }),
};

/**
 * A server on loopback that speaks exact bytes, odd ones included; the scenario is the first part of the path.
 * @param also is given the server before it listens.
 */
export async function startWireServer(
  answers: Readonly<Record<string, Answer>> = ANSWERS,
  also: (server: Server, received: ReceivedRequest[]) => void = () => undefined,
): Promise<WireServer> {
  const received: ReceivedRequest[] = [];
  const attempts = new Map<string, number>();
  let open = 0;
  const until = async (reached: () => boolean): Promise<void> => {
    while (!reached()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const server = createServer((incoming, response) => {
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined);
    response.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      open += 1;
      const key = url.split('/')[1] ?? '';
      const attempt = attempts.get(key) ?? 0;
      attempts.set(key, attempt + 1);
      const answer = answers[key.replace(/~.*$/, '')];
      if (answer) answer(response, request, attempt);
      else json(response, 404, failure('not_found_error', `no scenario ${key}`));
    });
  });
  also(server, received);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: (scenario) => `http://127.0.0.1:${port}/${scenario}`,
    arrived: () => until(() => received.length > 0),
    answered: () => until(() => received.length > 0 && open <= 0),
    take: () => received.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
