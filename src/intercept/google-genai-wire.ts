import { guard } from '../observe/guard.ts';
import type { CallWatch } from './call-watch.ts';
import { type ObservedCall, settled } from './native-promise.ts';
import { replaceMethod } from './replace-method.ts';
import { replaceOnce } from './replace-once.ts';
import { runOnce } from './seat.ts';
import { type Callable, isCallable, isObject } from './shapes.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * Before 1.3.0 the SDK copies every part member by member, and knows no signature: seals are lost on their way in and on
 * their way out, whatever the application does. Only on the wire is to be seen what was issued and what was sent.
 */
export function losesSeals(version: string | undefined): boolean {
  const [major, minor] = (version ?? '').split('.').map(Number);
  return major === 1 && minor !== undefined && minor < 3;
}

/** A call on its way from its method to the request. The way is synchronous, so one variable holds it. */
interface Way {
  readonly begin: (wireBody: unknown) => ObservedCall | undefined;
  begun: ObservedCall | undefined;
}

let expected: Way | undefined;

/**
 * Runs a method and observes the request that it makes, as it goes over the wire.
 * @param begin starts to observe, given the body
 * @param note is told the value of the method
 */
export function observeWire(
  apiClient: Fields,
  begin: Way['begin'],
  call: () => unknown,
  note: (value: unknown, watch: CallWatch) => void,
): unknown {
  guard('taking the seat in a client', () => {
    for (const name of ['request', 'requestStream']) replaceOnce(apiClient, name, watchedRequest);
  });
  const way: Way = { begin, begun: undefined };
  const outer = expected;
  expected = way;
  let result: unknown;
  try {
    result = call();
  } finally {
    expected = outer;
  }
  const { begun } = way;
  return begun ? settled(result, begun.watch, (value) => note(value, begun.watch)) : result;
}

function watchedRequest(original: Callable): Callable {
  return function request(this: unknown, ...args: unknown[]): unknown {
    const way = expected;
    expected = undefined;
    const handOn = (): unknown => Reflect.apply(original, this, args);
    const [options] = args;
    const body = isObject(options) && typeof options.body === 'string' ? options.body : undefined;
    if (!way || body === undefined) return handOn();
    way.begun = guard('observing a call', () => way.begin(JSON.parse(body)));
    const { begun } = way;
    if (!begun) return handOn();
    const answer = runOnce(begun.observer, handOn);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((response: unknown) => {
      guard('watching an answer', () => watchAnswer(response, begun.watch));
      return response;
    });
  };
}

/** What comes in: one response, or a generator that gives one for each event. */
const readers = new WeakMap<object, (json: unknown) => void>();

function watchAnswer(response: unknown, watch: CallWatch): void {
  if (!isObject(response)) return;
  const { next } = response;
  if (!isCallable(next)) {
    readWith(response, (json) => watch.parsed(json));
    return;
  }
  const watchedNext: Callable = function read(this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(next, this, args);
    if (!(result instanceof Promise)) return result;
    return result.then((step: unknown) => {
      guard('watching an event', () => {
        if (isObject(step)) readWith(step.value, (json) => watch.event(json));
      });
      return step;
    });
  };
  replaceMethod(response, 'next', next, watchedNext);
}

function readWith(response: unknown, read: (json: unknown) => void): void {
  if (!isObject(response)) return;
  readers.set(response, read);
  replaceOnce(response, 'json', watchedJson);
}

function watchedJson(original: Callable): Callable {
  return function json(this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(original, this, args);
    const read = isObject(this) ? readers.get(this) : undefined;
    if (!read || !(result instanceof Promise)) return result;
    return result.then((value: unknown) => {
      read(value);
      return value;
    });
  };
}
