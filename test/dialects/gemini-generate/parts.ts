import { createHash } from 'node:crypto';

/** Wire JSON of generateContent, as short builders: a seal is named by one word and always has the same value. */
export type Part = Readonly<Record<string, unknown>>;
export interface Content {
  readonly role?: string;
  readonly parts: readonly Part[];
}

/** 96 bytes that depend on the name only, in base64. */
export function seal(name: string): string {
  const half = (salt: string) => createHash('sha384').update(`${salt}:${name}`).digest();
  return Buffer.concat([half('first'), half('second')]).toString('base64');
}

export const BYPASS = 'skip_thought_signature_validator';

/** An unsigned call. Calls have no id, as on Vertex AI, unless one is given. */
export const call = (key: string, args: object = { key }, id?: string): Part => ({
  functionCall: { name: `fn_${key}`, args, ...(id === undefined ? {} : { id }) },
});
export const result = (key: string, output = `output of ${key}`, id?: string): Part => ({
  functionResponse: { name: `fn_${key}`, response: { output }, ...(id === undefined ? {} : { id }) },
});
export const tx = (text: string): Part => ({ text });
/** A summary of thoughts. */
export const thought = (text: string): Part => ({ text, thought: true });
/** A part with the seal of this name. */
export const signed = (name: string, part: Part): Part => ({ ...part, thoughtSignature: seal(name) });
/** A signed call, which has the name of its seal. */
export const sc = (name: string, args?: object, id?: string): Part => signed(name, call(name, args, id));
/** An empty text that carries a seal. */
export const carrier = (name: string): Part => signed(name, tx(''));

export const user = (...parts: readonly (Part | string)[]): Content => ({
  role: 'user',
  parts: parts.map((part) => (typeof part === 'string' ? tx(part) : part)),
});
export const model = (...parts: readonly Part[]): Content => ({ role: 'model', parts });

export const callName = (part: Part): string | undefined => {
  const { functionCall } = part;
  if (typeof functionCall !== 'object' || functionCall === null || !('name' in functionCall)) return undefined;
  return typeof functionCall.name === 'string' ? functionCall.name : undefined;
};

/** What a part is called in an edit: the name of its seal, of its call without `fn_`, or its text. */
export function isNamed(part: Part, name: string): boolean {
  return part.thoughtSignature === seal(name) || callName(part) === `fn_${name}` || part.text === name;
}
