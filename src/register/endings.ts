import { isMainThread } from 'node:worker_threads';
import { postParcels } from './post-parcels.ts';
import { decidesAlone } from './signal-listeners.ts';
import type { StartedSdk } from './start-sdk.ts';

/** The ways in which an outsider asks a process to end. Windows knows only the first. */
const SIGNALS: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** For how long a signal may be held up. */
const SIGNAL_PATIENCE_MS = 2000;

/**
 * Sends what is unsent when the process ends, and lets it end the way it would have ended.
 *
 * `beforeExit` comes when nothing is left to do; what is started there is waited for, and it comes again. A signal
 * without a listener would have ended the process at once, so after the flush it is raised again. On `exit` nothing can be
 * waited for any more: a child process posts.
 */
export function watchEndings(sdk: StartedSdk, childAtExit: boolean): void {
  let { rounds } = sdk;
  process.on('beforeExit', () => {
    // What an application that goes on and on has after its last round is left to the `exit` handler.
    rounds -= 1;
    if (rounds >= 0) void sdk.flush();
  });
  if (childAtExit) process.on('exit', () => postParcels(sdk.leftovers()));
  // Signals never reach a worker thread.
  if (isMainThread) for (const signal of SIGNALS) watchSignal(signal, sdk);
}

function watchSignal(signal: NodeJS.Signals, sdk: StartedSdk): void {
  let raising = false;
  const raise = (): void => {
    process.off(signal, listener);
    process.kill(process.pid, signal);
  };
  const listener = (): void => {
    const flushed = sdk.flush();
    if (!decidesAlone(signal)) return;
    // A second one is impatience.
    if (raising) {
      raise();
      return;
    }
    raising = true;
    const patience = setTimeout(raise, SIGNAL_PATIENCE_MS);
    void flushed.then(() => {
      clearTimeout(patience);
      raise();
    });
  };
  process.on(signal, listener);
}
