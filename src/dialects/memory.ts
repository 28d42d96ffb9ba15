import { fingerprintOf, isUnchanged, type Leaves, leavesOf } from './leaves.ts';

interface Known<T> {
  readonly leaves: Leaves;
  readonly result: T;
}

/** Objects that are found again by what they look like; past this the oldest are not. */
const MAX_RECENT = 4_096;

/**
 * Remembers what was read from an object for as long as the object lives and its leaves stay the same. The one place in
 * the process where text is held, and only weakly.
 *
 * A harness that builds its messages anew at each step has other objects, with other strings in them, that are equal to
 * the last ones. Equal strings cost a tenth of a digest to compare, so what was read is looked up by a fingerprint too.
 */
export function createMemory<T>(read: (value: object) => T): (value: object) => T {
  const seen = new WeakMap<object, Known<T>>();
  const recent = new Map<number, WeakRef<Known<T>>>();

  function readAnew(value: object): T {
    const fingerprint = fingerprintOf(value);
    const equal = recent.get(fingerprint)?.deref();
    // Not remembered by this object as well: thousands of entries that are hardly ever asked for burden the collector.
    if (equal !== undefined && isUnchanged(value, equal.leaves)) return equal.result;
    const known = { leaves: leavesOf(value), result: read(value) };
    seen.set(value, known);
    recent.delete(fingerprint);
    recent.set(fingerprint, new WeakRef(known));
    const [oldest] = recent.size > MAX_RECENT ? recent.keys() : [];
    if (oldest !== undefined) recent.delete(oldest);
    return known.result;
  }

  return (value) => {
    const known = seen.get(value);
    return known !== undefined && isUnchanged(value, known.leaves) ? known.result : readAnew(value);
  };
}
