import { createHmac } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A reproducible source: the same seed and label always give the same values, whatever else ran before. */
export interface Seeded {
  /** The next number in [0, 1). */
  number(): number;
  /** The next element of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T;
  /** The next id, such as `msg_01Ab…`: prefix and `length` characters of base 62. */
  id(prefix: string, length?: number): string;
  bytes(length: number): Buffer;
}

/**
 * Values come from HMAC-SHA256 over (seed, label, counter), not from one running generator: two conversations that
 * interleave differently in two runs still get the same ids.
 */
export function seeded(seed: string, label: string): Seeded {
  let counter = 0;
  let pool = Buffer.alloc(0);
  const bytes = (length: number): Buffer => {
    while (pool.length < length) {
      const block = createHmac('sha256', seed).update(`${label}\n${counter++}`).digest();
      pool = Buffer.concat([pool, block]);
    }
    const taken = pool.subarray(0, length);
    pool = pool.subarray(length);
    return taken;
  };
  const number = (): number => bytes(4).readUInt32BE(0) / 2 ** 32;
  return {
    bytes,
    number,
    pick: (list) => list[Math.floor(number() * list.length)] ?? list[0],
    id(prefix, length = 22) {
      let id = prefix;
      for (const byte of bytes(length)) id += BASE62[byte % BASE62.length];
      return id;
    },
  };
}
