import type { Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import type { CallObserver } from '../observe/seen-call.ts';
import { watchCall } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import { isStainlessPromise, watchPromise } from './stainless-promise.ts';
import type { Target } from './target.ts';

/**
 * The seat inside the call: `post(path, options)` of the base client, to which every `create` hands on. Only there does
 * the SDK's own span exist (in the options), and the span of an instrumentation around `create` is the active one,
 * whichever was registered first.
 */

/** A call on its way from `create` to `post`. The way is synchronous, so one variable holds it. */
interface Expected {
  readonly target: Target;
  readonly subscriber: Subscriber;
  readonly sdkVersion: string | undefined;
}

let expected: Expected | undefined;

/** Runs `create` of the SDK; the hand-over that it makes before it returns is the call. */
export function expectHandOver<T>(call: Expected, create: () => T): T {
  const outer = expected;
  expected = call;
  try {
    return create();
  } finally {
    expected = outer;
  }
}

const seats = new WeakSet<Callable>();

/**
 * Takes the seat on the class that owns `post` for this client; once a class.
 * @returns false where there is nothing to sit on: a client without `post`, or with one of its own (a test double).
 */
export function takeSeat(client: object): boolean {
  const owner = ownerOf(client, 'post');
  if (!owner || owner === client) return false;
  const post = Object.getOwnPropertyDescriptor(owner, 'post')?.value;
  if (!isCallable(post)) return false;
  if (seats.has(post)) return true;
  const seat = seatAround(post);
  seats.add(seat);
  replaceMethod(owner, 'post', post, seat);
  return true;
}

function seatAround(original: Callable): Callable {
  return function post(this: unknown, ...args: unknown[]): unknown {
    const call = expected;
    const handOver = (): unknown => Reflect.apply(original, this, args);
    if (!call || typeof args[0] !== 'string' || !call.target.handsOn(args[0])) return handOver();
    expected = undefined;
    return observedHandOver(call, this, args[1], handOver);
  };
}

function observedHandOver(call: Expected, client: unknown, options: unknown, handOver: () => unknown): unknown {
  const started = guard('observing a call', () => startObserving(call, client, options));
  if (!started) return handOver();
  const { observer, signal } = started;
  const watch = watchCall(observer);
  let result: unknown;
  try {
    result = runOnce(observer, handOver);
  } catch (thrown) {
    watch.failed(thrown, signal);
    throw thrown;
  }
  // A custom transport may answer with a plain promise. It is left alone: a second consumer would change what the
  // application sees of a rejection.
  if (isStainlessPromise(result)) {
    guard('watching a promise', () => watchPromise(result, watch, signal));
  } else {
    watch.end('raw');
  }
  return result;
}

function startObserving(
  { target, subscriber, sdkVersion }: Expected,
  client: unknown,
  options: unknown,
): { observer: CallObserver; signal: AbortSignal | undefined } | undefined {
  if (!target.see || !isObject(client) || !isObject(options)) return undefined;
  const { signal, sdkVersion: ownVersion, ...sighting } = target.see(client, options);
  const version = sdkVersion ?? ownVersion;
  const observer = subscriber.observe({
    ...sighting,
    manual: subscriber.manual,
    sdk: { name: target.sdk, ...(version !== undefined && { version }) },
  });
  return observer && { observer, signal };
}

/** Runs `fn` inside the observer, exactly once, and gives its outcome unchanged, whatever the observer does. */
function runOnce(observer: CallObserver, fn: () => unknown): unknown {
  let outcome: { readonly value: unknown } | { readonly thrown: unknown } | undefined;
  const once = (): unknown => {
    if (outcome) return undefined;
    try {
      const value = fn();
      outcome = { value };
      return value;
    } catch (thrown) {
      outcome = { thrown };
      return undefined;
    }
  };
  guard('activating the span of a call', () => observer.run(once));
  once();
  if (!outcome || 'thrown' in outcome) throw outcome?.thrown;
  return outcome.value;
}
