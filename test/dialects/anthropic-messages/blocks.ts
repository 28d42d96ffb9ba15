import { createHash } from 'node:crypto';

/** Wire JSON of the Messages API, as short builders: a seal is named by one word and always has the same value. */
export interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}
export interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
  readonly [member: string]: unknown;
}

/** 128 bytes that depend on the name only, in base64: long enough for a cut or changed seal to be recognisable. */
export function seal(name: string): string {
  const half = (salt: string) => createHash('sha512').update(`${salt}:${name}`).digest();
  return Buffer.concat([half('first'), half('second')]).toString('base64');
}

const ABOUT = ['inventory', 'shipping', 'weather', 'billing', 'rotation', 'latency', 'harbour', 'ledger'];
/** Summary text of a thinking block: distinct per name, a whole sentence. */
export const thought = (name: string): string => {
  const pick = createHash('sha1').update(name).digest();
  return `Considering ${ABOUT[(pick[0] ?? 0) % 8]} before ${ABOUT[(pick[1] ?? 0) % 8]}, remark ${name} in the notebook.`;
};

/** A sealed thinking block; with its text omitted where `text` is `''`. */
export const th = (name: string, text = thought(name)): Block => ({
  type: 'thinking',
  thinking: text,
  signature: seal(name),
});
/** A sealed block whose text arrived omitted. */
export const om = (name: string): Block => th(name, '');
export const red = (name: string): Block => ({ type: 'redacted_thinking', data: seal(name) });
export const tx = (text: string): Block => ({ type: 'text', text });
export const call = (id: string, input: object = { key: id }, name = 'lookup'): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const res = (id: string, output = `output of ${id}`): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content: output,
});

const listed = (parts: readonly (Block | string)[]): readonly Block[] =>
  parts.map((part) => (typeof part === 'string' ? tx(part) : part));
export const user = (...parts: (Block | string)[]): Message => ({ role: 'user', content: listed(parts) });
export const assistant = (...parts: (Block | string)[]): Message => ({ role: 'assistant', content: listed(parts) });
export const system = (...parts: (Block | string)[]): Message => ({ role: 'system', content: listed(parts) });

/** What a block is called in an edit: the name of its seal, the id of its call or result, its text. */
export function isNamed(block: Block, name: string): boolean {
  return (
    block.signature === seal(name) ||
    block.data === seal(name) ||
    block.id === name ||
    (block.type === 'text' && block.text === name)
  );
}
