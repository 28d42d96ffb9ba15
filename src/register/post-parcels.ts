import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Parcel } from './parcel.ts';
import { sayOnce } from './say.ts';
import { nobodyListens, refused } from './watch-exporter.ts';

/** For how long the end of a process may be held up. */
const PATIENCE_MS = 1000;

/** What to say, by the exit code of the child. */
const SENTENCES: Readonly<Record<number, (where: string) => string>> = { 1: nobodyListens, 2: refused };

/** Beside this file, in the package and among the sources. */
const CHILD = fileURLToPath(
  new URL(`./post-at-exit.${import.meta.url.endsWith('.ts') ? 'ts' : 'cjs'}`, import.meta.url),
);

/**
 * Posts from a child process, and waits for it: the only way to send anything from an `exit` handler. Never throws, and
 * changes neither exit code nor output.
 */
export function postParcels(parcels: readonly Parcel[]): void {
  const [first] = parcels;
  if (!first || !isNodeItself()) return;
  const { NODE_OPTIONS: _preloads, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  try {
    const { status } = spawnSync(process.execPath, [CHILD], {
      input: JSON.stringify(parcels),
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    const sentence = SENTENCES[status ?? 0];
    if (sentence) sayOnce('warn', 'undelivered', sentence(new URL(first.url).origin));
  } catch {
    // No child is allowed here (the permission model), or none can be had: what is unsent is lost.
  }
}

/** An executable that holds its own program (a single-file build, Electron) would start that again. */
function isNodeItself(): boolean {
  return /^node(?:js)?(?:\.exe)?$/i.test(basename(process.execPath)) && process.versions.electron === undefined;
}
