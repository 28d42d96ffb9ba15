import type { Exchange, Reply } from '../http/exchange.ts';
import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, isFailure } from '../openai/api-failure.ts';
import type { Organization } from '../openai/organization.ts';
import { type Seeded, seeded } from '../seeded.ts';
import { withId } from './answer.ts';
import type { ResponsesContext } from './context.ts';
import { conversationNotFound } from './history.ts';
import { readItems } from './read-items.ts';
import { type Headers, jsonReply, listBody } from './replies.ts';
import type { HeldConversation } from './store.ts';

const MAX_ITEMS_PER_CALL = 20;

/** https://platform.openai.com/docs/api-reference/conversations */
export function handleConversations(
  context: ResponsesContext,
  exchange: Exchange,
  body: Wire,
  { organization, headers, label }: { organization: Organization; headers: Headers; label: string },
): Reply | ApiFailure | undefined {
  const [, id, part, itemId] = /\/conversations(?:\/(\w+)(?:\/(items)(?:\/(\w+))?)?)?$/.exec(exchange.path) ?? [];
  const ids = seeded(context.seed, `conversations ${label}`);
  if (id === undefined)
    return exchange.method === 'POST' ? create(context, body, organization, ids, headers) : undefined;
  const held = context.store.conversation(id, organization.id);
  if (!held) return conversationNotFound(id);
  if (part === undefined) return handleOne(context, exchange.method, held, body, headers);
  return handleItems(context, exchange.method, held, itemId, body, ids, headers);
}

function create(
  { now, store, conflicts }: ResponsesContext,
  body: Wire,
  organization: Organization,
  ids: Seeded,
  headers: Headers,
): Reply | ApiFailure {
  const items = newItems(body, conflicts, ids);
  if (isFailure(items)) return items;
  const held = {
    id: ids.id('conv_', 40),
    organization: organization.id,
    createdAt: Math.floor(now() / 1000),
    metadata: body.metadata ?? {},
    items,
  };
  store.keepConversation(held);
  return jsonReply(conversationObject(held), headers);
}

function handleOne(
  { store }: ResponsesContext,
  method: string,
  held: HeldConversation,
  body: Wire,
  headers: Headers,
): Reply | undefined {
  if (method === 'DELETE') {
    store.forgetConversation(held.id);
    return jsonReply({ id: held.id, object: 'conversation.deleted', deleted: true }, headers);
  }
  if (method === 'POST') held.metadata = body.metadata;
  return method === 'GET' || method === 'POST' ? jsonReply(conversationObject(held), headers) : undefined;
}

function handleItems(
  { conflicts }: ResponsesContext,
  method: string,
  held: HeldConversation,
  itemId: string | undefined,
  body: Wire,
  ids: Seeded,
  headers: Headers,
): Reply | ApiFailure | undefined {
  if (itemId === undefined) {
    if (method === 'GET') return jsonReply(listBody([...held.items].reverse()), headers);
    if (method !== 'POST') return undefined;
    const items = newItems(body, conflicts, ids);
    if (isFailure(items)) return items;
    held.items.push(...items);
    return jsonReply(listBody(items), headers);
  }
  const item = held.items.find(({ id }) => id === itemId);
  if (!item) return failure(`Item with id '${itemId}' not found.`, { status: 404 });
  if (method === 'GET') return jsonReply(item, headers);
  if (method !== 'DELETE') return undefined;
  held.items = held.items.filter((other) => other !== item);
  return jsonReply(conversationObject(held), headers);
}

function newItems(body: Wire, conflicts: ResponsesContext['conflicts'], ids: Seeded): Wire[] | ApiFailure {
  const items = asList(body.items).filter(isWire);
  if (items.length > MAX_ITEMS_PER_CALL) {
    return failure(
      `Invalid 'items': array too long. Expected an array with maximum length ${MAX_ITEMS_PER_CALL}, but got an ` +
        `array with length ${items.length} instead.`,
      { param: 'items', code: 'array_above_max_length' },
    );
  }
  const read = readItems(items, conflicts);
  return isFailure(read) ? read : read.map(({ item, type }) => withId({ type, ...item }, type, ids));
}

function conversationObject({ id, createdAt, metadata }: HeldConversation): Wire {
  return { id, object: 'conversation', created_at: createdAt, metadata };
}
