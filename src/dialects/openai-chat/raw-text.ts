import { asArray, asObject, asString, type Json } from '../json.ts';

/** Everything that a message says aloud, tags and all. Looked at only where something is wrong, never kept. */
export function textOf(message: Json): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (asArray(content) ?? []).map((part) => asString(asObject(part)?.text) ?? '').join('');
}

/** What is left of parts when they are turned into a string. */
const CORRUPTED = /\[object Object\],?/g;

/** The text around parts that were turned into a string, undefined where none were. */
export function aroundCorrupted(text: string): string | undefined {
  return text.includes('[object Object]') ? text.replace(CORRUPTED, '').trim() : undefined;
}
