import type { Parcel } from './parcel.ts';

/** The way of one signal out of the process. */
export interface Pipeline {
  /** In words, for the line at the start; undefined where it leads nowhere. */
  readonly destination: string | undefined;
  /** Nobody listened the last time: it is no use to start anything for what is left. */
  readonly isDown: boolean;
  /** Sends what is unsent. Resolves when that is done, or given up; never rejects. */
  flush(): Promise<void>;
  /** What is unsent now, unconfirmed exports included. Does not wait. */
  leftover(): Parcel | undefined;
  /** The process is about to end, or goes on after all. */
  hurry(ending: boolean): void;
}

/** The exporters that a variable names; `otlp` where it is unset, none where it says `none`. */
export function exporterNames(variable: string): readonly string[] {
  const names = (process.env[variable] ?? '').split(',').map((name) => name.trim());
  const given = [...new Set(names.filter((name) => name !== ''))];
  if (given.includes('none')) return [];
  return given.length > 0 ? given : ['otlp'];
}

/** A variable that holds a positive number; anything else counts as unset, as for the SDK. */
export function positiveNumber(variable: string): number | undefined {
  const number = Number(process.env[variable]?.trim() || Number.NaN);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

/** Runs what may fail or reject, for its effect alone. */
export async function attempt(fn: () => unknown): Promise<void> {
  try {
    await fn();
  } catch {
    // The exporter has told its fault where it knows more of it.
  }
}
