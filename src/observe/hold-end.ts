import type { Span, TimeInput } from '@opentelemetry/api';
import { guarded } from './guard.ts';

// As they were when this module was loaded: a test suite of the application may put fake timers in their place.
const later = setImmediate;

/** A hold on the end of a span that somebody else made. */
export interface Hold {
  /** Writes, takes the hold away and, where the owner has already asked for it, ends the span. Once; then does nothing. */
  release(): void;
}

/**
 * Sees to it that `write` runs before a borrowed span ends, whenever its owner ends it. When a request is refused, the
 * SDK ends its span before the rejection reaches any handler of ours, which follows microtasks later: so an `end` that
 * comes first is kept back until `release`, at the latest until the next turn of the event loop.
 *
 * The wrapper stands on this one span, is used once, and is gone after that. Nothing here refers to the call's promise
 * or stream, which the span may outlive.
 */
export function holdEnd(span: Span, write: () => void): Hold {
  const own = Object.getOwnPropertyDescriptor(span, 'end');
  const original = span.end;
  const writeSafely = guarded('writing to a borrowed span', write);
  let asked: [TimeInput?] | undefined;
  let released = false;

  const restore = guarded('taking the hold off a span', () => {
    // Somebody wrapped it again after us: theirs still calls ours, which from now on only hands on.
    if (span.end !== wrapper) return;
    if (own === undefined) Reflect.deleteProperty(span, 'end');
    else Object.defineProperty(span, 'end', own);
  });

  function release(): void {
    if (released) return;
    released = true;
    writeSafely();
    restore();
    if (asked !== undefined) original.apply(span, asked);
  }

  function wrapper(this: Span, ...args: [TimeInput?]): void {
    if (released) original.apply(this, args);
    else if (asked === undefined) {
      asked = args;
      later(guarded('ending a borrowed span', release));
    }
  }

  Object.defineProperty(span, 'end', { value: wrapper, configurable: true, writable: true, enumerable: false });
  return { release: guarded('ending a borrowed span', release) };
}
