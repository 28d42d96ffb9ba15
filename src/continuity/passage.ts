import { randomInt } from 'node:crypto';
import { LONG, loadUnits, units, wipeUnits } from './code-units.ts';
import { type Digest, digest, mix } from './digest.ts';

/**
 * A text remembered so that it can be found inside another one (reasoning pasted into an answer) without being kept:
 * its length and a rolling hash, both over what is not white space, since harnesses re-wrap what they paste.
 */
export interface Passage {
  readonly length: number;
  readonly hash: number;
}

// Odd, so that no power of it vanishes modulo 2^32, which is what `Math.imul` counts in.
const BASE = randomInt(2 ** 20, 2 ** 31) | 1;
/** Shorter than this a hit inside a longer text says nothing; equality still does. */
const MINIMUM = 8;

export function passageOf(text: string): Passage {
  let hash = 0;
  let length = 0;
  if (text.length >= LONG) {
    for (let from = 0, count = 0; from < text.length; from += count) {
      count = loadUnits(text, from);
      for (let i = 0; i < count; i++) {
        const code = units[i] as number;
        if (isSpace(code)) continue;
        hash = (Math.imul(hash, BASE) + code) | 0;
        length++;
      }
    }
    wipeUnits(text);
    return { length, hash };
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isSpace(code)) continue;
    hash = (Math.imul(hash, BASE) + code) | 0;
    length++;
  }
  return { length, hash };
}

/** One key for all texts that differ in white space alone, so that harnesses may re-wrap and join them. */
export function passageKey({ length, hash }: Passage): Digest {
  return mix(mix(PASSAGE, length), hash >>> 0);
}

const PASSAGE = digest('passage');

/** The passage of two texts, one after the other, without either of them. */
export function joinPassages(left: Passage, right: Passage): Passage {
  let shift = 1;
  let base = BASE;
  for (let rest = right.length; rest > 0; rest >>>= 1) {
    if (rest & 1) shift = Math.imul(shift, base);
    base = Math.imul(base, base);
  }
  return { length: left.length + right.length, hash: (Math.imul(left.hash, shift) + right.hash) | 0 };
}

/** Whether `text` contains the passage (or is it, where the passage is very short). */
export function contains(text: string, passage: Passage): boolean {
  const { length } = passage;
  if (length === 0) return false;
  const codes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isSpace(code)) codes.push(code);
  }
  if (codes.length < length || (length < MINIMUM && codes.length !== length)) return false;
  let lead = 1;
  for (let i = 1; i < length; i++) lead = Math.imul(lead, BASE);
  let hash = 0;
  for (let i = 0; i < codes.length; i++) {
    if (i >= length) hash = (hash - Math.imul(codes[i - length] ?? 0, lead)) | 0;
    hash = (Math.imul(hash, BASE) + (codes[i] ?? 0)) | 0;
    if (i >= length - 1 && hash === passage.hash) return true;
  }
  return false;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}
