import { apiCopies } from './api-copies.ts';

/** The parts of the OpenTelemetry API for which one thing is registered for the process. */
export type ApiPart = 'trace' | 'metrics' | 'context' | 'propagation' | 'diag';

/** How each is registered. */
const SETTERS: Readonly<Record<ApiPart, string>> = {
  trace: 'setGlobalTracerProvider',
  metrics: 'setGlobalMeterProvider',
  context: 'setGlobalContextManager',
  propagation: 'setGlobalPropagator',
  diag: 'setLogger',
};

/** Where every copy and every 1.x version of the API keeps what is registered. */
const GLOBALS = Symbol.for('opentelemetry.js.api.1');

function globals(): object | undefined {
  const found: unknown = Reflect.get(globalThis, GLOBALS);
  return typeof found === 'object' && found !== null ? found : undefined;
}

export function isRegistered(part: ApiPart): boolean {
  const held = globals();
  return held !== undefined && Reflect.get(held, part) !== undefined;
}

/**
 * Gives way to whoever registers this part next: `yielded` is called with what they register, then the registration that
 * stands is taken back, then theirs goes through. Once.
 *
 * Taken back by hand: `disable()` of the API would also put another proxy in the place of the one that the tracers handed
 * out so far belong to, and they would never hear of the new provider.
 */
export function yieldRegistration(part: ApiPart, yielded: (given: unknown) => void): void {
  const undo: (() => void)[] = [];
  for (const copy of apiCopies()) {
    undo.push(
      beforeNextCall(copy[part], SETTERS[part], (given) => {
        for (const each of undo) each();
        yielded(given);
        const held = globals();
        if (held) Reflect.deleteProperty(held, part);
      }),
    );
  }
}

/** @returns a function that puts the method back */
function beforeNextCall(api: object, name: string, fn: (first: unknown) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(api, name);
  const original: unknown = Reflect.get(api, name);
  if (typeof original !== 'function') return () => undefined;
  const restore = (): void => {
    if (own) Object.defineProperty(api, name, own);
    else Reflect.deleteProperty(api, name);
  };
  const replacement = (...args: unknown[]): unknown => {
    fn(args[0]);
    return Reflect.apply(original, api, args);
  };
  Object.defineProperty(api, name, { configurable: true, writable: true, value: replacement });
  return restore;
}
