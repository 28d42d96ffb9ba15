/**
 * What an object looked like when it was last read: its keys and leaves in the order of a walk. Held weakly by the
 * object itself, so nothing outlives the application's own history. An unchanged leaf is the same string by `===`, so
 * looking again costs a walk and no digest, and a change made in place is still seen.
 */
export type Leaves = readonly unknown[];

const END = Symbol('end');

export function leavesOf(value: unknown): Leaves {
  const leaves: unknown[] = [];
  collect(value, leaves);
  return leaves;
}

export function isUnchanged(value: unknown, leaves: Leaves): boolean {
  return walk(value, leaves, 0) === leaves.length;
}

/**
 * A number that equal objects share and others hardly ever do: of every string its length and three characters. Only
 * a place to look; what is found there is compared leaf by leaf.
 */
export function fingerprintOf(value: unknown): number {
  if (typeof value === 'string') {
    const { length } = value;
    const ends = (value.charCodeAt(length >>> 1) << 16) ^ (value.charCodeAt(0) << 8) ^ value.charCodeAt(length - 1);
    return Math.imul(ends ^ length, 0x9e3779b1);
  }
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? value | 0 : 1;
  if (value instanceof Uint8Array) return Math.imul((value[value.length >>> 1] ?? 0) ^ value.length, 0x9e3779b1);
  let all = 7;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) all = (Math.imul(all, 31) + fingerprintOf(value[i])) | 0;
    return all;
  }
  for (const key in value) all = (Math.imul(all, 31) + fingerprintOf((value as Record<string, unknown>)[key])) | 0;
  return all;
}

function collect(value: unknown, leaves: unknown[]): void {
  if (typeof value !== 'object' || value === null) {
    leaves.push(value);
    return;
  }
  if (value instanceof Uint8Array) {
    leaves.push(bytesOf(value));
    return;
  }
  if (Array.isArray(value)) {
    leaves.push(value.length);
    for (let i = 0; i < value.length; i++) collect(value[i], leaves);
    return;
  }
  for (const key in value) {
    leaves.push(key);
    collect((value as Record<string, unknown>)[key], leaves);
  }
  leaves.push(END);
}

/** Position after `value`, or -1 where it differs. */
function walk(value: unknown, leaves: Leaves, at: number): number {
  if (typeof value !== 'object' || value === null) return value === leaves[at] ? at + 1 : -1;
  if (value instanceof Uint8Array) return bytesOf(value) === leaves[at] ? at + 1 : -1;
  let next = at;
  if (Array.isArray(value)) {
    if (leaves[next++] !== value.length) return -1;
    for (let i = 0; i < value.length; i++) {
      next = walk(value[i], leaves, next);
      if (next < 0) return -1;
    }
    return next;
  }
  for (const key in value) {
    if (leaves[next++] !== key) return -1;
    next = walk((value as Record<string, unknown>)[key], leaves, next);
    if (next < 0) return -1;
  }
  return leaves[next++] === END ? next : -1;
}

/** Bytes are one leaf: as a text, since they may be written over in place. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
