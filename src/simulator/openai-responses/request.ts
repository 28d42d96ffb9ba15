import type { Wire } from '../json.ts';
import type { OpenAiModelRow } from '../openai/models.ts';
import type { Organization } from '../openai/organization.ts';
import type { HeldResponse } from './store.ts';

/** How a request came in. Over a WebSocket a response that was not stored can still be continued on the same socket. */
export interface Transport {
  readonly kind: 'http' | 'websocket';
  /** Finds what this connection remembers. */
  local(id: unknown): HeldResponse | undefined;
}

export const HTTP: Transport = { kind: 'http', local: () => undefined };

/** A request whose model and members are known. */
export interface ResponsesRequest {
  readonly body: Wire;
  readonly organization: Organization;
  readonly model: OpenAiModelRow;
  readonly transport: Transport;
  /** A compaction of a window has neither tools nor a text format that its reasoning could be compared with. */
  readonly checksPrefix: boolean;
  /** Whether the response is kept: not with `store: false`, and never without data retention. */
  readonly stores: boolean;
}
