import type { SeenCall } from '../observe/seen-call.ts';

/** One resource class of an SDK, as `patchResource` needs it described. Holds no class: copies and majors differ. */
export interface Target {
  /** For messages of ours: `Messages`, `beta Messages`. */
  readonly label: string;
  /** The package that the class belongs to. */
  readonly sdk: string;
  readonly method: string;
  /** Whether a request that the method hands on is the call itself. */
  handsOn(path: string): boolean;
  /** Reads the call off the arguments of the hand-over; absent for calls that are only noted. */
  readonly see?: (client: Record<PropertyKey, unknown>, options: Record<PropertyKey, unknown>) => Sighting;
}

/** A call, before it is known who watches it. */
export interface Sighting extends Omit<SeenCall, 'manual' | 'sdk'> {
  readonly sdkVersion?: string;
  /** The application's own abort signal. */
  readonly signal?: AbortSignal;
}
