import { asArray, asObject, asString, type Json } from '../json.ts';

/** Everything that a message says aloud, tags and all. Looked at only where something is wrong, never kept. */
export function textOf(message: Json): string {
  const { content } = message;
  return typeof content === 'string' ? content : textParts(message).join('');
}

/** The texts of a content that is a list. */
export function textParts({ content }: Json): readonly string[] {
  return (asArray(content) ?? []).map((part) => asString(asObject(part)?.text) ?? '');
}

/** What is left of parts when they are turned into a string. */
const CORRUPTED = /\[object Object\],?/g;

/** The text around parts that were turned into a string, undefined where none were. */
export function aroundCorrupted(text: string): string | undefined {
  return text.includes('[object Object]') ? text.replace(CORRUPTED, '').trim() : undefined;
}
