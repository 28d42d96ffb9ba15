import type { ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type Answer,
  type ReceivedRequest,
  startWireServer,
  type WireServer,
  writeAll,
} from '../../support/wire-server.ts';

type Json = Readonly<Record<string, unknown>>;

const CHAT = {
  id: 'chatcmpl_01',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: '{"answer":4}', reasoning_content: 'two and two', refusal: null },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17 },
};

const CHAT_CALL = {
  ...CHAT,
  id: 'chatcmpl_02',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        reasoning_content: 'I must add',
        tool_calls: [{ id: 'call_01', type: 'function', function: { name: 'add', arguments: '{"a":2,"b":2}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
};

const chunk = (delta: Json, more: Json = {}): Json => ({
  id: 'chatcmpl_01',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-test',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

const CHUNKS: readonly Json[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning_content: 'two and ' }),
  chunk({ reasoning_content: 'two' }),
  chunk({ content: '{"answer"' }),
  chunk({ content: ':4}' }),
  chunk({}, { finish_reason: 'stop' }),
  { ...chunk({}), choices: [], usage: CHAT.usage },
];

const TOOL_CHUNKS: readonly Json[] = [
  chunk({ role: 'assistant', content: null, reasoning_content: 'I must add' }),
  chunk({ tool_calls: [{ index: 0, id: 'call_01', type: 'function', function: { name: 'add', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":2,"b":2}' } }] }),
  chunk({}, { finish_reason: 'tool_calls' }),
];

const REASONING = { id: 'rs_01', type: 'reasoning', summary: [], encrypted_content: 'c2VhbA==' };
const REASONING_BEFORE = { ...REASONING, id: 'rs_02' };
const MESSAGE = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: '{"answer":4}', annotations: [] }],
};
const CALL = {
  id: 'fc_01',
  type: 'function_call',
  call_id: 'call_01',
  name: 'add',
  arguments: '{"a":2,"b":2}',
  status: 'completed',
};

export const RESPONSE = {
  id: 'resp_01',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-test',
  error: null,
  incomplete_details: null,
  tools: [],
  output: [REASONING, MESSAGE],
  usage: {
    input_tokens: 10,
    output_tokens: 7,
    total_tokens: 17,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 3 },
  },
};
const RESPONSE_CALL = { ...RESPONSE, id: 'resp_02', output: [REASONING_BEFORE, CALL] };
const COMPACTED = {
  id: 'resp_03',
  object: 'response.compaction',
  created_at: 1,
  output: [{ id: 'cmp_01', type: 'compaction', encrypted_content: 'c2VhbA==' }],
  usage: RESPONSE.usage,
};

const opening = (id: string): Json => ({ ...RESPONSE, id, status: 'in_progress', output: [], usage: null });
const numbered = (events: readonly Json[]): readonly Json[] =>
  events.map((event, sequence_number) => ({ ...event, sequence_number }));

export const responseEvents = (id = 'resp_01'): readonly Json[] =>
  numbered([
    { type: 'response.created', response: opening(id) },
    { type: 'response.in_progress', response: opening(id) },
    { type: 'response.output_item.added', output_index: 0, item: { ...REASONING, encrypted_content: 'cGFydA==' } },
    { type: 'response.output_item.done', output_index: 0, item: REASONING },
    { type: 'response.output_item.added', output_index: 1, item: { ...MESSAGE, status: 'in_progress', content: [] } },
    {
      type: 'response.content_part.added',
      item_id: 'msg_01',
      output_index: 1,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_01',
      output_index: 1,
      content_index: 0,
      delta: '{"answer":4}',
      logprobs: [],
    },
    {
      type: 'response.output_text.done',
      item_id: 'msg_01',
      output_index: 1,
      content_index: 0,
      text: '{"answer":4}',
      logprobs: [],
    },
    { type: 'response.output_item.done', output_index: 1, item: MESSAGE },
    { type: 'response.completed', response: { ...RESPONSE, id } },
  ]);

const CALL_EVENTS = numbered([
  { type: 'response.created', response: opening('resp_02') },
  { type: 'response.output_item.added', output_index: 0, item: REASONING_BEFORE },
  { type: 'response.output_item.done', output_index: 0, item: REASONING_BEFORE },
  { type: 'response.output_item.added', output_index: 1, item: { ...CALL, arguments: '', status: 'in_progress' } },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_01', output_index: 1, delta: CALL.arguments },
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_01',
    output_index: 1,
    name: 'add',
    arguments: CALL.arguments,
  },
  { type: 'response.output_item.done', output_index: 1, item: CALL },
  { type: 'response.completed', response: RESPONSE_CALL },
]);

const REQUEST_ID = { 'x-request-id': 'req_01' };

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...REQUEST_ID, ...headers });
  response.end(JSON.stringify(body));
}

const failure = (type: string, code: string | null, message: string) => ({
  error: { type, code, message, param: null },
});

const isChat = ({ path }: ReceivedRequest): boolean => path.includes('/chat/completions');
const wantsStream = ({ body, path }: ReceivedRequest): boolean =>
  /"stream": ?true/.test(body) || path.includes('stream=true');
const hasResult = ({ body }: ReceivedRequest): boolean => /"role": ?"tool"|function_call_output/.test(body);

/** Chat ends with a mark, Responses with the event that says so. */
const sse = (request: ReceivedRequest, done: boolean): readonly string[] => {
  if (isChat(request)) {
    const chunks = (done ? CHUNKS : TOOL_CHUNKS).map((data) => `data: ${JSON.stringify(data)}\n\n`);
    return [...chunks, 'data: [DONE]\n\n'];
  }
  const events = done ? responseEvents() : CALL_EVENTS;
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
};

function stream(
  response: ServerResponse,
  chunks: readonly string[],
  then: (r: ServerResponse) => void = (r) => void r.end(),
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...REQUEST_ID });
  writeAll(response, chunks, then);
}

const whole = (request: ReceivedRequest, done: boolean): Json => {
  if (isChat(request)) return done ? CHAT : CHAT_CALL;
  if (request.path.includes('/responses/compact')) return COMPACTED;
  return done ? RESPONSE : RESPONSE_CALL;
};

function answer(response: ServerResponse, request: ReceivedRequest, done = true): void {
  if (/\/conversations/.test(request.path)) json(response, 200, { id: 'conv_01', object: 'conversation' });
  else if (wantsStream(request)) stream(response, sse(request, done));
  else json(response, 200, whole(request, done));
}

const refuse =
  (status: number, type: string, code: string | null, message = 'no'): Answer =>
  (response) =>
    json(response, status, failure(type, code, message));

const ANSWERS: Readonly<Record<string, Answer>> = {
  ok: (response, request) => answer(response, request),
  tools: (response, request) => answer(response, request, hasResult(request)),
  bad: refuse(
    400,
    'invalid_request_error',
    'invalid_encrypted_content',
    'The encrypted content could not be verified.',
  ),
  unauthorized: refuse(401, 'invalid_request_error', 'invalid_api_key'),
  missing: refuse(404, 'invalid_request_error', 'model_not_found'),
  limited: refuse(429, 'tokens', 'rate_limit_exceeded'),
  broken: refuse(500, 'server_error', null, 'Internal server error'),
  'plain-error': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>bad gateway</html>');
  },
  flaky: (response, request, attempt) =>
    attempt < 2
      ? json(response, 503, failure('server_error', null, 'Overloaded'), { 'retry-after-ms': '1' })
      : answer(response, request),
  hang: () => undefined,
  'hang-in-stream': (response, request) => stream(response, sse(request, true).slice(0, 3), () => undefined),
  'cut-off': (response, request) => stream(response, sse(request, true).slice(0, 4), (r) => void r.destroy()),
  'ends-early': (response, request) => stream(response, sse(request, true).slice(0, 4)),
  'error-event': (response, request) =>
    stream(response, [
      ...sse(request, true).slice(0, 3),
      isChat(request)
        ? `data: ${JSON.stringify(failure('server_error', null, 'The server had an error'))}\n\n`
        : `event: error\ndata: ${JSON.stringify({ type: 'error', code: 'server_error', message: 'The server had an error', param: null })}\n\n`,
    ]),
  'bad-event': (response, request) => stream(response, [...sse(request, true).slice(0, 3), 'data: {"type":\n\n']),
  'bad-json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"id": "resp_');
  },
  'bad-length': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
    response.write('{"id": "resp_', () => response.destroy());
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

/** How a socket answers a request, by the model that it asks for. */
const SOCKET_ANSWERS: Readonly<Record<string, (socket: WebSocket, send: (event: Json) => void) => void>> = {
  'gpt-test': (_, send) => {
    for (const event of responseEvents()) send(event);
  },
  refused: (_, send) =>
    send({ type: 'error', status: 400, ...failure('invalid_request_error', 'previous_response_not_found', 'no') }),
  failed: (_, send) =>
    send({
      type: 'response.failed',
      response: { ...RESPONSE, status: 'failed', error: { code: 'server_error', message: 'no' } },
    }),
  steered: (_, send) => {
    send({ type: 'response.created', response: opening('resp_01') });
    send({
      type: 'response.incomplete',
      response: { ...RESPONSE, status: 'incomplete', incomplete_details: { reason: 'steered' } },
    });
    for (const event of responseEvents('resp_09')) send(event);
  },
  cut: (socket, send) => {
    for (const event of responseEvents().slice(0, 3)) send(event);
    setTimeout(() => socket.terminate(), 10);
  },
  waits: (_, send) => {
    for (const event of responseEvents().slice(0, 3)) send(event);
  },
};

function serveSockets(sockets: WebSocketServer, received: ReceivedRequest[]): void {
  sockets.on('connection', (socket, { url = '', headers }) => {
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const body = String(data);
      received.push({ method: 'WS', path: url, headers, body });
      const { type, model = '', stream_id } = readMessage(body);
      if (type !== 'response.create') return;
      const lane = stream_id === undefined ? {} : { stream_id };
      SOCKET_ANSWERS[model]?.(socket, (event) => socket.send(JSON.stringify({ ...event, ...lane })));
    });
  });
}

function readMessage(text: string): { type?: string; model?: string; stream_id?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Speaks Chat Completions, Responses and the Responses WebSocket. */
export async function startOpenaiWire(): Promise<WireServer> {
  let sockets: WebSocketServer | undefined;
  const wire = await startWireServer(ANSWERS, (server, received) => {
    sockets = new WebSocketServer({ server });
    serveSockets(sockets, received);
  });
  const close = (): Promise<void> => {
    for (const client of sockets?.clients ?? []) client.terminate();
    return wire.close();
  };
  return { ...wire, close };
}
