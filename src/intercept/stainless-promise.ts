import { guard } from '../observe/guard.ts';
import { type Abandonable, endWhenCollected, stopWaitingFor } from './backstop.ts';
import type { CallWatch } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, hasProperties, isCallable, isObject, isThenable, ownerOf } from './shapes.ts';
import { isStainlessStream, watchStream } from './stainless-stream.ts';

/**
 * The `APIPromise` class of the SDKs that Stainless generates: `responsePromise` settles with the HTTP response, and
 * `then`, `catch`, `finally` and `withResponse` run `parseResponse` on it once, when first called. `_thenUnwrap` copies
 * both fields into a new promise.
 */
interface StainlessPromise {
  responsePromise: PromiseLike<unknown>;
  parseResponse: Callable;
}

export function isStainlessPromise(value: unknown): value is StainlessPromise {
  return isObject(value) && isThenable(value.responsePromise) && isCallable(value.parseResponse);
}

/** Where one promise stands. Refers to the promise only between `asResponse()` and the response. */
interface Answer extends Abandonable {
  readonly watch: CallWatch;
  settled: boolean;
  parsing: boolean;
  unreachable: boolean;
  raw: Record<PropertyKey, unknown> | undefined;
}

/** By the derived `responsePromise`, which a promise shares with its copies. */
const answers = new WeakMap<object, Answer>();
/** By what that settles with. Message threads put it into a new promise, with a parse of its own. */
const answersByProps = new WeakMap<object, Answer>();

/**
 * Watches a call through the two fields of its promise, which stays the same object. No `then` is called on the promise
 * itself: that would start the parse, and read a body that belongs to the caller. The application consumes what is
 * derived here, so a rejection that nobody handles is reported as before.
 *
 * @param signal the signal that the application gave to the call.
 */
export function watchPromise(promise: StainlessPromise, watch: CallWatch, signal?: AbortSignal): void {
  const answer = awaitAnswer(watch);
  const derived = promise.responsePromise.then(onResponse(answer), onRejection(answer, signal));
  promise.responsePromise = derived;
  promise.parseResponse = watchedParse(promise.parseResponse, answer, signal);
  answers.set(derived, answer);
  // Whatever may still parse holds this function, and not always the promise.
  endWhenCollected(promise.parseResponse, answer);
  watchMethod(promise, 'asResponse', watchedAsResponse);
  watchMethod(promise, 'parseResponseTraced', watchedParseOfProps);
}

function awaitAnswer(watch: CallWatch): Answer {
  const answer: Answer = {
    watch,
    settled: false,
    parsing: false,
    unreachable: false,
    raw: undefined,
    abandoned() {
      answer.unreachable = true;
      if (answer.settled) watch.end('unread');
    },
  };
  return answer;
}

function onResponse(answer: Answer): (props: unknown) => unknown {
  return (props) => {
    answer.settled = true;
    if (isObject(props)) {
      answersByProps.set(props, answer);
      answer.watch.answered(props.response);
    }
    if (answer.raw) endIfRaw(answer);
    else if (answer.unreachable) answer.watch.end('unread');
    return props;
  };
}

function onRejection(answer: Answer, signal: AbortSignal | undefined): (thrown: unknown) => never {
  return (thrown) => {
    answer.settled = true;
    answer.raw = undefined;
    stopWaitingFor(answer);
    answer.watch.failed(thrown, signal);
    throw thrown;
  };
}

function watchedParse(original: Callable, answer: Answer, signal: AbortSignal | undefined): Callable {
  return function parseResponse(this: unknown, ...args: unknown[]): unknown {
    beginParse(answer);
    let parsed: unknown;
    try {
      parsed = Reflect.apply(original, this, args);
    } catch (thrown) {
      answer.watch.failed(thrown, signal);
      throw thrown;
    }
    return noteOutcome(parsed, answer, signal);
  };
}

function beginParse(answer: Answer): void {
  answer.parsing = true;
  stopWaitingFor(answer);
}

function noteOutcome(parsed: unknown, { watch }: Answer, signal?: AbortSignal): unknown {
  if (!isThenable(parsed)) return noteParsed(parsed, watch);
  return parsed.then(
    (value) => noteParsed(value, watch),
    (thrown: unknown) => {
      watch.failed(thrown, signal);
      throw thrown;
    },
  );
}

function noteParsed(value: unknown, watch: CallWatch): unknown {
  if (isStainlessStream(value)) guard('watching a stream', () => watchStream(value, watch));
  else watch.parsed(value);
  return value;
}

/** Replaces a method on the class of a promise, once: a property on each promise would show. */
function watchMethod(promise: object, name: string, watched: (original: Callable) => Callable): void {
  const owner = ownerOf(promise, name);
  const original = owner && Object.getOwnPropertyDescriptor(owner, name)?.value;
  if (!owner || owner === promise || !isCallable(original) || watchedMethods.has(original)) return;
  const replacement = watched(original);
  watchedMethods.add(replacement);
  replaceMethod(owner, name, original, replacement);
}

const watchedMethods = new WeakSet<Callable>();

/** `asResponse()` before any parse hands the body to the caller: the call is over for us with status and headers. */
function watchedAsResponse(original: Callable): Callable {
  return function asResponse(this: unknown, ...args: unknown[]): unknown {
    // First, so that the end is noted before the SDK ends its own span on the same occasion.
    guard('noting a raw response', () => noteRaw(this));
    return Reflect.apply(original, this, args);
  };
}

/** A parse of known props that did not come through the promise they were first seen in. */
function watchedParseOfProps(original: Callable): Callable {
  return function parse(this: unknown, ...args: unknown[]): unknown {
    const parsed = Reflect.apply(original, this, args);
    const [props] = args;
    const answer = isObject(props) ? answersByProps.get(props) : undefined;
    if (!answer || answer.parsing) return parsed;
    beginParse(answer);
    return noteOutcome(parsed, answer);
  };
}

function noteRaw(promise: unknown): void {
  if (!isObject(promise) || !hasProperties(promise.responsePromise)) return;
  const answer = answers.get(promise.responsePromise);
  // `withResponse()` parses first and asks for the raw response second.
  if (!answer || answer.parsing || promise.parsedPromise !== undefined) return;
  answer.raw = promise;
  if (answer.settled) endIfRaw(answer);
}

/** After the current turn of the microtask queue, when a parse asked for in the same breath can be seen. */
function endIfRaw(answer: Answer): void {
  queueMicrotask(() => {
    const { raw } = answer;
    answer.raw = undefined;
    if (raw && !answer.parsing && raw.parsedPromise === undefined) answer.watch.end('raw');
  });
}
