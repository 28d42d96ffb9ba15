import { guard } from '../observe/guard.ts';
import type { CallObserver } from '../observe/seen-call.ts';
import { watchCall } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, isCallable, isObject, isThenable, ownerOf } from './shapes.ts';
import { isStainlessPromise, watchPromise } from './stainless-promise.ts';
import type { PatchedCall, Sighting, Target } from './target.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * The seat inside the call: `post(path, options)` of the base client, or `get`, to which every method of a resource
 * hands on. Only there does the SDK's own span exist (in the options), and the span of an instrumentation around the
 * method is the active one, whichever was registered first.
 */
export interface HandOver {
  readonly verb: 'post' | 'get';
  /** Whether a request that the method hands on is the call itself. */
  handsOn(path: string): boolean;
  /**
   * Reads the call as it is handed on.
   * @param options of the hand-over; from openai 7 on a promise of them
   * @param args of the method
   */
  see(client: Fields, options: Fields, args: readonly unknown[]): Sighting;
}

/** A call on its way from its method to the seat. The way is synchronous, so one variable holds it. */
interface Expected extends PatchedCall {
  readonly way: HandOver;
}

let expected: Expected | undefined;

/** How a call is seen that a Stainless client hands on: the hand-over that the method makes before it returns. */
export function handOver(way: HandOver): NonNullable<Target['around']> {
  return (patched, call) => {
    const { client, target } = patched;
    if (!takeSeat(client, way.verb)) {
      sayOnce(
        `no-seat:${target.sdk}`,
        `${target.sdk}: a client without a ${way.verb}() of its class was used; its calls are not observed`,
        'debug',
      );
      return call();
    }
    const outer = expected;
    expected = { ...patched, way };
    try {
      return call();
    } finally {
      expected = outer;
    }
  };
}

const seats = new WeakSet<Callable>();

/**
 * Takes the seat on the class that owns the method for this client; once a class.
 * @returns false where there is nothing to sit on: a client without it, or with one of its own (a test double).
 */
function takeSeat(client: object, verb: HandOver['verb']): boolean {
  return (
    guard('taking the seat in a client', () => {
      const owner = ownerOf(client, verb);
      if (!owner || owner === client) return false;
      const method = Object.getOwnPropertyDescriptor(owner, verb)?.value;
      if (!isCallable(method)) return false;
      if (seats.has(method)) return true;
      const seat = seatAround(method, verb);
      seats.add(seat);
      replaceMethod(owner, verb, method, seat);
      return true;
    }) ?? false
  );
}

function seatAround(original: Callable, verb: HandOver['verb']): Callable {
  return function method(this: unknown, ...args: unknown[]): unknown {
    const call = expected;
    const handOn = (given: readonly unknown[] = args): unknown => Reflect.apply(original, this, given);
    if (call?.way.verb !== verb || typeof args[0] !== 'string' || !call.way.handsOn(args[0])) return handOn();
    expected = undefined;
    return observedHandOver(call, this, args, handOn);
  };
}

function observedHandOver(
  call: Expected,
  client: unknown,
  args: readonly unknown[],
  handOn: (given?: readonly unknown[]) => unknown,
): unknown {
  const [path, options, ...rest] = args;
  const started = guard('observing a call', () => startObserving(call, client, options));
  if (!started) return handOn();
  const { observer, signal } = started;
  const watch = watchCall(observer);
  let result: unknown;
  try {
    result = runOnce(
      observer,
      () => handOn(),
      (refusal) => handOn([path, refusing(options, refusal), ...rest]),
    );
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

/**
 * Options of a request that cannot be sent: writing its body throws. So the SDK fails by itself, before it connects: with
 * a promise of its own class, its own span ended, and no attempt repeated.
 */
function refusing(options: unknown, refusal: Error): unknown {
  const body = {
    toJSON() {
      throw refusal;
    },
  };
  if (isThenable(options)) return Promise.resolve(options).then((own) => refusing(own, refusal));
  if (!isObject(options)) return { body };
  return { ...options, body: { ...(isObject(options.body) && options.body), ...body } };
}

function startObserving(
  { target, subscriber, sdkVersion, way, args }: Expected,
  client: unknown,
  options: unknown,
): { observer: CallObserver; signal: AbortSignal | undefined } | undefined {
  if (!isObject(client) || !isObject(options)) return undefined;
  const { signal, sdkVersion: ownVersion, ...sighting } = way.see(client, options, args);
  const version = sdkVersion ?? ownVersion;
  const observer = subscriber.observe({
    ...sighting,
    manual: subscriber.manual,
    sdk: { name: target.sdk, ...(version !== undefined && { version }) },
  });
  return observer && { observer, signal };
}

/**
 * Runs `fn` inside the observer, exactly once, and gives its outcome unchanged, whatever the observer does.
 * @param refuse runs in the place of `fn` where the observer refuses the call, and has it fail as the SDK would.
 */
export function runOnce(
  observer: CallObserver,
  fn: () => unknown,
  refuse: (refusal: Error) => unknown = (refusal) => Promise.reject(refusal),
): unknown {
  const { refusal } = observer;
  let outcome: { readonly value: unknown } | { readonly thrown: unknown } | undefined;
  const once = (): unknown => {
    if (outcome) return undefined;
    try {
      const value = refusal === undefined ? fn() : refuse(refusal);
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
