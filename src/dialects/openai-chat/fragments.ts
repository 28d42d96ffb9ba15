/** Shorter than this, the next piece may begin like the one before by chance. */
const TELLING = 8;

/**
 * Puts together what a stream brought of one string. Most hosts send what is new; some send all there is so far
 * (platform.minimax.io leaves that open for `reasoning_details`), or repeat the whole at the end.
 */
export function joinFragments(received: readonly string[]): string {
  const parts = received.filter((part) => part !== '');
  const last = parts.at(-1);
  if (parts.length < 2 || last === undefined) return last ?? '';
  if (isCumulative(parts)) return last;
  const before = parts.slice(0, -1).join('');
  return before.length >= TELLING && last === before ? before : before + last;
}

function isCumulative(parts: readonly string[]): boolean {
  if ((parts[0] ?? '').length < TELLING && parts.length < 3) return false;
  let strict = false;
  for (let i = 1; i < parts.length; i++) {
    const one = parts[i] ?? '';
    const before = parts[i - 1] ?? '';
    if (!one.startsWith(before)) return false;
    if (one.length > before.length) strict = true;
  }
  return strict;
}
