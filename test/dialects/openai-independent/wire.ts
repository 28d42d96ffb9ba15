import { createHash } from 'node:crypto';

/** Wire JSON of the two OpenAI APIs as short builders: a seal is named by one word and always has the same value. */
export interface Item {
  readonly [member: string]: unknown;
}

/** 128 bytes that depend on the name only, in base64: long enough for a cut or changed seal to be recognisable. */
export function seal(name: string): string {
  const half = (salt: string) => createHash('sha512').update(`${salt}/${name}`).digest();
  return Buffer.concat([half('one'), half('two')]).toString('base64');
}

const PLACES = ['quarry', 'orchard', 'foundry', 'estuary', 'viaduct', 'granary', 'lagoon', 'sawmill'];
/** Readable reasoning: a whole sentence, distinct for each name. */
export const thought = (name: string): string => {
  const pick = createHash('sha1').update(`thought ${name}`).digest();
  const place = (at: number) => PLACES[(pick[at] ?? 0) % PLACES.length];
  return `The ${place(0)} figures in sheet ${name} have to be read before the ${place(1)} ones are summed.`;
};

// The Responses API.

/** A reasoning item; `summary` is what its summary reads, if it was asked for. */
export const rs = (name: string, summary?: string): Item => ({
  type: 'reasoning',
  id: `rs_${name}`,
  summary: summary === undefined ? [] : [{ type: 'summary_text', text: summary }],
  encrypted_content: seal(name),
});
/** A reasoning item as a stored response gives it where no payload was asked for. */
export const stored = (name: string): Item => ({ type: 'reasoning', id: `rs_${name}`, summary: [] });
export const fc = (name: string, tool = 'lookup'): Item => ({
  type: 'function_call',
  id: `fc_${name}`,
  call_id: `call_${name}`,
  name: tool,
  arguments: JSON.stringify({ key: name }),
  status: 'completed',
});
export const out = (name: string, output = `result of ${name}, row 1 to 40`): Item => ({
  type: 'function_call_output',
  call_id: `call_${name}`,
  output,
});
export const say = (name: string, text: string, phase?: string): Item => ({
  type: 'message',
  role: 'assistant',
  id: `msg_${name}`,
  status: 'completed',
  ...(phase === undefined ? {} : { phase }),
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const user = (content: string): Item => ({ role: 'user', content });
export const dev = (content: string): Item => ({ role: 'developer', content });
export const ref = (id: string): Item => ({ type: 'item_reference', id });
/** An assistant message as a client writes it, without an id. */
export const easy = (content: string): Item => ({ role: 'assistant', content });

// Chat Completions.

export const toolCall = (name: string, fields: Item = {}): Item => ({
  id: `call_${name}`,
  type: 'function',
  function: { name: 'lookup', arguments: JSON.stringify({ key: name }) },
  ...fields,
});
/** An assistant message that calls tools. */
export const calls = (fields: Item, ...names: readonly (string | Item)[]): Item => ({
  role: 'assistant',
  content: null,
  ...fields,
  tool_calls: names.map((name) => (typeof name === 'string' ? toolCall(name) : name)),
});
/** An assistant message that answers. */
export const says = (content: unknown, fields: Item = {}): Item => ({ role: 'assistant', content, ...fields });
export const tool = (name: string, content = `result of ${name}, row 1 to 40`): Item => ({
  role: 'tool',
  tool_call_id: `call_${name}`,
  content,
});
/** `extra_content` with a signature, as Gemini's own endpoint puts it on a call. */
export const signed = (value: string): Item => ({ extra_content: { google: { thought_signature: value } } });
export const LOOKUP = [{ type: 'function', function: { name: 'lookup' } }];

// What a harness does to either.

export type Edit = (items: readonly Item[]) => readonly Item[];

const nameOf = (item: Item): string =>
  item.type === 'function_call_output' ? `out_${String(item.call_id).slice(5)}` : String(item.id);
const cleaned = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

export const all =
  (...edits: readonly Edit[]): Edit =>
  (items) =>
    edits.reduce((now, edit) => edit(now), items);
/** Takes away the items of these ids; `out_c1` is the output of the call c1. */
export const without =
  (...names: readonly string[]): Edit =>
  (items) =>
    items.filter((item) => !names.includes(nameOf(item)));
/** Changes members of one item; undefined takes one away. */
export const set =
  (name: string, fields: Item): Edit =>
  (items) =>
    items.map((item) => (nameOf(item) === name ? cleaned({ ...item, ...fields }) : item));
export const bare = (...names: readonly string[]): Edit => all(...names.map((name) => set(name, { id: undefined })));
export const ahead =
  (name: string, ...added: readonly Item[]): Edit =>
  (items) =>
    items.flatMap((item) => (nameOf(item) === name ? [...added, item] : [item]));
/** The whole input, by hand. */
export const exactly =
  (...items: readonly Item[]): Edit =>
  () =>
    items;

/** Changes members of the n-th assistant message. */
export const bot = (at: number, fields: Item): Edit => {
  return (items) => {
    let seen = -1;
    return items.map((item) => {
      if (item.role !== 'assistant') return item;
      seen += 1;
      return seen === at ? cleaned({ ...item, ...fields }) : item;
    });
  };
};
