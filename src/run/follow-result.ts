import { AsyncLocalStorage } from 'node:async_hooks';
import { guard } from '../observe/guard.ts';

/** How the work that a function has begun came to its end. */
export type Ending =
  | { readonly how: 'returned' }
  | { readonly how: 'thrown'; readonly cause: unknown }
  /** Its consumer stopped asking. */
  | { readonly how: 'left' };

export interface Follower {
  /** Runs a part of the work that comes later, in the same context as the first. */
  resume<R>(fn: () => R): R;
  /** Told once or more often; the first counts. */
  ended(ending: Ending): void;
  /** The result is nobody's yet, and may never be asked for: the work may end unseen. */
  unclaimed(): void;
  /** Somebody has asked for it after all: `ended` follows. */
  claimed(): void;
}

type Fn = (...args: unknown[]) => unknown;
type Fields = Record<PropertyKey, unknown>;

const isObject = (value: unknown): value is Fields =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';
const isFn = (value: unknown): value is Fn => typeof value === 'function';

/**
 * Follows what a function has returned to its end.
 * - A plain promise: one that settles alike. Two consumers of one promise would keep a rejection that nobody handles from
 *   being reported, so that the one derived is handed on in its place.
 * - An async generator: the same object, each part of which runs in the context of the first.
 * - Any other thenable (the promises of provider SDKs, and their tool runners, which do nothing until they are asked): the
 *   same object, untouched but for the ways to ask it, each of which runs in the context of the first part.
 * - Anything else has ended when it is there.
 */
export function followResult<T>(result: T, follower: Follower): T {
  if (isPlainPromise(result)) return followPromise(result, follower) as T;
  const followed = guard('following the result of a run', () => {
    if (isAsyncGenerator(result)) return followGenerator(result, follower);
    return isObject(result) && isFn(result.then) ? followThenable(result, result.then, follower) : false;
  });
  if (!followed) follower.ended({ how: 'returned' });
  return result;
}

const isPlainPromise = (value: unknown): value is Promise<unknown> =>
  value instanceof Promise && value.constructor === Promise;

function followPromise<T>(promise: Promise<T>, { ended }: Follower): Promise<T> {
  return promise.then(
    (value) => {
      ended({ how: 'returned' });
      return value;
    },
    (cause: unknown) => {
      ended({ how: 'thrown', cause });
      throw cause;
    },
  );
}

const isAsyncGenerator = (value: unknown): value is Fields =>
  Object.prototype.toString.call(value) === '[object AsyncGenerator]';

function followGenerator(generator: Fields, follower: Follower): boolean {
  const isDone = (step: unknown): boolean => isObject(step) && step.done === true;
  for (const name of ['next', 'return', 'throw']) {
    const original = generator[name];
    if (!isFn(original)) continue;
    const watched = (...args: unknown[]): unknown => {
      const step = follower.resume(() => Reflect.apply(original, generator, args));
      if (!isPlainPromise(step)) return step;
      return step.then(
        (value) => {
          if (isDone(value)) follower.ended({ how: name === 'return' ? 'left' : 'returned' });
          return value;
        },
        (cause: unknown) => {
          follower.ended({ how: 'thrown', cause });
          throw cause;
        },
      );
    };
    put(generator, name, watched);
  }
  return true;
}

function followThenable(thenable: Fields, then: Fn, follower: Follower): boolean {
  const { resume, ended, unclaimed, claimed } = follower;
  const watched = function (this: unknown, onFulfilled?: unknown, onRejected?: unknown): unknown {
    claimed();
    // What the caller does with the outcome is no part of the run.
    const outside = AsyncLocalStorage.snapshot();
    const settled = [
      (value: unknown) => {
        ended({ how: 'returned' });
        return isFn(onFulfilled) ? outside(onFulfilled, value) : value;
      },
      (cause: unknown) => {
        ended({ how: 'thrown', cause });
        if (isFn(onRejected)) return outside(onRejected, cause);
        throw cause;
      },
    ];
    return resume(() => Reflect.apply(then, this, settled));
  };
  put(thenable, 'then', watched);
  const iterator: unknown = thenable[Symbol.asyncIterator];
  if (isFn(iterator)) put(thenable, Symbol.asyncIterator, watchedIterator(iterator, follower));
  unclaimed();
  return true;
}

/** A tool runner can be awaited, or read step by step. */
function watchedIterator(original: Fn, follower: Follower): Fn {
  return function iterator(this: unknown, ...args: unknown[]): unknown {
    const made = follower.resume(() => Reflect.apply(original, this, args));
    guard('following the result of a run', () => {
      if (!isAsyncGenerator(made)) return;
      follower.claimed();
      followGenerator(made, follower);
    });
    return made;
  };
}

function put(target: object, name: PropertyKey, value: Fn): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: false });
}
