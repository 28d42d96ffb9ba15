import { createHash } from 'node:crypto';

/** Wire JSON of the Responses API, as short builders: a name always gives the same ids, payload and summary. */
export interface Item {
  readonly type?: string;
  readonly [member: string]: unknown;
}

/** 128 bytes that depend on the name only, in base64: long enough for a cut or changed payload to be recognisable. */
export function seal(name: string): string {
  const half = (salt: string) => createHash('sha512').update(`${salt}:${name}`).digest();
  return Buffer.concat([half('first'), half('second')]).toString('base64');
}

const ABOUT = ['inventory', 'shipping', 'weather', 'billing', 'rotation', 'latency', 'harbour', 'ledger'];
/** Summary text: distinct per name, a whole sentence. */
export const thought = (name: string): string => {
  const pick = createHash('sha1').update(name).digest();
  return `Considering ${ABOUT[(pick[0] ?? 0) % 8]} before ${ABOUT[(pick[1] ?? 0) % 8]}, remark ${name} in the notebook.`;
};

/** Reasoning with a payload and no summary, as it comes by default. */
export const rs = (name: string, members: Record<string, unknown> = {}): Item => ({
  type: 'reasoning',
  id: `rs_${name}`,
  summary: [],
  encrypted_content: seal(name),
  ...members,
});
/** The same with a summary. */
export const rsSum = (name: string, ...parts: readonly string[]): Item =>
  rs(name, {
    summary: (parts.length === 0 ? [thought(name)] : parts).map((text) => ({ type: 'summary_text', text })),
  });
/** Reasoning without a payload: only the provider's storage has it. */
export const rsId = (name: string): Item => without(rs(name), 'encrypted_content');
/** Reasoning as open weights give it: readable, without a payload. */
export const rsText = (name: string, text = thought(name)): Item => ({
  type: 'reasoning',
  id: `rs_${name}`,
  summary: [],
  content: [{ type: 'reasoning_text', text }],
});
export const fc = (name: string, input: object = { key: name }, members: Record<string, unknown> = {}): Item => ({
  type: 'function_call',
  id: `fc_${name}`,
  call_id: `call_${name}`,
  name: 'lookup',
  arguments: JSON.stringify(input),
  ...members,
});
export const out = (name: string, output: unknown = `output of ${name}`): Item => ({
  type: 'function_call_output',
  call_id: `call_${name}`,
  output,
});
export const msg = (text: string, members: Record<string, unknown> = {}): Item => ({
  type: 'message',
  role: 'assistant',
  id: `msg_${createHash('sha1').update(text).digest('hex').slice(0, 12)}`,
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...members,
});
export const search = (name: string): Item => ({
  type: 'web_search_call',
  id: `ws_${name}`,
  status: 'completed',
  action: { type: 'search', query: `query ${name}` },
});
export const compaction = (name: string): Item => ({
  type: 'compaction',
  id: `cmp_${name}`,
  encrypted_content: seal(`compaction ${name}`),
});
export const ref = (item: Item): Item => ({ type: 'item_reference', id: item.id });
export const user = (text: string): Item => ({ role: 'user', content: text });
export const developer = (text: string): Item => ({ role: 'developer', content: text });
export const assistant = (text: string, members: Record<string, unknown> = {}): Item => ({
  role: 'assistant',
  content: text,
  ...members,
});

export function without(item: Item, ...members: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !members.includes(key)));
}

/** What an item is called in an edit: `rs_a`, `fc_a`, `call_a` (the result), the text of a message. */
export function isNamed(item: Item, name: string): boolean {
  if (item.id === name) return true;
  if (item.type === 'function_call_output') return item.call_id === name;
  return textOf(item) === name;
}

export function textOf(item: Item): string | undefined {
  if (typeof item.content === 'string') return item.content;
  const [part] = Array.isArray(item.content) ? item.content : [];
  return typeof part?.text === 'string' ? part.text : undefined;
}
