import { isWire } from '../json.ts';
import { createSealedBox } from '../sealed-box.ts';

/** What the simulator wants to know about sealed reasoning when it comes back. */
export interface SealedThought {
  readonly organization: string;
  /** The family of models that reads it. */
  readonly provider: string;
  readonly model: string;
  readonly text: string;
  readonly tokens: number;
  /** Its place among the reasoning of its answer, and how many there were. */
  readonly at: number;
  readonly of: number;
  /** Names the answer. */
  readonly response: string;
  /** A signature on a call: the id of that call. */
  readonly call?: string;
  readonly plan?: unknown;
}

export interface ThoughtSealer {
  seal(content: SealedThought): string;
  open(token: string): SealedThought | undefined;
}

export function createThoughtSealer(seed: string): ThoughtSealer {
  const box = createSealedBox(seed, 'chat seal');
  return {
    seal(content) {
      const { tag, body } = box.close(content);
      return Buffer.concat([tag, body]).toString('base64');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64');
      if (bytes.toString('base64') !== token || bytes.length < 16) return undefined;
      const opened = box.open({ tag: bytes.subarray(0, 16), body: bytes.subarray(16) });
      return isWire(opened) ? (opened as unknown as SealedThought) : undefined;
    },
  };
}
