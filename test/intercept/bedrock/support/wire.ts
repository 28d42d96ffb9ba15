/** A server with the paths of Bedrock, and one scenario of success or failure for each base path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awsEventFrame, awsFrame } from '../../../../src/simulator/http/aws-event-stream.ts';
import { createEitherServer } from '../../../../src/simulator/http/either-server.ts';
import { cutOff } from '../../../../src/simulator/http/peer.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface BedrockWire {
  /** Endpoint of one scenario; each counts its own attempts from 0. */
  base(scenario: string): string;
  /** Resolves when a request has arrived since the last `take`. */
  arrived(): Promise<void>;
  take(): ReceivedRequest[];
  close(): Promise<void>;
}

const SEAL = Buffer.from('a seal of the provider').toString('base64');
const CONVERSED: Json = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'two and two', signature: SEAL } } },
        { reasoningContent: { redactedContent: SEAL } },
        { text: '4' },
      ],
    },
  },
  stopReason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 7, totalTokens: 17 },
  metrics: { latencyMs: 3 },
};
const delta = (contentBlockIndex: number, value: Json) => ['contentBlockDelta', { contentBlockIndex, delta: value }];
const EVENTS = [
  ['messageStart', { role: 'assistant' }],
  delta(0, { reasoningContent: { text: 'two and ' } }),
  delta(0, { reasoningContent: { text: 'two' } }),
  delta(0, { reasoningContent: { signature: SEAL } }),
  ['contentBlockStop', { contentBlockIndex: 0 }],
  delta(1, { text: '4' }),
  ['contentBlockStop', { contentBlockIndex: 1 }],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage: CONVERSED.usage, metrics: { latencyMs: 3 } }],
] as readonly (readonly [string, Json])[];

const MESSAGE: Json = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content: [
    { type: 'thinking', thinking: 'two and two', signature: SEAL },
    { type: 'text', text: '4' },
  ],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 7 },
};
const CHUNKS: readonly Json[] = [
  { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'two and two' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SEAL } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '4' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];

const REFUSALS: Readonly<Record<string, readonly [status: number, type: string]>> = {
  bad: [400, 'ValidationException'],
  forbidden: [403, 'AccessDeniedException'],
  missing: [404, 'ResourceNotFoundException'],
  throttled: [429, 'ThrottlingException'],
  broken: [500, 'InternalServerException'],
  unknown: [418, 'TeapotException'],
};

/** What is answered under a path, as the frames of a stream; one frame for JSON. */
function answerTo(path: string): { readonly type: string; readonly frames: readonly Buffer[] } {
  const json = (body: Json) => ({ type: 'application/json', frames: [Buffer.from(JSON.stringify(body))] });
  const stream = (frames: readonly Buffer[]) => ({ type: 'application/vnd.amazon.eventstream', frames });
  if (path.endsWith('/converse')) return json(CONVERSED);
  if (path.endsWith('/converse-stream')) return stream(EVENTS.map(([event, data]) => awsEventFrame({ event, data })));
  if (path.endsWith('/invoke')) return json(MESSAGE);
  if (path.endsWith('/invoke-with-response-stream')) {
    return stream(CHUNKS.map((data) => awsFrame({ event: String(data.type), data })));
  }
  if (path.endsWith('/count-tokens')) return json({ inputTokens: 3 });
  return json({ action: 'NONE', usage: {}, outputs: [], assessments: [] });
}

const halfOf = ([whole = Buffer.of()]: readonly Buffer[]): Buffer => whole.subarray(0, whole.length >>> 1);

function respond(path: string, response: ServerResponse, attempt: number): void {
  const scenario = path.split('/')[1]?.split('~')[0] ?? '';
  const { type, frames } = answerTo(path);
  const refusal =
    REFUSALS[scenario] ?? (scenario === 'flaky' && attempt < 2 ? [503, 'ServiceUnavailableException'] : undefined);
  if (refusal) {
    response.writeHead(refusal[0], {
      'x-amzn-requestid': 'req_01',
      'x-amzn-errortype': refusal[1],
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ message: 'messages.1.content.0.thinking.signature: Field required' }));
    return;
  }
  if (scenario === 'hang') return;
  response.writeHead(200, { 'x-amzn-requestid': 'req_01', 'content-type': type });
  const write = (some: readonly Buffer[]) => void response.write(Buffer.concat(some));
  switch (scenario) {
    case 'bad-json':
      response.end('{"output": {"mess');
      return;
    case 'empty':
      response.end();
      return;
    case 'hang-in-stream':
      write(frames.slice(0, 3));
      return;
    case 'ends-early':
      response.end(Buffer.concat(frames.slice(0, 3)));
      return;
    case 'cut-off':
      // In the middle of an event, or of the one answer.
      write(frames.length > 1 ? [...frames.slice(0, 3), frames[3]?.subarray(0, 9) ?? Buffer.of()] : [halfOf(frames)]);
      setTimeout(() => cutOff(response), 5);
      return;
    case 'exception-event':
      write([
        ...frames.slice(0, 3),
        awsEventFrame({ event: 'throttlingException', data: { message: 'Too many tokens' } }),
      ]);
      response.end();
      return;
    default:
      response.end(Buffer.concat(frames));
  }
}

export async function startBedrockWire(): Promise<BedrockWire> {
  let received: ReceivedRequest[] = [];
  const attempts = new Map<string, number>();
  const waiting: (() => void)[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const attempt = attempts.get(path) ?? 0;
      attempts.set(path, attempt + 1);
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
      for (const resolve of waiting.splice(0)) resolve();
      respond(path, response, attempt);
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  };
  const { server, destroyAll } = createEitherServer(onRequest, (_request, stream) => stream.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: (scenario) => `http://127.0.0.1:${port}/${scenario}`,
    arrived: () =>
      received.length > 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(() => resolve())),
    take() {
      const taken = received;
      received = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        destroyAll();
      }),
  };
}
