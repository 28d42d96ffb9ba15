import { guard } from '../observe/guard.ts';
import type { CallObserver } from '../observe/seen-call.ts';
import type { CallWatch } from './call-watch.ts';
import { runOnce } from './seat.ts';
import { isThenable } from './shapes.ts';

/** A call that is observed, and how its end is told. */
export interface ObservedCall {
  readonly observer: CallObserver;
  readonly watch: CallWatch;
}

/**
 * Runs a method whose promise is a native one, of which nothing can be seen without a reaction to it. The caller gets the
 * promise behind ours, in the place of the other: an outcome that it does not handle is nobody's, as before.
 * @param note is told the value; ends the call, or has something else end it.
 */
export function observePromise({ observer, watch }: ObservedCall, call: () => unknown, note: (value: unknown) => void) {
  let result: unknown;
  try {
    result = runOnce(observer, call);
  } catch (thrown) {
    watch.failed(thrown);
    throw thrown;
  }
  return settled(result, watch, note);
}

/** The same of a promise that is there already. */
export function settled(result: unknown, watch: CallWatch, note: (value: unknown) => void): unknown {
  if (!isThenable(result)) {
    watch.end('raw');
    return result;
  }
  return result.then(
    (value) => {
      guard('reading an answer', () => note(value));
      return value;
    },
    (thrown: unknown) => {
      watch.failed(thrown);
      throw thrown;
    },
  );
}
