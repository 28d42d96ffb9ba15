import { createHash } from 'node:crypto';

/** Wire JSON of Chat Completions, as short builders: a seal is named by one word and always has the same value. */
export type Members = Readonly<Record<string, unknown>>;
export interface Message extends Members {
  readonly role: string;
}

/** 128 bytes that depend on the name only, in base64: long enough for a cut or changed seal to be recognisable. */
export function seal(name: string): string {
  const half = (salt: string) => createHash('sha512').update(`${salt}:${name}`).digest();
  return Buffer.concat([half('first'), half('second')]).toString('base64');
}

const ABOUT = ['inventory', 'shipping', 'weather', 'billing', 'rotation', 'latency', 'harbour', 'ledger'];
/** Text of a piece of reasoning: distinct per name, a whole sentence. */
export const thought = (name: string): string => {
  const pick = createHash('sha1').update(name).digest();
  return `Considering ${ABOUT[(pick[0] ?? 0) % 8]} before ${ABOUT[(pick[1] ?? 0) % 8]}, remark ${name} in the notebook.`;
};

export const call = (id: string, args: object = { key: id }, name = 'lookup', more: Members = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
  ...more,
});
/** A call with the signature of Gemini's compatible endpoint. */
export const signed = (id: string, name: string) =>
  call(id, { key: id }, 'lookup', { extra_content: { google: { thought_signature: seal(name) } } });

export const result = (id: string, content = `output of ${id}`): Message => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
export const user = (content: unknown): Message => ({ role: 'user', content });
export const assistant = (members: Members): Message => ({ role: 'assistant', content: null, ...members });

/** Members of an answer: the calls named. */
export const calls = (...ids: readonly string[]): Members => ({ tool_calls: ids.map((id) => call(id)) });
export const says = (content: string): Members => ({ content });
/** Reasoning as one string. */
export const rc = (name: string): Members => ({ reasoning_content: thought(name) });
export const reasoning = (name: string): Members => ({ reasoning: thought(name) });

/** Elements of `reasoning_details`. */
export const text = (name: string, index = 0, more: Members = {}) => ({
  type: 'reasoning.text',
  text: thought(name),
  format: 'anthropic-claude-v1',
  index,
  ...more,
});
export const sealedText = (name: string, index = 0) => text(name, index, { signature: seal(name) });
export const summary = (name: string, index = 0) => ({
  type: 'reasoning.summary',
  summary: thought(name),
  format: 'openai-responses-v1',
  index,
});
export const encrypted = (name: string, index = 0, format = 'openai-responses-v1') => ({
  type: 'reasoning.encrypted',
  data: seal(name),
  format,
  index,
});
export const details = (...elements: readonly Members[]): Members => ({ reasoning_details: elements });

/** Claude's own blocks, as LiteLLM hands them on. */
export const block = (name: string) => ({ type: 'thinking', thinking: thought(name), signature: seal(name) });
export const redacted = (name: string) => ({ type: 'redacted_thinking', data: seal(name) });

/** Mistral's content. */
export const chunk = (name: string) => ({
  type: 'thinking',
  thinking: [{ type: 'text', text: thought(name) }],
  closed: true,
});
export const part = (words: string) => ({ type: 'text', text: words });
