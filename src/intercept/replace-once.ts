import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, ownerOf } from './shapes.ts';

const replaced = new WeakSet<Callable>();

/**
 * Replaces a method on the class of an object, once a class, for good: which of its objects are watched is for the
 * replacement to know. Nothing where the object has a method of its own, or none.
 */
export function replaceOnce(instance: object, name: PropertyKey, watched: (original: Callable) => Callable): void {
  const owner = ownerOf(instance, name);
  const original = owner && Object.getOwnPropertyDescriptor(owner, name)?.value;
  if (!owner || owner === instance || !isCallable(original) || replaced.has(original)) return;
  const replacement = watched(original);
  replaced.add(replacement);
  replaceMethod(owner, name, original, replacement);
}
