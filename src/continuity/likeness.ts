import { randomInt } from 'node:crypto';
import { loadUnits, units, wipeUnits } from './code-units.ts';

/**
 * What is kept of a seal or a text so that a damaged copy of it can be told from an unrelated value without keeping
 * the value: a sample of the hashes of its overlapping fragments, those below a limit.
 */
export interface Likeness {
  /** Length of the value in its canonical form. */
  readonly length: number;
  readonly fragments: readonly number[];
  /** Hashes below it are kept. */
  readonly limit: number;
  /** All fragments of a stretch near the beginning: what is cut far up holds few of the others. */
  readonly head: readonly number[];
}

/** Characters of a fragment: the four last and the one before them. */
const FRAGMENT = 5;
const KEPT = 48;
const SHORT = 96;
const HASHES = 2 ** 32;
const SHORTEST_PART = 10;
/** So many characters in a row of an opaque value are no accident: they say nothing of their own, as a word would. */
const SHORTEST_OPAQUE_PART = 8;
/** Most of the fragments: seals of one vendor share a short header, which must not make two of them alike. */
const DERIVED = 0.6;
/** Of a seal of which some are kept: fewer than these may all be of its header. */
const FEW = 12;
/** Behind the header that all seals of one vendor begin with. */
const HEAD = { from: 20, to: 36, enough: 6 };
const key = randomInt(1, 2 ** 31);

export function likenessOf(value: string): Likeness {
  const fragments: number[] = [];
  // Hashes are spread evenly, so that about as many as are wanted lie below this limit; of a short value all are kept.
  const limit = value.length <= SHORT ? HASHES : (HASHES * KEPT) / value.length;
  const length = collectFragments(value, limit, fragments);
  return { length, fragments, limit, head: headOf(value) };
}

/**
 * Whether `value` was made from the remembered one: cut, a few characters changed, a part of it, another encoding.
 * @param isOpaque a seal, of which a short part is enough.
 */
export function isDerived(value: string, from: Likeness, isOpaque = false): boolean {
  if (from.fragments.length === 0) return false;
  for (const form of formsOf(value)) {
    const found: number[] = [];
    const length = collectFragments(form, HASHES, found);
    const own = new Set(found);
    const shared = from.fragments.filter((fragment) => own.has(fragment)).length;
    if (length >= from.length) {
      if (shared > 0 && shared >= DERIVED * from.fragments.length) return true;
      continue;
    }
    // A few characters are no evidence.
    if (length < SHORTEST_PART) {
      if (isOpaque && length >= SHORTEST_OPAQUE_PART && shared === own.size) return true;
      continue;
    }
    // Of a part, those of its fragments that would have been kept are there.
    const kept = found.filter((fragment) => fragment < from.limit).length;
    const telling = !isOpaque || kept >= FEW || from.limit === HASHES;
    if (telling && shared >= 2 && shared >= DERIVED * kept) return true;
    if (isOpaque && isCutHead(form, from)) return true;
  }
  return false;
}

function isCutHead(value: string, { head }: Likeness): boolean {
  const own = headOf(value);
  return own.length >= HEAD.enough && own.every((fragment, at) => fragment === head[at]);
}

function headOf(value: string): readonly number[] {
  const fragments: number[] = [];
  const bare = value
    .slice(0, 2 * HEAD.to)
    .replace(/[\s=]/g, '')
    .slice(HEAD.from - FRAGMENT + 1, HEAD.to);
  collectFragments(bare, HASHES, fragments);
  return fragments;
}

/** What a character comes to in the canonical form; 0: nothing. */
const FORM = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 0x20 || code === 0x3d) return 0;
  if (code === 0x2d) return 0x2b;
  return code === 0x5f ? 0x2f : code;
});

/**
 * Hashes of the fragments of the canonical form (base64 and base64url are one, padding and white space nothing).
 * @returns the length of that form.
 */
function collectFragments(value: string, limit: number, into: number[]): number {
  let four = 0;
  let before = 0;
  let length = 0;
  for (let from = 0, count = 0; from < value.length; from += count) {
    count = loadUnits(value, from);
    for (let i = 0; i < count; i++) {
      const unit = units[i] as number;
      const code = unit < 128 ? (FORM[unit] as number) : unit ^ (unit >>> 8);
      if (code === 0) continue;
      before = four >>> 24;
      four = (four << 8) | (code & 0xff);
      length++;
      if (length < FRAGMENT) continue;
      let hash = Math.imul(four ^ key, 0x9e3779b1) ^ Math.imul(before + 0x7f4a7c15, 0x5f356495);
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
      hash = (hash ^ (hash >>> 13)) >>> 0;
      if (hash < limit) into.push(hash);
    }
  }
  wipeUnits(value);
  return length;
}

/** The value as it is, and decoded once, as a harness may have encoded it once more; what is no base64 also as if it were its bytes. */
function formsOf(value: string): string[] {
  const forms = [value];
  const compact = value.replace(/\s/g, '');
  if (/[^A-Za-z0-9+/_=-]/.test(compact)) forms.push(Buffer.from(value, 'latin1').toString('base64'));
  if (/^[A-Za-z0-9+/_-]+=*$/.test(compact)) {
    const decoded = Buffer.from(compact, 'base64').toString('latin1');
    if (/^[\x20-\x7e]+$/.test(decoded)) forms.push(decoded);
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(compact)) {
    const bytes = Buffer.from(compact, 'hex');
    forms.push(bytes.toString('latin1'), bytes.toString('base64'));
  }
  if (compact.includes('%')) forms.push(safeDecode(compact));
  return forms;
}

function safeDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
