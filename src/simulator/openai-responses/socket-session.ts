import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange, ServerSocket, SocketSession, StreamEvent } from '../http/exchange.ts';
import { faultIndex } from '../http/stream-place.ts';
import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, errorBody, failure, isFailure, NOT_JSON, unknownParameter } from '../openai/api-failure.ts';
import type { Verdict } from '../verdict.ts';
import { type Answered, answerRequest } from './answer.ts';
import type { ResponsesContext } from './context.ts';
import { errorEvent } from './events.ts';
import type { ResponsesRequest, Transport } from './request.ts';
import { handleSteer } from './steering.ts';
import type { HeldResponse } from './store.ts';
import { answeredVerdict, plainVerdict, refusedVerdict } from './verdict.ts';

export interface SocketSurroundings {
  readonly context: ResponsesContext;
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
  readonly request: (body: Wire, transport: Transport) => ResponsesRequest | ApiFailure;
  readonly arrivalOf: (exchange: Exchange) => { readonly label: string; readonly repeat: number };
}

interface Lane {
  /** What is being answered; the next message waits for it. */
  busy: Promise<void>;
  /** The newest response, remembered by the connection even if it is not stored. */
  newest?: HeldResponse;
}

const LIFETIME_MS = 60 * 60_000;
const MAX_LANES = 32;

/** https://platform.openai.com/docs/guides/websocket-mode */
export function createSocketSession({ context, onVerdict, request, arrivalOf }: SocketSurroundings): SocketSession {
  const openedAt = context.now();
  const lanes = new Map<string, Lane>();
  const local = (id: unknown): HeldResponse | undefined =>
    [...lanes.values()].map(({ newest }) => newest).find((held) => held?.id === id);

  return {
    async message(exchange, socket) {
      const event = parsed(exchange.body);
      const laneId = typeof event?.stream_id === 'string' ? event.stream_id : undefined;
      const refuse = (refusal: ApiFailure): void => {
        onVerdict(exchange, refusedVerdict({ refusal }));
        socket.send(JSON.stringify(errorMessage(refusal, laneId)));
      };
      if (!event) return refuse(NOT_JSON);
      if (context.now() - openedAt >= LIFETIME_MS) {
        refuse(LIMITS.connection);
        return socket.close(1000, 'websocket_connection_limit_reached');
      }
      if (event.type === 'response.steer') {
        const answer = handleSteer(event, local(event.previous_response_id), laneId);
        onVerdict(exchange, plainVerdict(400, answer));
        return socket.send(JSON.stringify(answer));
      }
      if (event.type !== 'response.create') {
        return refuse(failure(`Unknown event type: '${event.type}'.`, { param: 'type', code: 'invalid_value' }));
      }
      if (event.stream_id !== undefined && !/^[\w-]{1,64}$/.test(String(event.stream_id))) return refuse(LIMITS.laneId);
      const key = laneId ?? '';
      if (!lanes.has(key) && lanes.size >= MAX_LANES) return refuse(LIMITS.lanes);
      const lane = lanes.get(key) ?? { busy: Promise.resolve() };
      lanes.set(key, lane);
      const turn = lane.busy.then(() => answer(exchange, socket, event, lane, laneId));
      // A fault of one answer must not keep the lane from the next.
      lane.busy = turn.catch(() => undefined);
      return turn;
    },
  };

  async function answer(
    exchange: Exchange,
    socket: ServerSocket,
    event: Wire,
    lane: Lane,
    laneId: string | undefined,
  ): Promise<void> {
    const { type: _, stream_id: __, generate, ...body } = event;
    const { label, repeat } = arrivalOf(exchange);
    const parent = body.previous_response_id;
    const forbidden = ['stream', 'background'].find((name) => body[name] !== undefined);
    const read = forbidden ? unknownParameter(forbidden) : request(body, { kind: 'websocket', local });
    const prewarms = isWire(body.prompt_cache_options) && body.prompt_cache_options.prewarm === true;
    const place = { label, repeat, streams: true, generates: generate !== false && !prewarms };
    const answered = isFailure(read) ? { refusal: read } : await answerRequest(context, read, place);
    if ('refusal' in answered) {
      onVerdict(exchange, refusedVerdict(answered));
      // A refused continuation costs a lane its parent; a fork from another lane does not.
      if (lane.newest?.id === parent) delete lane.newest;
      socket.send(JSON.stringify(errorMessage(answered.refusal, laneId)));
      return;
    }
    onVerdict(exchange, answeredVerdict(answered));
    lane.newest = answered.held;
    await deliver(socket, answered, laneId);
  }
}

const LIMITS = {
  connection: failure('This WebSocket connection has reached its limit of 60 minutes. Create a new connection.', {
    code: 'websocket_connection_limit_reached',
  }),
  lanes: failure(`A WebSocket connection can hold at most ${MAX_LANES} streams.`, {
    param: 'stream_id',
    code: 'websocket_stream_limit_reached',
  }),
  laneId: failure("Invalid 'stream_id'.", { param: 'stream_id', code: 'invalid_stream_id' }),
} as const;

function errorMessage(refusal: ApiFailure, laneId: string | undefined): Wire {
  return {
    type: 'error',
    status: refusal.status,
    ...errorBody(refusal),
    ...(laneId !== undefined && { stream_id: laneId }),
  };
}

/** Sends the events one by one, going wrong where the fault says so. */
async function deliver(socket: ServerSocket, { events, fault }: Answered, laneId: string | undefined): Promise<void> {
  const send = ({ data }: StreamEvent): void =>
    socket.send(JSON.stringify(laneId === undefined ? data : { ...data, stream_id: laneId }));
  const place = faultIndex(events, fault);
  if (fault?.kind === 'late') await wait(fault.ms);
  if (fault?.kind === 'cut' && fault.beforeHeaders) return socket.destroy();
  for (const [index, event] of events.entries()) {
    if (!socket.isOpen) return;
    if (index === place && fault?.kind === 'cut') return cut(socket);
    if (index === place && fault?.kind === 'error_event') return send(errorEvent(fault.type, fault.message));
    if (index === place && fault?.kind === 'malformed') {
      const text = JSON.stringify(event.data);
      socket.send(text.slice(0, Math.ceil(text.length / 2)));
      continue;
    }
    send(event);
    if (fault?.kind === 'slow') await wait(fault.ms);
  }
  if (place === events.length && fault?.kind === 'cut') return cut(socket);
  if (place === events.length && fault?.kind === 'error_event') send(errorEvent(fault.type, fault.message));
}

async function cut(socket: ServerSocket): Promise<void> {
  // Without a turn of the event loop the peer may not see what was sent before.
  await wait(5);
  socket.destroy();
}

function parsed(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
