import { isWire } from '../json.ts';
import { createSealedBox } from '../sealed-box.ts';

/** What stood before an item: with every earlier reasoning item that was sent, and with those of its own turn only. */
export interface PrefixStates {
  readonly all: string;
  readonly turn: string;
}

/** Everything the simulator wants to know about a reasoning item when it comes back. Only it can read this. */
export interface SealedReasoning {
  readonly kind: 'reasoning';
  /** The item's own id: ciphertext under another id is not accepted. */
  readonly id: string;
  readonly organization: string;
  readonly model: string;
  readonly endUser?: string;
  /** Id of the item that this one led to; null where the answer ended before one. */
  readonly follower: string | null;
  readonly prefix: PrefixStates;
  readonly text: string;
  readonly tokens: number;
  /** What a script stored with its reasoning. Readable only where the item is shown to the model. */
  readonly plan?: unknown;
}

export interface SealedCompaction {
  readonly kind: 'compaction';
  readonly id: string;
  readonly organization: string;
  readonly tokens: number;
  /** The newest plan of what was compacted: a summary knows what the model had in mind. */
  readonly plan?: unknown;
}

export type SealedItem = SealedReasoning | SealedCompaction;

export interface ItemSealer {
  /** `variant` gives one item another ciphertext that opens to the same. */
  seal(content: SealedItem, variant?: number): string;
  open(token: string): SealedItem | undefined;
}

/** A version byte and eight bytes of time, as in the tokens of the real API: they begin with `gAAAA`. */
const HEAD = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0]);

export function createItemSealer(seed: string): ItemSealer {
  const box = createSealedBox(seed, 'openai seal');
  return {
    seal(content, variant = 0) {
      const { tag, body } = box.close({ variant, content });
      return spelled(Buffer.concat([HEAD, tag, body]));
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Node decodes leniently; a changed, added or missing character must not pass.
      if (spelled(bytes) !== token || !bytes.subarray(0, HEAD.length).equals(HEAD)) return undefined;
      const tag = bytes.subarray(HEAD.length, HEAD.length + 16);
      const opened = box.open({ tag, body: bytes.subarray(HEAD.length + 16) });
      return isWire(opened) && isWire(opened.content) ? (opened.content as unknown as SealedItem) : undefined;
    },
  };
}

function spelled(bytes: Buffer): string {
  const text = bytes.toString('base64url');
  return text + '='.repeat((4 - (text.length % 4)) % 4);
}
