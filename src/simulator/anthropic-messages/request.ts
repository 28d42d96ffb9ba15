import { asList, isWire, type Wire } from '../json.ts';
import type { Account } from './account.ts';
import { type ApiFailure, invalid, isFailure } from './api-failure.ts';
import type { ModelRow } from './models.ts';
import type { Platform } from './platform.ts';

export type Role = 'user' | 'assistant' | 'system';

/** A content block and where it stands in the request as sent (`messages.3.content.0`). */
export interface PlacedBlock {
  readonly block: Wire;
  readonly type: string;
  readonly path: string;
}

export interface PlacedMessage {
  readonly role: Role;
  readonly path: string;
  readonly wire: Wire;
  /** A string body stands here as one text block. */
  readonly blocks: readonly PlacedBlock[];
}

/** A request whose shape is sound. What it means for reasoning is worked out from this and nothing else. */
export interface MessagesRequest {
  readonly platform: Platform;
  readonly betas: ReadonlySet<string>;
  readonly account: Account;
  readonly model: ModelRow;
  /** The id as the caller wrote it. */
  readonly modelAsSent: string;
  readonly body: Wire;
  readonly system: unknown;
  readonly tools: readonly Wire[];
  readonly messages: readonly PlacedMessage[];
  readonly maxTokens: number;
  /** An item of a batch: a failing prefix is dropped there, not refused. */
  readonly batch: boolean;
}

const ROLES: readonly Role[] = ['user', 'assistant', 'system'];

/** Gives every block its path and checks the members it cannot do without. */
export function placeMessages(messages: unknown, base = 'messages'): PlacedMessage[] | ApiFailure {
  if (!Array.isArray(messages)) return invalid(`${base}: Input should be a valid list`);
  const placed: PlacedMessage[] = [];
  for (const [i, message] of messages.entries()) {
    const one = placeMessage(message, `${base}.${i}`);
    if (isFailure(one)) return one;
    placed.push(one);
  }
  return placed;
}

function placeMessage(message: unknown, path: string): PlacedMessage | ApiFailure {
  if (!isWire(message)) return invalid(`${path}: Input should be a valid dictionary`);
  const role = ROLES.find((known) => known === message.role);
  if (role === undefined) return invalid(`${path}.role: Input should be 'user', 'assistant' or 'system'`);
  const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (!Array.isArray(content)) {
    // A system message may carry only an effort.
    if (role === 'system' && isWire(message.output_config)) return { role, path, wire: message, blocks: [] };
    return invalid(`${path}.content: ${message.content == null ? 'Field required' : 'Input should be a valid list'}`);
  }
  const blocks: PlacedBlock[] = [];
  for (const [j, block] of content.entries()) {
    const at = `${path}.content.${j}`;
    if (!isWire(block)) return invalid(`${at}: Input should be a valid dictionary`);
    if (typeof block.type !== 'string') return invalid(`${at}.type: Field required`);
    for (const member of REQUIRED_MEMBERS[block.type] ?? []) {
      if (block[member] == null) return invalid(`${at}.${block.type}.${member}: Field required`);
    }
    blocks.push({ block, type: block.type, path: at });
  }
  return { role, path, wire: message, blocks };
}

const REQUIRED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  thinking: ['signature', 'thinking'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name', 'input'],
  server_tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id'],
};

export function isReasoning(block: { readonly type: string }): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

/** The opaque part by which a reasoning block is known. */
export function sealOf({ block, type }: PlacedBlock): string {
  return String(type === 'thinking' ? block.signature : block.data);
}

/** Consecutive messages of one role, joined: the API itself reads them so. */
export interface JoinedMessage {
  readonly role: Role;
  readonly blocks: readonly PlacedBlock[];
}

export function joinMessages(messages: readonly { role: Role; blocks: readonly PlacedBlock[] }[]): JoinedMessage[] {
  const joined: { role: Role; blocks: PlacedBlock[] }[] = [];
  for (const { role, blocks } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else joined.push({ role, blocks: [...blocks] });
  }
  return joined;
}

/** Index of the message after the last real user message: where the turn that is under way begins. */
export function turnStart(messages: readonly JoinedMessage[]): number {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role === 'user' && !message.blocks.some(({ type }) => type === 'tool_result')) return index + 1;
  }
  return 0;
}

export function toolsOf(body: Wire): Wire[] {
  return asList(body.tools).filter(isWire);
}
