import type { CallObserver, ObserveCall } from '../../../../src/observe/seen-call.ts';

/** Two observers of one call: the first to record it, the second to judge it. */
export function both(first: ObserveCall, second: ObserveCall): ObserveCall {
  return (seen) => {
    const observers = [second(seen), first(seen)].filter((one): one is CallObserver => one !== undefined);
    const [outer, inner] = observers;
    if (!outer || !inner) return outer;
    return {
      run: (fn) => outer.run(() => inner.run(fn)),
      headers: (...args) => observers.forEach((one) => void one.headers(...args)),
      event: (...args) => observers.forEach((one) => void one.event(...args)),
      response: (...args) => observers.forEach((one) => void one.response(...args)),
      error: (...args) => observers.forEach((one) => void one.error(...args)),
      end: (...args) => observers.forEach((one) => void one.end(...args)),
    };
  };
}
