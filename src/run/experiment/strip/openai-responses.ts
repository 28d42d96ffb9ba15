import { experimentError } from '../experiment-error.ts';
import { isJson, type Json, objectsOf, without } from '../json.ts';
import type { Wire } from './wire.ts';

const API = 'openai.responses';

/** Where the provider holds the history. */
const HELD = ['previous_response_id', 'conversation'] as const;

const OUTPUTS = /_output$/;
/** Without an id these are as good as with one; hosted calls are not (`openai` typings, ResponseInputItem). */
const ID_IS_OPTIONAL = new Set<unknown>(['message', 'function_call', 'custom_tool_call']);
const ID: ReadonlySet<string> = new Set(['id']);

export const OPENAI_RESPONSES: Wire = {
  api: API,

  /**
   * An item that keeps its id is refused without the reasoning that led to it ("was provided without its required
   * 'reasoning' item"); without its id it is taken for one that never had any.
   */
  strip(body) {
    const held = HELD.find((member) => body[member] != null);
    if (held !== undefined) {
      throw experimentError(
        `${API}: the provider holds the reasoning (${held}): send the history as input items, with store: false`,
      );
    }
    if (!Array.isArray(body.input)) return { body, blocks: 0 };
    let blocks = 0;
    let follows = false;
    const input = body.input.flatMap((item: unknown, at) => {
      if (!isJson(item)) return [item];
      const path = `input.${at}`;
      if (item.type === 'reasoning' || (isReference(item) && String(item.id).startsWith('rs_'))) {
        blocks++;
        follows = true;
        return [];
      }
      if (isReference(item)) {
        throw experimentError(
          `${API}: ${path} refers to an item that the provider holds, with its reasoning: send the item`,
        );
      }
      if (!isOfModel(item)) follows = false;
      return [follows ? unpaired(item, path) : item];
    });
    return blocks === 0 ? { body, blocks } : { body: { ...body, input }, blocks };
  },

  calls: ({ input }) =>
    objectsOf(input).flatMap(({ type, call_id, name, arguments: args, input: text }) => {
      if (type === 'function_call' || type === 'custom_tool_call') {
        return { id: String(call_id), name: String(name), input: args ?? text };
      }
      return OUTPUTS.test(String(type)) && call_id !== undefined ? { id: String(call_id) } : [];
    }),
};

/** The type may be left out. */
const isReference = ({ type, id, role }: Json): boolean =>
  type === 'item_reference' || (type == null && role === undefined && typeof id === 'string');

const isOfModel = ({ type, role }: Json): boolean =>
  role === undefined ? !OUTPUTS.test(String(type)) : role === 'assistant';

function unpaired(item: Json, path: string): Json {
  if (ID_IS_OPTIONAL.has(item.type ?? 'message') || item.id === undefined) return without(item, ID);
  throw experimentError(
    `${API}: ${path} (${String(item.type)}) cannot go without the reasoning before it: an experiment needs an agent without hosted tools`,
  );
}
