import { createHash } from 'node:crypto';

/** Numbers in [0, 1), the same ones for the same seed: the generator sfc32 (Doty-Humphrey, PractRand), from a digest. */
export function seededRandom(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest();
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [number, number, number, number];
  return () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `below` - 1. */
export const pickBelow = (random: () => number, below: number): number => Math.floor(random() * below);

/** The list in another order (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const left = [...list];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(pickBelow(random, left.length), 1));
  return drawn;
}
