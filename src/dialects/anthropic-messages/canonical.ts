import { blend, type Digest, digest, mix } from '../../continuity/digest.ts';
import { ARRAY, canonical, keyDigest, OBJECT } from '../canonical-json.ts';
import { asArray, isObject, type Json } from '../json.ts';

/**
 * Digests of JSON values that ignore what the prefix check ignores: key order and formatting everywhere; at the top of a
 * block or a tool also cache markers, `null` members and members that spell out their default.
 * (platform.claude.com build-with-claude/preserved-thinking/prefix-checks, "what counts as a change"; the spelled-out
 * defaults are those that Anthropic's own prefix_diff script leaves out.)
 */

/** Of a content block or a tool definition. */
export function canonicalMembers(value: Json, except: readonly string[] = []): Digest {
  let all = OBJECT;
  for (const key in value) {
    const member = value[key];
    if (except.includes(key) || isDefault(key, member)) continue;
    all = blend(all, mix(keyDigest(key), canonical(member)));
  }
  return all;
}

function isDefault(key: string, member: unknown): boolean {
  if (member === undefined || member === null) return true;
  switch (key) {
    case 'cache_control':
      return true;
    case 'strict':
    case 'eager_input_streaming':
    case 'is_error':
    case 'defer_loading':
      return member === false;
    case 'type':
      return member === 'custom';
    case 'description':
      return member === '';
    case 'allowed_callers':
      return Array.isArray(member) && member.length === 1 && member[0] === 'direct';
    case 'caller':
      return isObject(member) && member.type === 'direct';
    case 'citations':
      return Array.isArray(member) && member.length === 0;
    default:
      return false;
  }
}

/** Of a text block: white space at its ends does not count. */
export function canonicalText(text: string): Digest {
  return digest(text.trim());
}

/** Of a tool result's content: a string and one text block are the same, and so is nothing. */
export function canonicalContent(content: unknown): Digest {
  let all = ARRAY;
  for (const block of asArray(content) ?? (typeof content === 'string' ? [{ type: 'text', text: content }] : [])) {
    const part = canonicalPart(block);
    if (part !== undefined) all = mix(all, part);
  }
  return all;
}

/** Of a part that is no reasoning; undefined for white space, which does not count. */
export function canonicalPart(block: unknown): Digest | undefined {
  if (!isObject(block)) return canonical(block);
  if (block.type === 'text' && typeof block.text === 'string') {
    const text = block.text.trim();
    return text === '' ? undefined : mix(TEXT, digest(text));
  }
  // Only the bytes behind a URL count, and a watcher cannot see them; a rotated URL is no change.
  if (isObject(block.source) && block.source.type === 'url') {
    return mix(digest(String(block.type)), digest('url'));
  }
  return canonicalMembers(block);
}

const TEXT = digest('text');
