import type { Subscriber } from '../context.ts';
import type { SeenCall } from '../observe/seen-call.ts';

/** One method of one class of an SDK, as `patchResource` needs it described. Holds no class: copies and majors differ. */
export interface Target {
  /** For messages of ours: `Messages`, `beta Messages`. */
  readonly label: string;
  /** The package that the class belongs to. */
  readonly sdk: string;
  readonly method: string;
  /** Where the class inherits the method: the prototype of that class, for one of its objects. */
  readonly inheritor?: (resource: object) => object | undefined;
  /** Runs a call, exactly once, and sees it; absent for calls that are only noted. Returns what `call` returns. */
  readonly around?: (patched: PatchedCall, call: () => unknown) => unknown;
}

/** A class to patch, and what to patch on it. */
export type Found = readonly [resource: unknown, target: Target];

/** One call of a patched method, of a client that somebody observes. */
export interface PatchedCall {
  readonly target: Target;
  /** `this` of the method. */
  readonly resource: Record<PropertyKey, unknown>;
  readonly client: Record<PropertyKey, unknown>;
  readonly args: readonly unknown[];
  readonly subscriber: Subscriber;
  readonly sdkVersion: string | undefined;
}

/** A call, before it is known who watches it. */
export interface Sighting extends Omit<SeenCall, 'manual' | 'sdk'> {
  readonly sdkVersion?: string;
  /** The application's own abort signal. */
  readonly signal?: AbortSignal;
}
