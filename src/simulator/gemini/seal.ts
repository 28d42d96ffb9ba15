import { isWire } from '../json.ts';
import { createSealedBox } from '../sealed-box.ts';
import type { GeminiHost } from './caller.ts';

/** What the simulator wants to know about a signature when it comes back. Only it can read this. */
export interface SealedThought {
  readonly host: GeminiHost;
  readonly project: string;
  /** The model that answered, as `modelVersion` names it. */
  readonly model: string;
  readonly generation: number;
  readonly text: string;
  readonly tokens: number;
  /** Names the answer, and the place among its signatures. */
  readonly answer: string;
  readonly at: number;
  /** Digest of the part or step that it was put on. */
  readonly on: string;
  readonly plan?: unknown;
}

export interface ThoughtSealer {
  seal(content: SealedThought): string;
  /** `not_base64` for what no field of bytes takes; undefined for what this seed never sealed, or was altered. */
  open(token: string): SealedThought | 'not_base64' | undefined;
}

/** Signatures of Gemini 2.5 begin with a `C` in base64, those of Gemini 3 with an `E`, as far as published samples go. */
const LEAD = { old: 0x0a, new: 0x12 } as const;

export function createThoughtSealer(seed: string): ThoughtSealer {
  const box = createSealedBox(seed, 'gemini seal');
  return {
    seal(content) {
      const { tag, body } = box.close(content);
      const lead = content.generation < 3 ? LEAD.old : LEAD.new;
      return Buffer.concat([Buffer.from([lead]), tag, body]).toString('base64');
    },
    open(token) {
      // Fields of bytes take both alphabets. https://protobuf.dev/programming-guides/json/
      if (!/^[\w+/-]*={0,2}$/.test(token)) return 'not_base64';
      const bytes = Buffer.from(token, 'base64');
      if (bytes.length < 17 || (bytes[0] !== LEAD.old && bytes[0] !== LEAD.new)) return undefined;
      const opened = box.open({ tag: bytes.subarray(1, 17), body: bytes.subarray(17) });
      return isWire(opened) ? (opened as unknown as SealedThought) : undefined;
    },
  };
}
