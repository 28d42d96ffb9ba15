import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { joinPassages, type Passage, passageKey, passageOf } from '../../continuity/passage.ts';
import { canonical } from '../canonical-json.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { type MemberName, member } from './member.ts';
import { isPlaceholder } from './placeholders.ts';

/** One part of a model's content, or several unsigned texts in a row, as digests. */
export interface Piece {
  /** `empty`: a carrier, text or nothing beside the seal. `thought`: a signed summary. `other`: media, code, server tools. */
  readonly kind: 'call' | 'text' | 'thought' | 'empty' | 'other';
  /** Index of its (first) part. */
  readonly at: number;
  /** Digest of what the part says, its seal aside. */
  readonly key: Digest;
  readonly seal?: Digest;
  /** The seal is a value that stands for none. */
  readonly placeholder: boolean;
  readonly passage?: Passage;
  readonly call?: CalledFunction;
  /** The part has a data member; a seal alone is refused now and then (google/adk-go#1633). */
  readonly hasData: boolean;
  /** Long strings beside what the part says, where a harness may have put a seal. */
  readonly strings: readonly Digest[];
}

export interface CalledFunction {
  readonly name: Digest;
  readonly input: Digest;
  readonly id?: Digest;
  /** Its arguments say enough to tell it from other calls of the function. */
  readonly telling: boolean;
}

export interface Stray {
  readonly at: number;
  readonly seal: Digest;
  readonly placeholder: boolean;
}

export interface FunctionResult {
  readonly id?: Digest;
  readonly name: Digest;
}

/** A summary of thoughts as it stands in an answer: not owed to anybody, but not to be said aloud either. */
export interface Thought {
  /** Index of its last part. */
  readonly at: number;
  readonly key: Digest;
  readonly passage: Passage;
  /** Of the text as it is, where it stands in one part. */
  readonly text?: Digest;
}

/** One `Content` of a request or an answer, as digests: everything that the judge needs of it. */
export interface ContentFacts {
  readonly role: 'user' | 'model';
  /** Of a model's content. */
  readonly pieces: readonly Piece[];
  /** What counts for the prefix, in order; seals, thoughts and ids do not. */
  readonly parts: readonly Digest[];
  /** The same in one digest. */
  readonly whole: Digest;
  readonly results: readonly FunctionResult[];
  /** Holds something beside function responses, and calls, which are no user's whatever the role says. */
  readonly hasOther: boolean;
  /** Seals in a content that no model wrote. */
  readonly strays: readonly Stray[];
  /** Unsigned ones. */
  readonly thoughts: readonly Thought[];
}

const ROLES = { user: digest('user'), model: digest('model') };
const CALL = digest('call');
const RESULT = digest('result');
const TEXT = digest('text');
export const EMPTY_KEY = digest('empty part');
const NONE: readonly never[] = [];

/** Members that hold what a part says, beside text and calls. */
const DATA: readonly MemberName[] = [
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];
const DATA_KEYS = new Map(DATA.map((name) => [name, digest(name)]));

export function readContent(content: object): ContentFacts {
  const { role: roleName, parts: rawParts } = content as Json;
  // An absent role is the user's; `function` is the old name of the role that gives results.
  const role = roleName === 'model' ? 'model' : 'user';
  const pieces: Piece[] = [];
  const results: FunctionResult[] = [];
  const strays: Stray[] = [];
  const thoughts: Thought[] = [];
  const parts: Digest[] = [];
  let hasOther = false;

  for (const [at, part] of (asArray(rawParts) ?? NONE).entries()) {
    if (!isObject(part)) continue;
    const result = asObject(member(part, 'functionResponse'));
    if (result !== undefined) {
      const { id, name } = readNames(result);
      results.push(id === undefined ? { name } : { id, name });
      parts.push(mix(ROLES.user, mix(RESULT, mix(name, canonical(result.response ?? null)))));
    } else if (role === 'user' && member(part, 'functionCall') === undefined) hasOther = true;
    if (role === 'user') {
      const seal = sealOf(part);
      if (seal !== undefined) strays.push({ at, seal: digest(seal), placeholder: isPlaceholder(seal) });
      if (result === undefined) parts.push(mix(ROLES.user, userPart(part)));
      continue;
    }
    if (result === undefined) readPart(part, at, pieces, thoughts);
  }
  for (const { kind, key } of pieces) if (kind !== 'empty' && kind !== 'thought') parts.push(mix(ROLES.model, key));
  return {
    role,
    pieces,
    parts,
    whole: parts.reduce(mix, ROLES[role]),
    results,
    hasOther,
    strays,
    thoughts,
  };
}

function userPart(part: Json): Digest {
  const text = asString(part.text);
  if (text !== undefined) return mix(TEXT, digest(text.trim()));
  for (const [name, key] of DATA_KEYS) {
    const value = member(part, name);
    if (value !== undefined) return mix(key, canonical(value));
  }
  return canonical(part);
}

function readPart(part: Json, at: number, pieces: Piece[], thoughts: Thought[]): void {
  const value = sealOf(part);
  const sealed = value === undefined ? {} : { seal: digest(value) };
  const common = { at, ...sealed, placeholder: value !== undefined && isPlaceholder(value) };

  const call = asObject(member(part, 'functionCall'));
  if (call !== undefined) {
    // A call whose arguments came in pieces goes on without its name (`streamFunctionCallArguments` of Vertex AI).
    if (call.name === undefined) {
      if (value !== undefined) pieces.push({ ...common, kind: 'empty', key: EMPTY_KEY, hasData: true, strings: NONE });
      return;
    }
    const { id, name } = readNames(call);
    const input = canonical(call.args ?? {});
    const telling = saidIn(call.args) >= TELLING;
    pieces.push({
      ...common,
      kind: 'call',
      key: callKey(name, input),
      call: id === undefined ? { name, input, telling } : { name, input, telling, id },
      hasData: true,
      strings: [...longStrings(part, CALL_MEMBERS), ...longStrings(call, ARGUMENTS)],
    });
    return;
  }
  for (const [data, key] of DATA_KEYS) {
    const held = member(part, data);
    if (held === undefined) continue;
    const strings = longStrings(part, [...CALL_MEMBERS, data]);
    pieces.push({ ...common, kind: 'other', key: mix(key, canonical(held)), hasData: true, strings });
    return;
  }
  const text = asString(part.text);
  const strings = longStrings(part, CALL_MEMBERS);
  const passage = passageOf(text ?? '');
  if (part.thought === true) {
    if (value !== undefined) {
      pieces.push({
        ...common,
        kind: 'thought',
        key: passageKey(passage),
        passage,
        hasData: text !== undefined,
        strings,
      });
    } else if (passage.length > 0) appendThought(thoughts, at, passage, text ?? '');
    return;
  }
  if (passage.length === 0) {
    if (value !== undefined || strings.length > 0) {
      pieces.push({ ...common, kind: 'empty', key: EMPTY_KEY, hasData: text !== undefined, strings });
    }
    return;
  }
  const piece: Piece = { ...common, kind: 'text', key: passageKey(passage), passage, hasData: true, strings };
  const joined = joinText(pieces.at(-1), piece);
  if (joined === undefined) pieces.push(piece);
  else pieces[pieces.length - 1] = joined;
}

/** Unsigned texts in a row are one: clients may join what a stream delivered in chunks. */
export function joinText(before: Piece | undefined, piece: Piece): Piece | undefined {
  if (!isPlainText(before) || !isPlainText(piece)) return undefined;
  const passage = joinPassages(before.passage, piece.passage);
  return { ...before, key: passageKey(passage), passage };
}

/** A stream delivers a summary in chunks. */
function appendThought(thoughts: Thought[], at: number, passage: Passage, text: string): void {
  const before = thoughts.at(-1);
  const goesOn = before !== undefined && before.at === at - 1;
  const whole = goesOn ? joinPassages(before.passage, passage) : passage;
  if (goesOn) thoughts.pop();
  thoughts.push({ at, key: passageKey(whole), passage: whole, ...(goesOn ? {} : { text: digest(text) }) });
}

function isPlainText(piece: Piece | undefined): piece is Piece & { readonly passage: Passage } {
  return (
    piece?.kind === 'text' && piece.passage !== undefined && piece.seal === undefined && piece.strings.length === 0
  );
}

const callKey = (name: Digest, input: Digest): Digest => mix(CALL, mix(name, input));

/** The seal of a part; an empty one is none. Bytes in the place of a string are a seal, though not as it was issued. */
export function sealOf(part: Json): string | undefined {
  const value = member(part, 'thoughtSignature');
  if (typeof value !== 'object' || value === null) return value === '' ? undefined : asString(value);
  const bytes = bytesOf(value);
  return bytes === undefined ? undefined : `bytes ${Buffer.from(bytes).toString('base64')}`;
}

/** A list of numbers, a Buffer as JSON writes it, or a typed array with its indexes for keys. */
function bytesOf(value: object): readonly number[] | undefined {
  const list: readonly unknown[] = asArray(value) ?? asArray((value as Json).data) ?? Object.values(value);
  const bytes = list.filter(isNumber);
  return bytes.length > 0 && bytes.length === list.length ? bytes : undefined;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

function readNames(named: Json): { readonly id: Digest | undefined; readonly name: Digest } {
  const id = asString(named.id);
  return { id: id === undefined || id === '' ? undefined : digest(id), name: digest(String(named.name)) };
}

/** Characters of arguments from which on nobody makes the same call by chance. */
const TELLING = 12;

function saidIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length;
  let said = 0;
  for (const inner of Object.values(value)) said += saidIn(inner);
  return said;
}

const CALL_MEMBERS: readonly string[] = [
  'text',
  'thoughtSignature',
  'thought_signature',
  'functionCall',
  'function_call',
];
const ARGUMENTS: readonly string[] = ['args', 'id', 'name', 'partialArgs', 'partial_args'];
/** Short strings cannot be a seal. */
const SEAL_LENGTH = 16;

function longStrings(value: Json, except: readonly string[], depth = 0): readonly Digest[] {
  const found: Digest[] = [];
  for (const key in value) {
    if (except.includes(key)) continue;
    const inner = value[key];
    if (typeof inner === 'string' && inner.length >= SEAL_LENGTH) found.push(digest(inner));
    else if (isObject(inner) && depth < 3) found.push(...longStrings(inner, NONE, depth + 1));
  }
  return found.length === 0 ? NONE : found;
}
