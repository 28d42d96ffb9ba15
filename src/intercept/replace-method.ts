import type { Callable } from './shapes.ts';

/**
 * Puts `replacement` in the place of a method or a getter, in place and unseen: same attributes of the property, same
 * `name` and `length` of the function.
 * @throws TypeError where the object is frozen or the property cannot be configured; callers guard.
 * @returns a function that puts the original back; false, and nothing done, where somebody else has replaced it since.
 */
export function replaceMethod(
  owner: object,
  name: PropertyKey,
  original: Callable,
  replacement: Callable,
): () => boolean {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const attributes = before ?? { configurable: true, enumerable: false, writable: true };
  for (const key of ['name', 'length'] as const) {
    Object.defineProperty(replacement, key, { value: original[key], configurable: true });
  }
  const shared = { configurable: attributes.configurable ?? true, enumerable: attributes.enumerable ?? false };
  const own = before?.get ? { get: replacement, set: before.set } : { value: replacement, writable: true };
  Object.defineProperty(owner, name, { ...shared, ...own });
  return () => {
    const now = Object.getOwnPropertyDescriptor(owner, name);
    if ((now?.value ?? now?.get) !== replacement) return false;
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
    return true;
  };
}
