import type { Delivery } from './delivery.ts';

/** One HTTP request, read whole. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Counts up from 0 over all requests of this simulator. */
  readonly index: number;
}

/** One event of a streamed answer: an SSE event, or an AWS event-stream chunk. */
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
  | { readonly kind: 'stream'; readonly framing: 'sse' | 'aws'; readonly events: readonly StreamEvent[] };

/** One provider API on the simulator's port. Returns undefined for a request that is not its own. */
export interface SimulatedApi {
  readonly name: string;
  handle(exchange: Exchange): Promise<Reply | undefined>;
}
