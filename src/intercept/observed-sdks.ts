const observed = new Set<string>();

/** Notes that a call of this package has come through a patched method that somebody watches. */
export function noteObserved(sdk: string): void {
  observed.add(sdk);
}

/** Whether any call of this package has been observed, whoever patched it: a hook, or `instrumentClient`. */
export function isObserved(sdk: string): boolean {
  return observed.has(sdk);
}
