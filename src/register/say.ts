import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

type Loudness = 'info' | 'warn';

/** Levels of `OTEL_LOG_LEVEL` at which a line is not wanted. An unset or unknown level is `info`, as for the SDK. */
const SILENT: Readonly<Record<Loudness, ReadonlySet<string>>> = {
  info: new Set(['none', 'error', 'warn']),
  warn: new Set(['none', 'error']),
};

/**
 * One line on stderr: what `register` has to tell the person who starts the process, who in most cases has set no `diag`
 * logger. Written past `process.stderr`, so that it also arrives while the process ends. Worker threads are silent: they
 * would repeat what the main thread has said.
 */
export function say(loudness: Loudness, sentence: string): void {
  if (!isMainThread) return;
  if (SILENT[loudness].has(process.env.OTEL_LOG_LEVEL?.trim().toLowerCase() ?? '')) return;
  try {
    writeSync(2, `reasoning-otel: ${sentence}\n`);
  } catch {
    // stderr is closed, or full: there is nobody to tell.
  }
}

const said = new Set<string>();

/** The same, once a process for each `key`. */
export function sayOnce(loudness: Loudness, key: string, sentence: string): void {
  if (said.has(key)) return;
  said.add(key);
  say(loudness, sentence);
}
