import { guard } from '../observe/guard.ts';
import type { CallWatch } from './call-watch.ts';
import { createFirstIterators } from './first-iterator.ts';
import type { ObservedCall } from './native-promise.ts';
import { isPlatformClass } from './platform-class.ts';
import { replaceOnce } from './replace-once.ts';
import { runOnce } from './seat.ts';
import { type Callable, isCallable, isObject, isThenable, ownerOf } from './shapes.ts';
import { startReading } from './stream-reading.ts';
import type { PatchedCall } from './target.ts';

/**
 * The streams of interactions, from 2.x on. The application gets a stream that the SDK puts together from those of all
 * hops of a continuation, now an object of its own and now a proxy. Each hop is asked for, and read, behind it: there it is
 * seen, and what the application gets stays untouched, whichever way it reads.
 */

type Observe = (
  patched: PatchedCall,
  call: { readonly body: unknown; readonly stream: boolean },
) => ObservedCall | undefined;

interface Watched {
  readonly patched: PatchedCall;
  readonly observe: Observe;
}

/** By the interactions that the application uses, and by those of the generated client behind them. */
const watched = new WeakMap<object, Watched>();
const hops = new WeakMap<object, Watched>();

/** Sees the hops of this call and of the ones after it. */
export function watchHops(patched: PatchedCall, observe: Observe): void {
  watched.set(patched.resource, { patched, observe });
  replaceOnce(patched.resource, 'getClient', watchedGetClient);
}

function watchedGetClient(original: Callable): Callable {
  return function getClient(this: unknown, ...args: unknown[]): unknown {
    const client = Reflect.apply(original, this, args);
    guard('watching the hops of a call', () => {
      const known = isObject(this) ? watched.get(this) : undefined;
      const inner = isObject(client) ? client.interactions : undefined;
      if (!known || !isObject(inner)) return;
      hops.set(inner, known);
      replaceOnce(inner, 'create', watchedCreate);
    });
    return client;
  };
}

function watchedCreate(original: Callable): Callable {
  return function create(this: unknown, ...args: unknown[]): unknown {
    const known = isObject(this) ? hops.get(this) : undefined;
    const handOn = (): unknown => Reflect.apply(original, this, args);
    const observed = known && guard('observing a call', () => begin(known, args[0]));
    if (!observed) return handOn();
    const { observer, watch } = observed;
    let promise: unknown;
    try {
      promise = runOnce(observer, handOn, (refusal) => Promise.reject(refusal));
    } catch (thrown) {
      watch.failed(thrown);
      throw thrown;
    }
    if (observer.refusal) watch.failed(observer.refusal);
    if (!guard('watching a promise', () => watchPromise(promise, watch))) watch.end('raw');
    return promise;
  };
}

function begin({ patched, observe }: Watched, params: unknown): ObservedCall | undefined {
  return isObject(params) && params.stream === true ? observe(patched, { body: params, stream: true }) : undefined;
}

/** The promise of the generated client holds a native one, which settles with the stream and with how it was had. */
function watchPromise(promise: unknown, watch: CallWatch): boolean {
  const held = isObject(promise) ? promise._promise : undefined;
  if (!isObject(promise) || !isThenable(held)) return false;
  const seen = held.then(
    (outcome: unknown) => {
      const [stream] = Array.isArray(outcome) ? outcome : [];
      if (!guard('watching a stream', () => watchStream(stream, watch))) watch.end('raw');
      return outcome;
    },
    (thrown: unknown) => {
      watch.failed(thrown);
      throw thrown;
    },
  );
  // As the SDK does with the one that it stands for.
  seen.then(undefined, () => undefined);
  promise._promise = seen;
  return true;
}

const iterators = createFirstIterators();

function watchStream(stream: unknown, watch: CallWatch): boolean {
  if (!isObject(stream) || !isCallable(stream[Symbol.asyncIterator])) return false;
  const owner = ownerOf(stream, Symbol.asyncIterator);
  if (!owner || isPlatformClass(owner)) return false;
  iterators.expect(stream, startReading(stream, withErrorEvents(watch), undefined));
  replaceOnce(stream, Symbol.asyncIterator, iterators.replacementOf);
  return true;
}

/** The API can answer with an error after it has begun to answer; the SDK hands that out like any other event. */
function withErrorEvents(watch: CallWatch): CallWatch {
  return {
    ...watch,
    event(event) {
      watch.event(event);
      if (isObject(event) && event.event_type === 'error') watch.failed({ error: event.error });
    },
  };
}
