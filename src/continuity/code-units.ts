/** Code units that are read at once. */
const SIZE = 32_768;
/** Below this, asking the string for each unit is cheaper than the call that copies them. */
export const LONG = 256;

const bytes = Buffer.allocUnsafeSlow(SIZE * 2);

/**
 * UTF-16 code units of a piece of a long text, in one memory that is used again and again: a third of the cost of
 * `charCodeAt`, which has to find out for each unit how its string is stored. To be wiped after use.
 */
export const units = new Uint16Array(bytes.buffer, bytes.byteOffset, SIZE);
/** The same, two units in each. */
export const unitPairs = new Int32Array(bytes.buffer, bytes.byteOffset, SIZE / 2);

/** Puts the units from `from` on into {@link units}. @returns how many; even, unless it is the last piece */
export function loadUnits(text: string, from: number): number {
  const piece = text.length <= SIZE ? text : text.slice(from, from + SIZE);
  bytes.write(piece, 'utf16le');
  return piece.length;
}

/** No text stays behind. */
export function wipeUnits(text: string): void {
  bytes.fill(0, 0, Math.min(text.length, SIZE) * 2);
}
