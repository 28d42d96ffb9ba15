import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, isFailure, missing } from '../openai/api-failure.ts';
import type { ResponsesContext } from './context.ts';
import { type PlacedItem, typeOf } from './items.ts';
import { readItems } from './read-items.ts';
import type { ResponsesRequest } from './request.ts';
import type { HeldConversation } from './store.ts';

/** The conversation that the model would read, from wherever it comes. */
export interface History {
  readonly items: readonly PlacedItem[];
  /** Those of the request itself. */
  readonly input: readonly PlacedItem[];
  readonly conversation?: HeldConversation;
}

/** Puts what the server holds before the input, and looks up what the input only names. */
export function assembleHistory(context: ResponsesContext, request: ResponsesRequest): History | ApiFailure {
  const read = readItems(request.body.input, context.conflicts);
  if (isFailure(read)) return read;
  const input: PlacedItem[] = [];
  for (const placed of read) {
    const resolved = resolve(context, request, placed);
    if (isFailure(resolved)) return resolved;
    input.push(resolved);
  }
  const before = heldItems(context, request);
  if (isFailure(before)) return before;
  const items = [...before.items, ...input];
  return checkDuplicates(items) ?? { ...before, items, input };
}

function heldItems(context: ResponsesContext, request: ResponsesRequest): Omit<History, 'input'> | ApiFailure {
  const { body, organization, transport } = request;
  if (body.previous_response_id != null) {
    const id = String(body.previous_response_id);
    const local = transport.local(id);
    if (!local && organization.zdr) {
      return failure('Previous response cannot be used for this organization due to Zero Data Retention.', {
        param: 'previous_response_id',
        code: 'unsupported_parameter',
      });
    }
    const held = local ?? context.store.response(id, organization.id);
    if (!held) return previousNotFound(id);
    const output = held.output.map((item) => ({ item, type: typeOf(item) }));
    return { items: asStored([...held.context, ...output], 'previous_response_id') };
  }
  if (body.conversation == null) return { items: [] };
  const id = isWire(body.conversation) ? body.conversation.id : body.conversation;
  const conversation = context.store.conversation(id, organization.id);
  if (!conversation) return conversationNotFound(String(id));
  const items = conversation.items.map((item) => ({ item, type: typeOf(item) }));
  return { items: asStored(items, 'conversation'), conversation };
}

function asStored(items: readonly { item: Wire; type: string }[], from: string): PlacedItem[] {
  return items.map(({ item, type }, index) => ({ item, type, path: `${from}.${index}`, stored: true }));
}

function previousNotFound(id: string): ApiFailure {
  return failure(`Previous response with id '${id}' not found.`, {
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
}

export function conversationNotFound(id: string): ApiFailure {
  return failure(`Conversation with id '${id}' not found.`, { status: 404, param: 'conversation' });
}

/** References, and reasoning that is sent by its id alone, stand for the stored item. */
function resolve(
  { store, conflicts }: ResponsesContext,
  { organization }: ResponsesRequest,
  placed: PlacedItem,
): PlacedItem | ApiFailure {
  const { item, type, path } = placed;
  const isBareReasoning = type === 'reasoning' && !item.encrypted_content;
  if (type !== 'item_reference' && !isBareReasoning) return placed;
  if (item.id == null) return missing(`${path.replace(/\.(\d+)$/, '[$1]')}.id`);
  const stored = store.item(item.id, organization.id);
  if (stored) return { ...placed, item: stored, type: typeOf(stored) };
  return failure(
    `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with ` +
      '`store` set to true, or remove this item from your input.',
    { status: conflicts.missingItemStatus, param: 'input' },
  );
}

function checkDuplicates(items: readonly PlacedItem[]): ApiFailure | undefined {
  const seen = new Set<unknown>();
  for (const { item } of items) {
    if (typeof item.id !== 'string') continue;
    if (seen.has(item.id)) {
      return failure(`Duplicate item found with id ${item.id}. Remove duplicate items from your input and try again.`, {
        param: 'input',
      });
    }
    seen.add(item.id);
  }
  return undefined;
}
