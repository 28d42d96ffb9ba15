import { guard } from '../observe/guard.ts';
import type { CallWatch } from './call-watch.ts';
import { isPlatformClass } from './platform-class.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import { type StreamReading, startReading, watchGenerator } from './stream-reading.ts';

/**
 * Watches the application read an event stream of Smithy: the same object, and the same generators that it makes.
 * Nothing is read ahead. Where it is no such stream (a middleware of the application's answers itself), the
 * call is over with its headers.
 */
export function watchEventStream(stream: unknown, watch: CallWatch, signal: AbortSignal | undefined): void {
  const owner = isObject(stream) ? ownerOf(stream, Symbol.asyncIterator) : undefined;
  const original = owner && Object.getOwnPropertyDescriptor(owner, Symbol.asyncIterator)?.value;
  if (!isObject(stream) || !owner || !isCallable(original) || isPlatformClass(owner)) {
    watch.end('raw');
    return;
  }
  readings.set(stream, startReading(stream, watch, signal, true));
  if (watched.has(original)) return;
  // On its class where it has one: a property of its own would show.
  const replacement = watchedIterator(original);
  watched.add(replacement);
  replaceMethod(owner, Symbol.asyncIterator, original, replacement);
}

const readings = new WeakMap<object, StreamReading>();
const watched = new WeakSet<Callable>();

/** Only the first generator is watched: what a second one reads is the rest of the same body. */
function watchedIterator(original: Callable): Callable {
  return function iterator(this: unknown, ...args: unknown[]): unknown {
    const made = Reflect.apply(original, this, args);
    const reading = isObject(this) ? readings.get(this) : undefined;
    if (reading && !reading.iterated && isObject(made)) {
      reading.iterated = true;
      guard('watching a stream', () => watchGenerator(made, reading));
    }
    return made;
  };
}
