/** Guards over objects whose classes belong to somebody else: several copies and majors of one SDK may be loaded. */

export type Callable = (this: unknown, ...args: unknown[]) => unknown;

export function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Objects and functions: what can have properties, such as a class. */
export function hasProperties(value: unknown): value is Record<PropertyKey, unknown> {
  return isObject(value) || typeof value === 'function';
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && isCallable(value.then);
}

/** Walks from `start` up its prototype chain to the object that owns `name`. */
export function ownerOf(start: object, name: PropertyKey): object | undefined {
  let owner: object | null = start;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
  return owner ?? undefined;
}
