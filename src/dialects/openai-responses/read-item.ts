import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { canonicalArguments, canonicalContent, canonicalItem } from './canonical.ts';

/** Presence of a member: empty and missing are different on the wire. */
export type Member = 'present' | 'empty' | 'missing';

/** Written by a model, by the client, or by either. */
export type Author = 'model' | 'client' | 'either';

interface Common {
  readonly author: Author;
  readonly type: string;
  readonly id: Digest | undefined;
  /** What it adds to the prefix of what comes after it; undefined: nothing (reasoning has a row of its own). */
  readonly part: Digest | undefined;
  /** Long strings, where a harness may have put a seal. */
  readonly strings: readonly Digest[];
}

/** Reasoning, or the provider's own summary of what stood before it: what has to come back. */
export interface BlockItem extends Common {
  readonly kind: 'block';
  readonly type: 'reasoning' | 'compaction';
  readonly sealMember: Member;
  readonly seal: Digest | undefined;
  readonly summaryMember: Member;
  readonly summary: Digest | undefined;
  readonly textMember: Member;
  readonly text: Digest | undefined;
  /** Named instead of sent. */
  readonly named: boolean;
}

export interface CallItem extends Common {
  readonly kind: 'call';
  readonly key: Digest;
  readonly name: Digest;
  readonly input: Digest;
  readonly async: boolean;
}

export interface TextItem extends Common {
  readonly kind: 'text';
  readonly key: Digest;
  readonly length: number;
  readonly label: string | undefined;
}

/** Calls that the provider runs itself, programs, and whatever else a model's answer holds. */
export interface HostedItem extends Common {
  readonly kind: 'other';
  readonly key: Digest;
}

export interface ResultItem extends Common {
  readonly kind: 'result';
  readonly key: Digest;
  readonly call: Digest;
}

export interface ClientItem extends Common {
  readonly kind: 'user' | 'system' | 'setting';
  readonly key: Digest;
  /** Effort from here on, where it is a `configuration_update` that sets one. */
  readonly effort: string | undefined;
}

/** An item named by its id only; which one it is, the ledger knows. */
export interface NamedItem extends Common {
  readonly kind: 'named';
}

export type ItemFacts = BlockItem | CallItem | TextItem | HostedItem | ResultItem | ClientItem | NamedItem;

/** What a model's answer is made of. */
export type PieceItem = BlockItem | CallItem | TextItem | HostedItem;

export const isPieceItem = (item: ItemFacts): item is PieceItem =>
  item.kind === 'block' || item.kind === 'call' || item.kind === 'text' || item.kind === 'other';

const CALL = digest('call');
const RESULT = digest('result');
const ROLE = digest('role');
const ID = digest('id');
const NONE: readonly never[] = [];

/** Calls that wait for the client, and the member that links a result to them (SDK typings, `openai` 7.59). */
const CALLS: Readonly<Record<string, 'call_id' | 'id'>> = {
  function_call: 'call_id',
  custom_tool_call: 'call_id',
  computer_call: 'call_id',
  shell_call: 'call_id',
  local_shell_call: 'call_id',
  apply_patch_call: 'call_id',
  tool_search_call: 'call_id',
  mcp_approval_request: 'id',
};
const RESULTS: Readonly<Record<string, string>> = {
  function_call_output: 'call_id',
  custom_tool_call_output: 'call_id',
  computer_call_output: 'call_id',
  shell_call_output: 'call_id',
  local_shell_call_output: 'id',
  apply_patch_call_output: 'call_id',
  tool_search_output: 'call_id',
  mcp_approval_response: 'approval_request_id',
};
const HOSTED = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'program',
  'program_output',
]);
const SETTINGS = new Set(['configuration_update', 'additional_tools', 'compaction_trigger']);

/** Key of an id of the provider's: item, response or conversation. */
export const idKey = (id: string): Digest => mix(ID, digest(id));

export function readItem(value: object): ItemFacts {
  const item = value as Json;
  const type = asString(item.type) ?? untyped(item);
  const rawId = asString(item.id);
  const id = rawId === undefined || rawId === '' ? undefined : idKey(rawId);
  if (type === 'reasoning' || type === 'compaction') return readBlock(item, type, id);
  if (type === 'message') return readMessage(item, id);
  if (type === 'item_reference') return { kind: 'named', author: 'either', type, id, part: undefined, strings: NONE };
  const link = CALLS[type];
  if (link !== undefined && item.execution !== 'server') return readCall(item, type, id, asString(item[link]) ?? '');
  const answered = RESULTS[type];
  if (answered !== undefined && item.execution !== 'server') {
    const call = digest(asString(item[answered]) ?? asString(item.call_id) ?? '');
    const part = mix(RESULT, mix(call, mix(canonicalContent(item.output), restOfResult(item))));
    return { kind: 'result', author: 'client', type, id, part, key: part, call, strings: NONE };
  }
  const key = canonicalItem(item);
  if (SETTINGS.has(type)) {
    const effort = asString(asObject(item.reasoning)?.effort);
    // A trigger is gone again once it has done its work, and changes nothing before that.
    const part = type === 'compaction_trigger' ? undefined : key;
    return { kind: 'setting', author: 'either', type, id, part, key, effort, strings: NONE };
  }
  const author = HOSTED.has(type) || link !== undefined || answered !== undefined ? 'model' : 'either';
  return { kind: 'other', author, type, id, part: key, key, strings: longStrings(item) };
}

/** The type may be left out of messages and of references (SDK typings: `ItemReference`). */
function untyped(item: Json): string {
  if (item.role !== undefined) return 'message';
  return item.id !== undefined && Object.keys(item).every((key) => key === 'id' || key === 'type')
    ? 'item_reference'
    : '';
}

/** The same for an object that may come again: an item of a response is what most clients send back. */
export const rememberItem = createMemory(readItem);

function readBlock(item: Json, type: BlockItem['type'], id: Digest | undefined): BlockItem {
  const [sealMember, seal] = memberOf(item.encrypted_content);
  const summary = Array.isArray(item.summary) ? memberOf(textsOf(item.summary)) : (['missing', undefined] as const);
  const text = Array.isArray(item.content) ? memberOf(textsOf(item.content)) : (['missing', undefined] as const);
  return {
    kind: 'block',
    author: 'model',
    type,
    id,
    part: undefined,
    sealMember,
    seal,
    // Only reasoning has one, and has to.
    summaryMember: type === 'reasoning' ? summary[0] : 'empty',
    summary: summary[1],
    textMember: text[0],
    text: text[1],
    named: false,
    // Under another name a payload is of no use, but it is not gone.
    strings: seal === undefined ? longStrings(item) : NONE,
  };
}

function memberOf(value: unknown): readonly [Member, Digest | undefined] {
  if (typeof value !== 'string') return ['missing', undefined];
  return value.trim() === '' ? ['empty', undefined] : ['present', digest(value)];
}

/** The readable parts of a reasoning item as one text. */
export function textsOf(parts: unknown): string {
  return (asArray(parts) ?? NONE).map((part) => (isObject(part) ? (asString(part.text) ?? '') : '')).join('\n');
}

function readMessage(item: Json, id: Digest | undefined): ItemFacts {
  const role = asString(item.role) ?? 'assistant';
  if (role === 'assistant') {
    const text = messageText(item.content);
    const part = mix(ROLE, digest(text));
    const strings = longStrings(item, 'content');
    const key = digest(text.trim());
    const label = asString(item.phase);
    return { kind: 'text', author: 'model', type: 'message', id, part, key, length: text.length, label, strings };
  }
  const key = mix(digest(role), canonicalContent(item.content));
  const kind = role === 'user' ? 'user' : 'system';
  return { kind, author: 'client', type: 'message', id, part: key, key, effort: undefined, strings: NONE };
}

/** What an assistant message says; a refusal is said, too. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  return (asArray(content) ?? NONE)
    .map((part) => (isObject(part) ? (asString(part.text) ?? asString(part.refusal) ?? '') : ''))
    .join('');
}

function readCall(item: Json, type: string, id: Digest | undefined, callId: string): CallItem {
  const key = digest(callId);
  const name = digest(asString(item.name) ?? type);
  const input = canonicalArguments(item.arguments ?? item.input ?? item.action ?? item.operation);
  const part = mix(CALL, mix(key, mix(name, mix(input, digest(asString(item.namespace) ?? '')))));
  const strings = longStrings(item, 'arguments', 'input', 'action', 'operation');
  return { kind: 'call', author: 'model', type, id, part, key, name, input, async: item.async === true, strings };
}

function restOfResult(item: Json): Digest {
  const { output: _output, call_id: _callId, approval_request_id: _approval, ...rest } = item;
  return canonicalItem(rest);
}

/** Short strings cannot be a seal. */
function longStrings(item: Json, ...except: readonly string[]): readonly Digest[] {
  let found: Digest[] | undefined;
  for (const key in item) {
    if (key === 'id' || key === 'call_id' || except.includes(key)) continue;
    const member = item[key];
    if (typeof member === 'string') {
      if (member.length >= 16) found = [...(found ?? NONE), digest(member)];
    } else if (isObject(member)) {
      const inner = longStrings(member);
      if (inner.length > 0) found = [...(found ?? NONE), ...inner];
    }
  }
  return found ?? NONE;
}
