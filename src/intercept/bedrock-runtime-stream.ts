import type { CallWatch } from './call-watch.ts';
import { createFirstIterators } from './first-iterator.ts';
import { isPlatformClass } from './platform-class.ts';
import { replaceMethod } from './replace-method.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import { startReading } from './stream-reading.ts';

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
  iterators.expect(stream, startReading(stream, watch, signal, true));
  if (watched.has(original)) return;
  // On its class where it has one: a property of its own would show.
  const replacement = iterators.replacementOf(original);
  watched.add(replacement);
  replaceMethod(owner, Symbol.asyncIterator, original, replacement);
}

const iterators = createFirstIterators();
const watched = new WeakSet<Callable>();
