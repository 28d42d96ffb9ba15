import { blend, type Digest, digest, mix } from '../continuity/digest.ts';
import type { Json } from './json.ts';

export const OBJECT = digest('{}');
export const ARRAY = digest('[]');
const NULL = digest('null');

/** Digest of a JSON value that ignores key order and formatting. */
export function canonical(value: unknown): Digest {
  if (typeof value === 'string') return digest(value);
  if (value === null || value === undefined) return NULL;
  if (Array.isArray(value)) {
    let all = ARRAY;
    for (const item of value) all = mix(all, canonical(item));
    return all;
  }
  if (typeof value === 'object') {
    let all = OBJECT;
    for (const key in value) {
      const member = (value as Json)[key];
      if (member !== undefined) all = blend(all, mix(keyDigest(key), canonical(member)));
    }
    return all;
  }
  return mix(NULL, digest(String(value)));
}

const keys = new Map<string, Digest>();

/** Member names are few and come back at every step. */
export function keyDigest(key: string): Digest {
  let found = keys.get(key);
  if (found === undefined) {
    found = digest(key);
    if (keys.size < 5000) keys.set(key, found);
  }
  return found;
}
