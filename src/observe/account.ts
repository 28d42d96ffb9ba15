import * as crypto from 'node:crypto';

/** In one go where the runtime can (Node 20.12), at a third of the cost of an object for each digest. */
const sha256: (data: Uint8Array) => string =
  typeof crypto.hash === 'function'
    ? (data) => crypto.hash('sha256', data)
    : (data) => crypto.createHash('sha256').update(data).digest('hex');

/**
 * A keyed digest that stands for the account behind a credential. Two calls with one key have one digest; the
 * credential cannot be had back from it, nor compared across processes unless they share `key`.
 *
 * SHA-256 over key and credential. Cut to a quarter, it gives nothing away that could be extended, so HMAC, at ten
 * times the cost a call, would add nothing.
 * @returns 16 hexadecimal digits
 */
export const accountDigest = (credential: string, key: Uint8Array | string): string =>
  sha256(Buffer.concat([Buffer.from(key), Buffer.from(`\0${credential}`)])).slice(0, 16);
