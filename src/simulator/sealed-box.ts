import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/** What a seal is made of, before a provider's framing is put around it. */
export interface Sealed {
  /** 16 bytes. Both checksum and nonce. */
  readonly tag: Buffer;
  readonly body: Buffer;
}

export interface SealedBox {
  close(content: unknown): Sealed;
  /** The content, or undefined for bytes that this seed never closed, or that were altered. */
  open(sealed: Sealed): unknown;
}

/**
 * Deterministic authenticated encryption (the tag is the nonce): the same content always seals to the same bytes, any
 * altered bit is noticed, and nothing of the content shows. Boxes of different purposes cannot open one another's.
 */
export function createSealedBox(seed: string, purpose: string): SealedBox {
  const encryptionKey = createHmac('sha256', seed).update(`${purpose} encryption`).digest();
  const tagOf = (plain: Buffer): Buffer =>
    createHmac('sha256', seed).update(`${purpose} tag`).update(plain).digest().subarray(0, 16);
  return {
    close(content) {
      const plain = Buffer.from(JSON.stringify(content));
      const tag = tagOf(plain);
      const cipher = createCipheriv('aes-256-ctr', encryptionKey, tag);
      return { tag, body: Buffer.concat([cipher.update(plain), cipher.final()]) };
    },
    open({ tag, body }) {
      if (tag.length !== 16) return undefined;
      const decipher = createDecipheriv('aes-256-ctr', encryptionKey, tag);
      const plain = Buffer.concat([decipher.update(body), decipher.final()]);
      if (!timingSafeEqual(tagOf(plain), tag)) return undefined;
      return JSON.parse(plain.toString('utf8'));
    },
  };
}
