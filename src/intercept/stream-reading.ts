import { type Abandonable, endWhenCollected, stopWaitingFor } from './backstop.ts';
import type { CallWatch } from './call-watch.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, isObject, isThenable } from './shapes.ts';

/** How far one stream has been read. Refers to neither the stream nor its generator. */
export interface StreamReading extends Abandonable {
  readonly watch: CallWatch;
  /** Of the stream: it is cut off when this is aborted. */
  readonly signal: AbortSignal | undefined;
  /** Where `signal` is the application's own: a read that fails behind its abort is the application's doing. */
  readonly isOwnSignal: boolean;
  iterated: boolean;
  /** Calls of `next` whose promise has not settled. */
  pending: number;
  read: boolean;
}

/** Begins to watch a stream before anybody reads it: whichever comes first of read, abort and garbage collection. */
export function startReading(
  stream: object,
  watch: CallWatch,
  signal: AbortSignal | undefined,
  isOwnSignal = false,
): StreamReading {
  const reading = makeReading(watch, signal, isOwnSignal);
  endWhenCollected(stream, reading);
  if (signal) listenForAbort(signal, reading);
  return reading;
}

/** In a factory of its own: what is registered must not share a scope with the stream. */
function makeReading(watch: CallWatch, signal: AbortSignal | undefined, isOwnSignal: boolean): StreamReading {
  const reading: StreamReading = {
    watch,
    signal,
    isOwnSignal,
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
function listenForAbort(signal: AbortSignal, reading: StreamReading): void {
  const onAbort = (): void => {
    if (reading.pending === 0) reading.watch.end('aborted');
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
}

/** `next`, `return` and `throw` on the generator itself, so that it stays the object and the class that it was. */
export function watchGenerator(generator: Record<PropertyKey, unknown>, reading: StreamReading): void {
  // Whoever iterates holds the generator and may let the stream go.
  stopWaitingFor(reading);
  endWhenCollected(generator, reading);
  const { next, return: close, throw: raise } = generator;
  if (isCallable(next)) replaceMethod(generator, 'next', next, watchedNext(next, reading));
  if (isCallable(close)) replaceMethod(generator, 'return', close, endingCall(close, reading));
  if (isCallable(raise)) replaceMethod(generator, 'throw', raise, endingCall(raise, reading));
}

function watchedNext(original: Callable, reading: StreamReading): Callable {
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
        const signal = reading.isOwnSignal ? reading.signal : undefined;
        finish(reading, () => reading.watch.failed(thrown, signal));
        throw thrown;
      },
    );
  };
}

function readResult(result: unknown, reading: StreamReading): void {
  if (!isObject(result)) return;
  if (result.done === true) {
    // An aborted stream ends quietly: the SDK swallows the AbortError.
    finish(reading, () => reading.watch.end(reading.signal?.aborted ? 'aborted' : 'completed'));
  } else {
    reading.watch.event(result.value);
  }
}

/** `return` is an early `break` or a throw inside the loop; `throw` is the same by hand. */
function endingCall(original: Callable, reading: StreamReading): Callable {
  return function end(this: unknown, ...args: unknown[]): unknown {
    finish(reading, () => reading.watch.end('aborted'));
    return Reflect.apply(original, this, args);
  };
}

function finish(reading: StreamReading, end: () => void): void {
  stopWaitingFor(reading);
  end();
}
