import { digest, isWire } from '../json.ts';
import { createSealedBox } from '../sealed-box.ts';
import type { PrefixRecord } from './prefix.ts';
import type { ThinkingMode } from './thinking-config.ts';

/** Everything the simulator wants to know about a block when it comes back. Only it can read this. */
export interface Sealed {
  readonly kind: 'thinking' | 'redacted_thinking' | 'compaction';
  readonly model: string;
  readonly account: string;
  /** Digest of `metadata.user_id`. */
  readonly endUser?: string;
  readonly mode: ThinkingMode;
  /** The response that issued the block, which run of consecutive blocks in it, and the place in that run. */
  readonly response: string;
  readonly run: number;
  readonly at: number;
  readonly of: number;
  /** Identity of the reasoning block before this one in the conversation as sent. */
  readonly predecessor: string | null;
  readonly prefix: PrefixRecord;
  /** The reasoning itself; what was shown of it may be a summary or nothing. */
  readonly text: string;
  readonly shown: string;
  readonly tokens: number;
  /** What a script stored with its reasoning. Readable only where the block is shown to the model. */
  readonly plan?: unknown;
  /** Compaction only: the states a kept turn may continue from. */
  readonly states?: readonly (readonly string[])[];
}

export interface Sealer {
  seal(content: Sealed): string;
  /** The content, or undefined for a token that this seed never issued or that was altered. */
  open(token: string): Sealed | undefined;
}

/** Identity of a block: its seal, shortened. */
export function sealId(token: string): string {
  return digest('seal', token);
}

/** Framed as the real tokens are: a protobuf message in a protobuf message. */
export function createSealer(seed: string): Sealer {
  const box = createSealedBox(seed, 'seal');
  return {
    seal(content) {
      const { tag, body } = box.close(content);
      return field(2, Buffer.concat([field(1, tag), field(2, body)])).toString('base64');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64');
      // Node decodes base64 leniently; a changed or added character must not pass.
      if (bytes.toString('base64') !== token) return undefined;
      const outer = readField(bytes, 2);
      const tagField = outer && readField(outer.value, 1);
      const bodyField = tagField && readField(tagField.rest, 2);
      if (!outer || !tagField || !bodyField) return undefined;
      if (outer.rest.length > 0 || bodyField.rest.length > 0) return undefined;
      const content = box.open({ tag: tagField.value, body: bodyField.value });
      return isWire(content) ? (content as unknown as Sealed) : undefined;
    },
  };
}

/** A length-delimited protobuf field, as the real tokens consist of: they begin with `E`. */
function field(number: number, value: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = value.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value]);
}

function readField(bytes: Buffer, number: number): { value: Buffer; rest: Buffer } | undefined {
  if (bytes[0] !== ((number << 3) | 2)) return undefined;
  let length = 0;
  let at = 1;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined) return undefined;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  if (length < 0 || at + length > bytes.length) return undefined;
  return { value: bytes.subarray(at, at + length), rest: bytes.subarray(at + length) };
}
