/** Of the package signal-exit, which is inside many others: where each major keeps how many listeners it has of each signal. */
const SIGNAL_EXIT_HOLDERS: readonly (readonly [holder: object, key: PropertyKey])[] = [
  [globalThis, Symbol.for('signal-exit emitter')],
  [process, '__signal_exit_emitter__'],
];

/**
 * Whether the process would have ended by this signal, had ours not been listening: nobody else listens, or only
 * signal-exit, which leaves the decision to others as long as there are others.
 */
export function decidesAlone(signal: NodeJS.Signals): boolean {
  return process.listenerCount(signal) - 1 <= signalExitListeners();
}

function signalExitListeners(): number {
  return SIGNAL_EXIT_HOLDERS.reduce((sum, [holder, key]) => {
    const emitter: unknown = Reflect.get(holder, key);
    const isEmitter = typeof emitter === 'object' && emitter !== null && 'count' in emitter;
    return sum + (isEmitter && typeof emitter.count === 'number' ? emitter.count : 0);
  }, 0);
}
