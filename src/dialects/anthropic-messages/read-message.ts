import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { passageKey, passageOf } from '../../continuity/passage.ts';
import { canonical } from '../canonical-json.ts';
import { asArray, asString, isObject, type Json } from '../json.ts';
import { canonicalContent, canonicalMembers, canonicalPart, canonicalText } from './canonical.ts';

/** Presence of a member that is mandatory on a reasoning block: empty and missing are different on the wire. */
export type Member = 'present' | 'empty' | 'missing';

/** One content block of an assistant message, as digests. */
export type Piece = BlockPiece | CallPiece | TextPiece | OtherPiece;

export interface BlockPiece {
  readonly kind: 'block';
  readonly at: number;
  readonly type: 'thinking' | 'redacted_thinking';
  readonly sealMember: Member;
  readonly seal: Digest | undefined;
  readonly textMember: Member;
  readonly text: Digest | undefined;
}

export interface CallPiece {
  readonly kind: 'call';
  readonly at: number;
  readonly id: Digest;
  readonly name: Digest;
  readonly input: Digest;
  /** Runs at the provider: its result may stand in the same message. */
  readonly server: boolean;
  /** Long strings beside name and input, where a harness may have put a seal. */
  readonly strings: readonly Digest[];
}

export interface TextPiece {
  readonly kind: 'text';
  readonly at: number;
  readonly key: Digest;
  /** Without its white space. */
  readonly squeezed: Digest;
  readonly length: number;
  /** The same beside the text. */
  readonly strings: readonly Digest[];
}

export interface OtherPiece {
  readonly kind: 'marker' | 'compaction' | 'other';
  readonly at: number;
  readonly key: Digest;
  readonly strings: readonly Digest[];
}

/** One message of a request, as digests: everything that the judge needs of it. */
export interface MessageFacts {
  readonly role: string;
  /** Of an assistant message. */
  readonly pieces: readonly Piece[];
  /** What counts for the prefix, in order; reasoning does not. */
  readonly parts: readonly Digest[];
  /** The same in one digest. */
  readonly whole: Digest;
  /** Ids that tool results answer. */
  readonly results: readonly Digest[];
  /** Holds something beside tool results. */
  readonly hasOther: boolean;
  /** Ids of server-run calls that have their result in the same message. */
  readonly serverResults: readonly Digest[];
  /** Seals that stand in a message that no model wrote. */
  readonly strayBlocks: readonly BlockPiece[];
  /** Names of tools that this message refers to. */
  readonly references: readonly string[];
}

const CALL = digest('call');
const RESULT = digest('result');
const EMPTY: readonly never[] = [];

export function readMessage(message: object): MessageFacts {
  const { role, content } = message as Json;
  const roleName = asString(role) ?? '';
  const blocks = asArray(content) ?? (typeof content === 'string' ? [{ type: 'text', text: content }] : EMPTY);
  const roleDigest = digest(roleName);
  const pieces: Piece[] = [];
  const parts: Digest[] = [];
  const results: Digest[] = [];
  const serverResults: Digest[] = [];
  const strayBlocks: BlockPiece[] = [];
  const references: string[] = [];
  let hasOther = false;

  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (!isObject(block)) continue;
    const type = asString(block.type) ?? '';
    if (type === 'thinking' || type === 'redacted_thinking') {
      const piece = readBlock(block, type, at);
      if (roleName === 'assistant') pieces.push(piece);
      else strayBlocks.push(piece);
      continue;
    }
    if (type === 'tool_result') {
      const id = digest(String(block.tool_use_id));
      results.push(id);
      collectReferences(block.content, references);
      parts.push(mix(roleDigest, mix(RESULT, mix(id, mix(canonicalContent(block.content), restOfResult(block))))));
      continue;
    }
    hasOther = true;
    const part = readPart(block, type);
    if (part !== undefined) parts.push(mix(roleDigest, part));
    if (type === 'tool_use' && typeof block.name === 'string') references.push(block.name);
    if (type === 'tool_addition' || type === 'tool_reference') collectReferences([block], references);
    if (roleName !== 'assistant') continue;
    const serverResult = asString(block.tool_use_id);
    if (serverResult !== undefined) serverResults.push(digest(serverResult));
    const piece = readPiece(block, type, at, part);
    if (piece !== undefined) pieces.push(piece);
  }
  const whole = parts.reduce(mix, roleDigest);
  return { role: roleName, pieces, parts, whole, results, hasOther, serverResults, strayBlocks, references };
}

function readBlock(block: Json, type: BlockPiece['type'], at: number): BlockPiece {
  const [sealMember, seal] = readMember(type === 'thinking' ? block.signature : block.data);
  const [textMember, text] = type === 'thinking' ? readMember(block.thinking) : (['present', undefined] as const);
  return { kind: 'block', at, type, sealMember, seal, textMember, text };
}

function readMember(value: unknown): readonly [Member, Digest | undefined] {
  if (typeof value !== 'string') return ['missing', undefined];
  return value === '' ? ['empty', undefined] : ['present', digest(value)];
}

function readPart(block: Json, type: string): Digest | undefined {
  if (type === 'tool_use') return mix(CALL, canonicalMembers(block));
  return canonicalPart(block);
}

function restOfResult(block: Json): Digest {
  return canonicalMembers(block, RESULT_MEMBERS);
}

/** Read on their own: the id tells the call, the content has a form of its own. */
const RESULT_MEMBERS = ['content', 'tool_use_id'];

function readPiece(block: Json, type: string, at: number, part: Digest | undefined): Piece | undefined {
  switch (type) {
    case 'text': {
      const text = asString(block.text) ?? '';
      if (text.trim() === '') return undefined;
      return {
        kind: 'text',
        at,
        key: canonicalText(text),
        squeezed: passageKey(passageOf(text)),
        length: text.length,
        strings: longStrings(block, 'text'),
      };
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return {
        kind: 'call',
        at,
        id: digest(String(block.id)),
        name: digest(String(block.name)),
        input: canonical(block.input ?? {}),
        server: type !== 'tool_use',
        strings: longStrings(block, 'input'),
      };
    case 'fallback':
      return { kind: 'marker', at, key: part ?? 0, strings: EMPTY };
    case 'compaction':
      // A summary without content is a failed one, and changes nothing (build-with-claude/compaction).
      return { kind: block.content === null ? 'other' : 'compaction', at, key: part ?? 0, strings: EMPTY };
    default:
      return { kind: 'other', at, key: part ?? 0, strings: longStrings(block, '') };
  }
}

/** A seal may stand under another name or type after a conversion; short strings cannot be one. */
export function longStrings(block: Json, except: string, depth = 0, found: Digest[] = []): readonly Digest[] {
  for (const key in block) {
    if (key === except || key === 'type' || key === 'id' || key === 'cache_control') continue;
    const value = block[key];
    if (typeof value === 'string' && value.length >= 16) found.push(digest(value));
    else if (isObject(value) && depth < 3) longStrings(value, '', depth + 1, found);
  }
  return found.length === 0 ? EMPTY : found;
}

function collectReferences(content: unknown, into: string[]): void {
  for (const block of asArray(content) ?? EMPTY) {
    if (!isObject(block)) continue;
    for (const name of [block.tool_name, block.name, asName(block.tool)]) if (typeof name === 'string') into.push(name);
    if (Array.isArray(block.content)) collectReferences(block.content, into);
    if (Array.isArray(block.tool_references)) collectReferences(block.tool_references, into);
  }
}

function asName(tool: unknown): unknown {
  return isObject(tool) ? tool.name : tool;
}
