import type { Delivery } from './delivery.ts';

/** One HTTP request, read whole, or one message of a WebSocket. */
export interface Exchange {
  /** `WEBSOCKET` for a message of a socket. */
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined with `, `. Of a message: those that the socket was opened with. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Counts up from 0 over all requests of this simulator. */
  readonly index: number;
}

/** One event of a streamed answer: an SSE event, an AWS event-stream chunk, or a message of a WebSocket. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What to send back. The delivery says how it goes wrong on the way, if it does. */
export type Reply = ReplyBody & {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delivery?: Delivery;
};

type ReplyBody =
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'text'; readonly body: string; readonly contentType: string }
  | EventsBody;

export interface EventsBody {
  readonly kind: 'stream';
  /**
   * `data`: SSE without event names, ended by `[DONE]`. `aws`: every event in a chunk of AWS's own framing. `aws-events`:
   * that framing, with the names of the events in it.
   */
  readonly framing: 'sse' | 'data' | 'aws' | 'aws-events';
  readonly events: readonly StreamEvent[];
  /** How an error is told in mid-stream. Default: as the Anthropic API does. */
  readonly errorEvent?: (type: string, message: string) => StreamEvent;
}

/** The server's side of an open WebSocket. Nothing happens any more once it is closed. */
export interface ServerSocket {
  readonly isOpen: boolean;
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Ends the connection without a word. */
  destroy(): void;
}

export interface SocketSession {
  /** Called for each text message as it arrives, whether or not an earlier one is still being answered. */
  message(exchange: Exchange, socket: ServerSocket): Promise<void>;
}

/** One provider API on the simulator's port. Each returns undefined for a request that is not its own. */
export interface SimulatedApi {
  readonly name: string;
  handle(exchange: Exchange): Promise<Reply | undefined>;
  /** Takes a WebSocket, or refuses it with an HTTP answer. */
  connect?(opening: Exchange): SocketSession | Reply | undefined;
}
