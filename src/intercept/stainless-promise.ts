import { guard } from '../observe/guard.ts';
import { type Abandonable, endWhenCollected, stopWaitingFor } from './backstop.ts';
import type { CallWatch } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { replaceOnce } from './replace-once.ts';
import { type Callable, hasProperties, isCallable, isObject, isThenable } from './shapes.ts';
import { isStainlessStream, watchStream } from './stainless-stream.ts';

/**
 * The `APIPromise` class of the SDKs that Stainless generates: `responsePromise` settles with the HTTP response, and
 * `then`, `catch`, `finally` and `withResponse` run `parseResponse` on it once, when first called. `_thenUnwrap` copies
 * both fields into a new promise; that of openai 7 is made for each promise, and passes both fields by.
 */
interface StainlessPromise {
  responsePromise: PromiseLike<unknown>;
  parseResponse: Callable;
}

export function isStainlessPromise(value: unknown): value is StainlessPromise {
  return isObject(value) && isThenable(value.responsePromise) && isCallable(value.parseResponse);
}

/** Where one call stands. Refers to a promise only between `asResponse()` and the response. */
interface Answer extends Abandonable {
  readonly watch: CallWatch;
  /** The signal that the application gave to the call. */
  readonly signal: AbortSignal | undefined;
  /** What may still parse and has not been collected. */
  parsers: number;
  settled: boolean;
  parsing: boolean;
  unreachable: boolean;
  raw: Record<PropertyKey, unknown> | undefined;
}

/** The response of a call as the SDK promised it, and as watched. All promises of one call share both. */
interface Settling {
  readonly bare: PromiseLike<unknown>;
  readonly watched: PromiseLike<unknown>;
}

/** By the watched `responsePromise`, which a promise shares with its copies. */
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
  const answer = awaitAnswer(watch, signal);
  const bare = promise.responsePromise;
  const watched = bare.then(onResponse(answer), onRejection(answer));
  answers.set(watched, answer);
  watchParse(promise, answer, noteParsed);
  // Whatever may still parse holds this function, and not always the promise.
  waitFor(answer, promise.parseResponse);
  adopt(promise, { bare, watched }, answer, (transform) => watchedTransform(transform, answer));
  // On the class: a property on each promise would show.
  replaceOnce(promise, 'asResponse', watchedAsResponse);
  replaceOnce(promise, 'parseResponseTraced', watchedParseOfProps);
}

/**
 * Takes a promise of a call in. Where it has a `_thenUnwrap` of its own, so will be the promises made by that; for all of
 * them there is one watched response, since each consumes it or none does.
 */
function adopt(
  promise: StainlessPromise,
  settling: Settling,
  answer: Answer,
  transformOf: (transform: Callable) => Callable,
): void {
  promise.responsePromise = settling.watched;
  const unwrap = Object.getOwnPropertyDescriptor(promise, '_thenUnwrap')?.value;
  if (!isCallable(unwrap)) return;
  const watched: Callable = function _thenUnwrap(this: unknown, ...args: unknown[]): unknown {
    const [transform, ...rest] = args;
    const made = Reflect.apply(unwrap, this, [isCallable(transform) ? transformOf(transform) : transform, ...rest]);
    if (isStainlessPromise(made) && made.responsePromise === settling.bare) {
      guard('watching a promise', () => {
        // The value has been seen when it comes to be transformed; this one is asked for failures only.
        watchParse(made, answer, (value) => value);
        adopt(made, settling, answer, (again) => again);
      });
    }
    return made;
  };
  replaceMethod(promise, '_thenUnwrap', unwrap, watched);
}

/** The parsed value as every promise made by `_thenUnwrap` comes across it, before the SDK makes another of it. */
function watchedTransform(original: Callable, answer: Answer): Callable {
  const transform: Callable = function transform(this: unknown, ...args: unknown[]): unknown {
    noteParsed(args[0], answer.watch);
    return Reflect.apply(original, this, args);
  };
  waitFor(answer, transform);
  return transform;
}

function awaitAnswer(watch: CallWatch, signal: AbortSignal | undefined): Answer {
  const answer: Answer = {
    watch,
    signal,
    parsers: 0,
    settled: false,
    parsing: false,
    unreachable: false,
    raw: undefined,
    abandoned() {
      answer.parsers -= 1;
      if (answer.parsers > 0) return;
      answer.unreachable = true;
      if (answer.settled) watch.end('unread');
    },
  };
  return answer;
}

function waitFor(answer: Answer, parser: Callable): void {
  answer.parsers += 1;
  endWhenCollected(parser, answer);
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

function onRejection(answer: Answer): (thrown: unknown) => never {
  return (thrown) => {
    answer.settled = true;
    answer.raw = undefined;
    stopWaitingFor(answer);
    answer.watch.failed(thrown, answer.signal);
    throw thrown;
  };
}

type Note = (value: unknown, watch: CallWatch) => unknown;

function watchParse(promise: StainlessPromise, answer: Answer, note: Note): void {
  const original = promise.parseResponse;
  const watched: Callable = function parseResponse(this: unknown, ...args: unknown[]): unknown {
    beginParse(answer);
    let parsed: unknown;
    try {
      parsed = Reflect.apply(original, this, args);
    } catch (thrown) {
      answer.watch.failed(thrown, answer.signal);
      throw thrown;
    }
    return noteOutcome(parsed, answer, note);
  };
  replaceMethod(promise, 'parseResponse', original, watched);
}

function beginParse(answer: Answer): void {
  answer.parsing = true;
  stopWaitingFor(answer);
}

function noteOutcome(parsed: unknown, { watch, signal }: Answer, note: Note): unknown {
  if (!isThenable(parsed)) return note(parsed, watch);
  return parsed.then(
    (value) => note(value, watch),
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
    return noteOutcome(parsed, answer, noteParsed);
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
