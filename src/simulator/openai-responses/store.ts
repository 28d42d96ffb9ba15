import type { StreamEvent } from '../http/exchange.ts';
import type { Wire } from '../json.ts';
import type { PlacedItem } from './items.ts';

/** A response as the server holds it. Its items always carry their ciphertext here. */
export interface HeldResponse {
  readonly id: string;
  readonly organization: string;
  readonly body: Wire;
  /** All that the model had read: an earlier chain or conversation, then the input. */
  readonly context: readonly PlacedItem[];
  /** The items sent with the request itself. */
  readonly input: readonly PlacedItem[];
  readonly output: readonly Wire[];
  /** The response object as answered. */
  response: Wire;
  /** Whether its model takes steering input. */
  readonly steers: boolean;
  /** In the background, and not asked for since. */
  isPending: boolean;
  readonly events: readonly StreamEvent[];
  readonly expires: number;
}

export interface HeldConversation {
  readonly id: string;
  readonly organization: string;
  readonly createdAt: number;
  metadata: unknown;
  items: Wire[];
}

export interface ResponseStore {
  keep(response: HeldResponse): void;
  response(id: unknown, organization: string): HeldResponse | undefined;
  forget(id: string): void;
  /** An item of any stored response. */
  item(id: unknown, organization: string): Wire | undefined;
  keepConversation(conversation: HeldConversation): void;
  conversation(id: unknown, organization: string): HeldConversation | undefined;
  forgetConversation(id: string): void;
}

/** "At least 30 days" for responses. https://platform.openai.com/docs/guides/conversation-state */
export const RESPONSE_LIFETIME_MS = 30 * 24 * 60 * 60_000;
/** Oldest first out, so that a long test does not grow without end. */
const LIMIT = 20_000;

export function createResponseStore(now: () => number): ResponseStore {
  const responses = new Map<string, HeldResponse>();
  const items = new Map<string, { readonly item: Wire; readonly response: HeldResponse }>();
  const conversations = new Map<string, HeldConversation>();
  const isAlive = ({ id, expires }: HeldResponse): boolean => responses.has(id) && expires > now();
  return {
    keep(response) {
      responses.set(response.id, response);
      for (const item of response.output) {
        if (typeof item.id === 'string') items.set(item.id, { item, response });
      }
      for (const map of [responses, items]) {
        for (const id of map.keys()) {
          if (map.size <= LIMIT) break;
          map.delete(id);
        }
      }
    },
    response(id, organization) {
      const held = responses.get(String(id));
      return held?.organization === organization && isAlive(held) ? held : undefined;
    },
    forget: (id) => responses.delete(id),
    item(id, organization) {
      const held = items.get(String(id));
      return held?.response.organization === organization && isAlive(held.response) ? held.item : undefined;
    },
    keepConversation: (conversation) => conversations.set(conversation.id, conversation),
    conversation(id, organization) {
      const held = conversations.get(String(id));
      return held?.organization === organization ? held : undefined;
    },
    forgetConversation: (id) => conversations.delete(id),
  };
}
