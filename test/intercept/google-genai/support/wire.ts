import type { ServerResponse } from 'node:http';
import {
  type Answer,
  type ReceivedRequest,
  startWireServer,
  type WireServer,
  writeAll,
} from '../../support/wire-server.ts';

type Json = Readonly<Record<string, unknown>>;

const SEAL = 'EjQKMgEMOdbHc2VhbCBvZiB0aGUgdGVzdA==';
const usage = {
  promptTokenCount: 10,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 20,
  totalTokenCount: 35,
};
const response = (parts: readonly Json[], more: Json = {}, rest: Json = {}): Json => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  modelVersion: 'gemini-3.8-flash',
  responseId: 'rsp_01',
  ...rest,
});

const DONE = response(
  [{ text: 'It is four.', thoughtSignature: SEAL }],
  { finishReason: 'STOP' },
  { usageMetadata: usage },
);
const CALL = response(
  [
    { functionCall: { id: 'fc_01', name: 'add', args: { a: 2, b: 2 } }, thoughtSignature: SEAL },
    { functionCall: { id: 'fc_02', name: 'add', args: { a: 3, b: 3 } } },
  ],
  { finishReason: 'STOP' },
  { usageMetadata: usage },
);

const CHUNKS: readonly Json[] = [
  response([{ text: 'two and two', thought: true }]),
  response([{ text: 'It ' }]),
  response([{ text: 'is ' }]),
  response([{ text: 'four.' }], {}, { usageMetadata: { ...usage, candidatesTokenCount: 3 } }),
  response([{ text: '', thoughtSignature: SEAL }], { finishReason: 'STOP' }, { usageMetadata: usage }),
];
/** How the API ends a stream now and then: a finish with nothing in it. */
const BARE_CHUNKS: readonly Json[] = [
  ...CHUNKS.slice(0, 4),
  { candidates: [{ finishReason: 'STOP', index: 0 }], modelVersion: 'gemini-3.8-flash', usageMetadata: usage },
];
const CUT = response(
  [{ text: 'It is' }],
  { finishReason: 'CONTINUATION', continuationToken: 'token_01' },
  { usageMetadata: usage },
);

const STEPS: readonly Json[] = [
  { type: 'thought', signature: SEAL, summary: [] },
  { type: 'model_output', content: [{ type: 'text', text: 'It is four.' }] },
];
const INTERACTION_USAGE = { total_input_tokens: 10, total_output_tokens: 5, total_thought_tokens: 20 };
const INTERACTION: Json = {
  id: 'int_01',
  object: 'interaction',
  status: 'completed',
  model: 'gemini-3.8-flash',
  role: 'model',
  created: '2026-11-30T00:00:00Z',
  updated: '2026-11-30T00:00:00Z',
  steps: STEPS,
  usage: INTERACTION_USAGE,
};
const begun = { ...INTERACTION, status: 'in_progress', steps: undefined, usage: undefined };
const EVENTS: readonly Json[] = [
  { event_type: 'interaction.created', interaction: begun },
  { event_type: 'step.start', index: 0, step: { type: 'thought', signature: '' } },
  { event_type: 'step.delta', index: 0, delta: { type: 'thought_signature', signature: SEAL } },
  { event_type: 'step.stop', index: 0 },
  { event_type: 'step.start', index: 1, step: { type: 'model_output' } },
  { event_type: 'step.delta', index: 1, delta: { type: 'text', text: 'It is four.' } },
  { event_type: 'step.stop', index: 1 },
  { event_type: 'interaction.completed', interaction: { ...INTERACTION, steps: undefined } },
];

function json(answer: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  answer.end(JSON.stringify(body));
}

const failure = (code: number, status: string, message: string) => ({ error: { code, message, status } });

const isInteraction = ({ path }: ReceivedRequest): boolean => path.includes('/interactions');
const wantsStream = ({ body, path }: ReceivedRequest): boolean =>
  path.includes(':streamGenerateContent') || /"stream": ?true/.test(body) || path.includes('stream=true');
const hasResult = ({ body }: ReceivedRequest): boolean => body.includes('"functionResponse"');

const sse = (request: ReceivedRequest, chunks: readonly Json[]): readonly string[] =>
  isInteraction(request)
    ? EVENTS.map((event) => `event: ${String(event.event_type)}\ndata: ${JSON.stringify(event)}\n\n`)
    : chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`);

function stream(
  answer: ServerResponse,
  chunks: readonly string[],
  then: (r: ServerResponse) => void = (r) => void r.end(),
): void {
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  writeAll(answer, chunks, then);
}

function give(answer: ServerResponse, request: ReceivedRequest, chunks = CHUNKS, whole: Json = DONE): void {
  if (wantsStream(request)) stream(answer, sse(request, chunks));
  else json(answer, 200, isInteraction(request) ? INTERACTION : whole);
}

const refuse =
  (code: number, status: string, message = 'no'): Answer =>
  (answer) =>
    json(answer, code, failure(code, status, message));

const MISSING =
  'Function call is missing a thought_signature in functionCall parts. Additional data, function call `default_api:add` , position 2';

const ANSWERS: Readonly<Record<string, Answer>> = {
  ok: (answer, request) => give(answer, request),
  bare: (answer, request) => give(answer, request, BARE_CHUNKS),
  tools: (answer, request) => {
    if (hasResult(request)) give(answer, request);
    else give(answer, request, [CALL], CALL);
  },
  /** Goes on with what it broke off. */
  cut: (answer, request) => {
    if (request.body.includes('token_01')) give(answer, request);
    else give(answer, request, [CUT], CUT);
  },
  bad: refuse(400, 'INVALID_ARGUMENT', MISSING),
  unauthorized: refuse(401, 'UNAUTHENTICATED'),
  missing: refuse(404, 'NOT_FOUND'),
  limited: refuse(429, 'RESOURCE_EXHAUSTED'),
  broken: refuse(500, 'INTERNAL', 'Internal error'),
  'plain-error': (answer) => {
    answer.writeHead(502, { 'content-type': 'text/html' });
    answer.end('<html>bad gateway</html>');
  },
  hang: () => undefined,
  'hang-in-stream': (answer, request) => stream(answer, sse(request, CHUNKS).slice(0, 3), () => undefined),
  'cut-off': (answer, request) => stream(answer, sse(request, CHUNKS).slice(0, 3), (r) => void r.destroy()),
  'ends-early': (answer, request) => stream(answer, sse(request, CHUNKS).slice(0, 3)),
  'error-event': (answer, request) =>
    stream(answer, [
      ...sse(request, CHUNKS).slice(0, 2),
      isInteraction(request)
        ? `event: error\ndata: ${JSON.stringify({ event_type: 'error', error: { code: 'overloaded', message: 'Overloaded' } })}\n\n`
        : `data: ${JSON.stringify(failure(503, 'UNAVAILABLE', 'Overloaded'))}\r\n\r\n`,
    ]),
  'bad-event': (answer, request) =>
    stream(answer, [...sse(request, CHUNKS).slice(0, 2), 'data: {"candidates":\r\n\r\n']),
  'bad-json': (answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end('{"candidates": [');
  },
  'bad-length': (answer) => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
    answer.write('{"candidates": [', () => answer.destroy());
  },
  empty: (answer) => {
    answer.writeHead(204);
    answer.end();
  },
  odd: (answer) => json(answer, 200, { unexpected: [null, 1, { deep: true }] }),
};

/** Speaks generateContent, whole and streamed, and Interactions. */
export const startGoogleWire = (): Promise<WireServer> => startWireServer(ANSWERS);
