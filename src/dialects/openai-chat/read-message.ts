import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { type Form, isBlock, type RawBlock, readCallSignatures, readCarried, splitId } from './carriers.ts';
import { isBypass } from './placeholders.ts';
import type { Member } from './profiles.ts';

/** One piece of an assistant message, as digests. */
export type Piece = BlockPiece | CallPiece | TextPiece;

export interface BlockPiece {
  readonly kind: 'block';
  readonly at: number;
  readonly form: Form;
  readonly members: readonly Member[];
  /** Place inside the message. */
  readonly path: string;
  readonly type: string;
  readonly seal: Digest | undefined;
  /** Undefined where there is none; an empty one is there and has no digest either. */
  readonly text: Digest | undefined;
  readonly textMember: 'present' | 'empty' | 'missing';
  readonly textLength: number;
  /** White space only, or a string that stands for nothing. */
  readonly filler: 'none' | 'blank' | 'bypass';
  readonly index: string | undefined;
  readonly id: Digest | undefined;
  readonly format: string | undefined;
  readonly elements: number;
  /** Of a signature: the call that bears it. */
  readonly call: Digest | undefined;
}

export interface CallPiece {
  readonly kind: 'call';
  readonly at: number;
  readonly id: Digest;
  readonly name: Digest;
  readonly input: Digest;
}

export interface TextPiece {
  readonly kind: 'text';
  readonly at: number;
  readonly key: Digest;
  readonly length: number;
}

/** One message of a request, as digests: everything that the judge needs of it. */
export interface MessageFacts {
  readonly role: string;
  /** Of an assistant message. */
  readonly pieces: readonly Piece[];
  /** Reasoning that stands there once more in another form. */
  readonly siblings: readonly BlockPiece[];
  /** Members of reasoning that are there and hold nothing. */
  readonly empties: readonly BlockPiece[];
  /** What counts for the beginning of what follows; reasoning does not. */
  readonly part: Digest;
  /** Id of the call that a tool message answers. */
  readonly result: Digest | undefined;
  readonly calls: number;
}

const EMPTY: readonly never[] = [];
const RESULT_ROLES = new Set(['tool', 'function']);

export function readMessage(message: object): MessageFacts {
  const json = message as Json;
  const role = asString(json.role) ?? '';
  if (role === 'assistant') return readAssistant(json);
  const isResult = RESULT_ROLES.has(role);
  const id = isResult ? callKey(asString(json.tool_call_id), asString(json.name)) : undefined;
  const part = mix(mix(digest(role), canonicalContent(json.content)), id ?? 0);
  return { role, pieces: EMPTY, siblings: EMPTY, empties: EMPTY, part, result: id, calls: 0 };
}

function readAssistant(message: Json): MessageFacts {
  const { parts, siblings } = readCarried(message);
  const pieces: Piece[] = [];
  const empties: BlockPiece[] = [];
  const texts: string[] = [];
  for (const raw of parts) {
    if (isBlock(raw)) {
      const piece = readBlock(raw, pieces.length, undefined);
      if (holdsSomething(piece)) pieces.push(piece);
      else empties.push(piece);
      continue;
    }
    texts.push(raw);
    const text = raw.trim();
    if (text !== '') pieces.push({ kind: 'text', at: pieces.length, key: digest(text), length: text.length });
  }
  let part = mix(digest('assistant'), digest(texts.join('').trim()));
  let calls = 0;
  for (const { call, at } of callsOf(message)) {
    const piece = readCall(call);
    for (const seal of readCallSignatures(call, at)) pieces.push(readBlock(seal, pieces.length, piece.id));
    pieces.push({ ...piece, at: pieces.length });
    part = mix(part, mix(piece.id, mix(piece.name, piece.input)));
    calls++;
  }
  return {
    role: 'assistant',
    pieces,
    siblings: siblings.map((block) => readBlock(block, 0, undefined)).filter(holdsSomething),
    empties,
    part,
    result: undefined,
    calls,
  };
}

const holdsSomething = ({ seal, text }: BlockPiece): boolean => seal !== undefined || text !== undefined;

/** Calls of a message, the older single `function_call` among them. */
export function callsOf(message: Json): readonly { readonly call: Json; readonly at: number }[] {
  const calls = (asArray(message.tool_calls) ?? EMPTY).flatMap((call, at) => (isObject(call) ? [{ call, at }] : []));
  const single = asObject(message.function_call);
  return single === undefined ? calls : [...calls, { call: { function: single }, at: calls.length }];
}

function readCall(call: Json): Omit<CallPiece, 'at'> {
  const own = asObject(call.function) ?? asObject(call.custom) ?? {};
  const name = asString(own.name) ?? '';
  return {
    kind: 'call',
    id: callKey(asString(call.id), name),
    name: digest(name),
    input: argumentsOf(own),
  };
}

/** Formatting of arguments is nothing that a model sees, so re-serialised ones are the same. */
export function argumentsOf(own: Json): Digest {
  const given = own.arguments ?? own.input;
  if (typeof given !== 'string') return canonical(given ?? {});
  const key = digest(given);
  const known = parsed.get(key);
  if (known !== undefined) return known;
  const found = parseArguments(given, key);
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(key, found);
  return found;
}

/** A harness that rebuilds its messages sends the same arguments at every step: they are parsed once. */
const parsed = new Map<Digest, Digest>();
const MAX_PARSED = 10_000;

function parseArguments(given: string, key: Digest): Digest {
  try {
    return canonical(given === '' ? {} : JSON.parse(given));
  } catch {
    return key;
  }
}

/** Key of a call: its id without a seal behind it; where there is none, its name. */
function callKey(id: string | undefined, name: string | undefined): Digest {
  return id === undefined || id === '' ? digest(`call of ${name ?? ''}`) : digest(splitId(id).base);
}

function readBlock(block: RawBlock, at: number, call: Digest | undefined): BlockPiece {
  const { form, members, path, type, text, seal, index, id, format, elements } = block;
  const isText = text !== undefined && text !== '';
  const blank = isText && text.trim() === '';
  return {
    kind: 'block',
    at,
    form,
    members,
    path,
    type,
    seal: seal === undefined ? undefined : digest(seal),
    text: isText ? digest(text) : undefined,
    textMember: isText ? 'present' : text === undefined ? 'missing' : 'empty',
    textLength: text?.length ?? 0,
    filler: blank ? 'blank' : seal !== undefined && isBypass(seal) ? 'bypass' : 'none',
    index,
    id: id === undefined ? undefined : digest(id),
    format,
    elements,
    call,
  };
}

/** A string and one text part are the same, and so is nothing. */
function canonicalContent(content: unknown): Digest {
  if (content === undefined || content === null) return digest('');
  if (typeof content === 'string') return digest(content.trim());
  const parts = asArray(content) ?? EMPTY;
  const texts = parts.map((part) => (isObject(part) && part.type === 'text' ? asString(part.text) : undefined));
  return texts.every((text) => text !== undefined) ? digest(texts.join('').trim()) : canonical(content);
}
