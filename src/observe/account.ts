import { createHmac } from 'node:crypto';

/**
 * A keyed digest that stands for the account behind a credential. Two calls with one key have one digest; the
 * credential cannot be had back from it, nor compared across processes unless they share `key`.
 * @returns 16 hexadecimal digits
 */
export const accountDigest = (credential: string, key: Uint8Array | string): string =>
  createHmac('sha256', key).update(credential).digest('hex').slice(0, 16);
