import { isUnchanged, type Leaves, leavesOf } from './leaves.ts';

/**
 * Remembers what was read from an object for as long as the object lives and its leaves stay the same. The one place in
 * the process where text is held, and only weakly.
 */
export function createMemory<T>(read: (value: object) => T): (value: object) => T {
  const seen = new WeakMap<object, { readonly leaves: Leaves; readonly result: T }>();
  return (value) => {
    const known = seen.get(value);
    if (known !== undefined && isUnchanged(value, known.leaves)) return known.result;
    const result = read(value);
    seen.set(value, { leaves: leavesOf(value), result });
    return result;
  };
}
