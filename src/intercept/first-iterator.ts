import { guard } from '../observe/guard.ts';
import type { Callable } from './shapes.ts';
import { isObject } from './shapes.ts';
import { type StreamReading, watchGenerator } from './stream-reading.ts';

/** Readings of streams by the stream, for `Symbol.asyncIterator` of a class that many of them share. */
export interface FirstIterators {
  expect(stream: object, reading: StreamReading): void;
  /** What stands in the place of the class's method. Only the first iterator is watched: a second one reads the rest. */
  replacementOf(original: Callable): Callable;
}

export function createFirstIterators(): FirstIterators {
  const readings = new WeakMap<object, StreamReading>();
  return {
    expect: (stream, reading) => void readings.set(stream, reading),
    replacementOf: (original) =>
      function iterator(this: unknown, ...args: unknown[]): unknown {
        const made = Reflect.apply(original, this, args);
        const reading = isObject(this) ? readings.get(this) : undefined;
        if (reading && !reading.iterated && isObject(made)) {
          reading.iterated = true;
          guard('watching a stream', () => watchGenerator(made, reading));
        }
        return made;
      },
  };
}
