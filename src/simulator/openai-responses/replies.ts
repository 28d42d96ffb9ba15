import type { Reply, StreamEvent } from '../http/exchange.ts';
import type { Wire } from '../json.ts';
import { errorEvent } from './events.ts';

export type Headers = Readonly<Record<string, string>>;

export function jsonReply(body: Wire, headers: Headers): Reply {
  return { kind: 'json', status: 200, headers, body };
}

export function streamReply(events: readonly StreamEvent[], headers: Headers): Reply {
  return { kind: 'stream', status: 200, headers, framing: 'sse', events, errorEvent };
}

/** One page of a list, always the whole of it. */
export function listBody(data: readonly Wire[]): Wire {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: false,
  };
}
