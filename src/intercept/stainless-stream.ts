import { guard } from '../observe/guard.ts';
import type { CallWatch } from './call-watch.ts';
import { type Callable, isCallable, isObject } from './shapes.ts';
import { type StreamReading, startReading, watchGenerator } from './stream-reading.ts';

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

/**
 * Watches the application read `stream`: the same object, the same generator, nothing buffered, nothing read ahead.
 * Only the first generator is watched; a second one only throws the SDK's "consumed stream" error.
 */
export function watchStream(stream: StainlessStream, watch: CallWatch): void {
  const { signal } = stream.controller;
  const reading = startReading(stream, watch, signal instanceof AbortSignal ? signal : undefined);
  stream.iterator = watchedIterator(stream.iterator, reading);
}

function watchedIterator(original: Callable, reading: StreamReading): Callable {
  return function iterator(this: unknown, ...args: unknown[]): unknown {
    const made = Reflect.apply(original, this, args);
    if (!reading.iterated && isObject(made)) {
      reading.iterated = true;
      guard('watching a stream', () => watchGenerator(made, reading));
    }
    return made;
  };
}
