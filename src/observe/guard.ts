import { diag } from '@opentelemetry/api';

const failures = new Map<string, number>();

/**
 * Name and place of an error, without its message: a message can quote what was being read ("Unexpected token … in
 * JSON", a provider's refusal that repeats the prompt).
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return `${error.name}${frame === undefined ? '' : ` ${frame.trim()}`}`;
}

function report(site: string, error: unknown): void {
  const count = (failures.get(site) ?? 0) + 1;
  failures.set(site, count);
  if (count > 1) return;
  try {
    diag.warn(`reasoning-otel: ${site} failed and was skipped, the call is not affected: ${describe(error)}`);
  } catch {
    // The application's own logger threw; there is nobody left to tell.
  }
}

/**
 * Wraps a function of ours so that it never throws into the application. All code of ours that runs during a call
 * runs inside one. A failure is reported through `diag` once for each `site`, and counted.
 * @param site where it is, for the report: a fixed text, never one made from data
 */
export function guarded<A extends unknown[], T>(site: string, fn: (...args: A) => T): (...args: A) => T | undefined {
  return (...args) => {
    try {
      return fn(...args);
    } catch (error) {
      report(site, error);
      return undefined;
    }
  };
}

/** Runs `fn` at once, guarded; undefined where it failed. */
export const guard = <T>(site: string, fn: () => T): T | undefined => guarded(site, fn)();

/** How often each site has failed in this process. */
export const guardFailures = (): ReadonlyMap<string, number> => failures;
