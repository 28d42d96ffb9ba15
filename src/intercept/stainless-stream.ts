import { guard } from '../observe/guard.ts';
import { type Abandonable, endWhenCollected, stopWaitingFor } from './backstop.ts';
import type { CallWatch } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, isObject, isThenable } from './shapes.ts';

/**
 * The `Stream` class of the SDKs that Stainless generates. Its field `iterator` makes the one generator that reads the
 * response; `tee()`, `toReadableStream()` and `for await` all go through it.
 */
export interface StainlessStream {
  iterator: Callable;
  readonly controller: { readonly signal?: AbortSignal };
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

export function isStainlessStream(value: unknown): value is StainlessStream {
  return (
    isObject(value) &&
    isCallable(value[Symbol.asyncIterator]) &&
    isCallable(value.iterator) &&
    isObject(value.controller)
  );
}

/** How far one stream has been read. Refers to neither the stream nor its generator. */
interface Reading extends Abandonable {
  readonly watch: CallWatch;
  readonly signal: AbortSignal | undefined;
  iterated: boolean;
  /** Calls of `next` whose promise has not settled. */
  pending: number;
  read: boolean;
}

/**
 * Watches the application read `stream`: the same object, the same generator, nothing buffered, nothing read ahead.
 * Only the first generator is watched; a second one only throws the SDK's "consumed stream" error.
 */
export function watchStream(stream: StainlessStream, watch: CallWatch): void {
  const { signal } = stream.controller;
  const reading = startReading(watch, signal instanceof AbortSignal ? signal : undefined);
  stream.iterator = watchedIterator(stream.iterator, reading);
  endWhenCollected(stream, reading);
  if (reading.signal) listenForAbort(reading.signal, reading);
}

function startReading(watch: CallWatch, signal: AbortSignal | undefined): Reading {
  const reading: Reading = {
    watch,
    signal,
    iterated: false,
    pending: 0,
    read: false,
    abandoned: () => watch.end(reading.read ? 'aborted' : 'unread'),
  };
  return reading;
}

/**
 * The listener stands in a factory of its own: created beside the stream it would share that scope, and the signal
 * would keep the stream alive.
 *
 * While a `next` is pending its outcome tells more than the signal: the SDK aborts its own controller when a read fails.
 */
function listenForAbort(signal: AbortSignal, reading: Reading): void {
  const onAbort = (): void => {
    if (reading.pending === 0) reading.watch.end('aborted');
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
}

function watchedIterator(original: Callable, reading: Reading): Callable {
  return function iterator(this: unknown, ...args: unknown[]): unknown {
    const made = Reflect.apply(original, this, args);
    if (!reading.iterated && isObject(made)) {
      reading.iterated = true;
      guard('watching a stream', () => watchGenerator(made, reading));
    }
    return made;
  };
}

/** `next`, `return` and `throw` on the generator itself, so that it stays the object and the class that it was. */
function watchGenerator(generator: Record<PropertyKey, unknown>, reading: Reading): void {
  // Whoever iterates holds the generator and may let the stream go.
  stopWaitingFor(reading);
  endWhenCollected(generator, reading);
  const { next, return: close, throw: raise } = generator;
  if (isCallable(next)) replaceMethod(generator, 'next', next, watchedNext(next, reading));
  if (isCallable(close)) replaceMethod(generator, 'return', close, endingCall(close, reading));
  if (isCallable(raise)) replaceMethod(generator, 'throw', raise, endingCall(raise, reading));
}

function watchedNext(original: Callable, reading: Reading): Callable {
  return function next(this: unknown, ...args: unknown[]): unknown {
    reading.read = true;
    const result = Reflect.apply(original, this, args);
    if (!isThenable(result)) {
      readResult(result, reading);
      return result;
    }
    reading.pending += 1;
    return result.then(
      (settled) => {
        reading.pending -= 1;
        readResult(settled, reading);
        return settled;
      },
      (thrown: unknown) => {
        reading.pending -= 1;
        finish(reading, () => reading.watch.failed(thrown));
        throw thrown;
      },
    );
  };
}

function readResult(result: unknown, reading: Reading): void {
  if (!isObject(result)) return;
  if (result.done === true) {
    // An aborted stream ends quietly: the SDK swallows the AbortError.
    finish(reading, () => reading.watch.end(reading.signal?.aborted ? 'aborted' : 'completed'));
  } else {
    reading.watch.event(result.value);
  }
}

/** `return` is an early `break` or a throw inside the loop; `throw` is the same by hand. */
function endingCall(original: Callable, reading: Reading): Callable {
  return function end(this: unknown, ...args: unknown[]): unknown {
    finish(reading, () => reading.watch.end('aborted'));
    return Reflect.apply(original, this, args);
  };
}

function finish(reading: Reading, end: () => void): void {
  stopWaitingFor(reading);
  end();
}
