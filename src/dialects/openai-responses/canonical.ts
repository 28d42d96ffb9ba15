import { blend, type Digest, digest, mix } from '../../continuity/digest.ts';
import { ARRAY, canonical, keyDigest, OBJECT } from '../canonical-json.ts';
import { asArray, isObject, type Json } from '../json.ts';

/**
 * Digests that ignore what says nothing about the model's view of an item: ids, status, who made it, empty
 * annotations and log probabilities, what a parser of the SDK added, and members that are `null`.
 */
const IGNORED = new Set([
  'id',
  'status',
  'created_by',
  'annotations',
  'logprobs',
  'parsed',
  'parsed_arguments',
  'phase',
  'agent',
]);

export function canonicalItem(item: Json): Digest {
  let all = OBJECT;
  for (const key in item) {
    const member = item[key];
    if (member === undefined || member === null || IGNORED.has(key)) continue;
    all = blend(all, mix(keyDigest(key), canonical(member)));
  }
  return all;
}

/** Of a message's or an output's content: a string and one text part are the same. */
export function canonicalContent(content: unknown): Digest {
  if (typeof content === 'string') return mix(ARRAY, textPart(content));
  let all = ARRAY;
  for (const part of asArray(content) ?? []) all = mix(all, canonicalPart(part));
  return all;
}

const TEXT = digest('text');
const textPart = (text: string): Digest => mix(TEXT, digest(text));

function canonicalPart(part: unknown): Digest {
  if (!isObject(part)) return canonical(part);
  if (typeof part.text === 'string') return textPart(part.text);
  // Only the bytes behind a URL count, and a watcher cannot see them; a rotated URL is no change.
  const url = part.image_url ?? part.file_url;
  if (typeof url === 'string' && !url.startsWith('data:')) return digest(String(part.type));
  return canonicalItem(part);
}

/** Arguments are JSON in a string: how it is spaced is no change. */
export function canonicalArguments(value: unknown): Digest {
  if (typeof value !== 'string') return canonical(value ?? {});
  try {
    return canonical(JSON.parse(value));
  } catch {
    return digest(value);
  }
}
