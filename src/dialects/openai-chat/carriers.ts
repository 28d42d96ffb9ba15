import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import type { Member } from './profiles.ts';

/** The forms in which reasoning stands in an assistant message. */
export type Form =
  /** One readable string, with an opaque sibling perhaps. */
  | 'string'
  /** Elements of a list. */
  | 'list'
  /** The signature that a call, or the message, bears. */
  | 'signature';

/** One piece of reasoning as it stands in a message. Holds text: lives only while the message is read. */
export interface RawBlock {
  readonly form: Form;
  /** Every member that holds it with the same value. */
  readonly members: readonly Member[];
  /** Place of the first of them inside the message. */
  readonly path: string;
  /** The element's own type; of the rest, what it is. */
  readonly type: string;
  readonly text: string | undefined;
  readonly seal: string | undefined;
  /** Of an element of a list. */
  readonly index?: string;
  readonly id?: string;
  readonly format?: string;
  /** Elements that it was put together from. */
  readonly elements: number;
}

/** Readable members, the first hit gives the name. */
const STRINGS: readonly Member[] = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'];
const THINK = /^\s*<think>([\s\S]*?)<\/think>/;

/** What a message holds beside its calls. */
export interface Carried {
  /** Reasoning and visible text, in the order in which they stand. */
  readonly parts: readonly (RawBlock | string)[];
  /** The same reasoning once more in another form, beside the list that is the block. */
  readonly siblings: readonly RawBlock[];
}

export const isBlock = (part: RawBlock | string): part is RawBlock => typeof part !== 'string';

/** Reads the reasoning of an assistant message. Signatures of calls are read with the calls. */
export function readCarried(message: Json): Carried {
  const strings = readStrings(message);
  const specific = asObject(message.provider_specific_fields);
  const details = readListed(message, specific);
  const blocks = readThinkingBlocks(
    asList(message.thinking_blocks) ?? asList(specific?.thinking_blocks),
    nameOf('thinking_blocks', message.thinking_blocks),
  );
  const content = readContent(message.content);
  const chunks = content.filter(isBlock).filter(({ form }) => form === 'list');
  const lists = [details, blocks, chunks].filter((list) => list.length > 0);
  const [first = [], ...others] = lists;
  // One string a message. Elements count one by one; a string beside them says the same once more (openrouter.ai
  // reasoning-tokens).
  const own = lists.length > 0 ? first : strings.slice(0, 1);
  const siblings = lists.length > 0 ? [...others.flat(), ...strings] : strings.slice(1);
  const refusal = asString(message.refusal);
  return {
    parts: [
      ...(own === chunks ? [] : own),
      ...readMessageSignatures(message, specific),
      ...(own === chunks ? content : content.filter((part) => !isBlock(part) || part.form !== 'list')),
      ...(refusal === undefined ? [] : [refusal]),
    ],
    siblings,
  };
}

function readStrings(message: Json): readonly RawBlock[] {
  const found = new Map<string, Member[]>();
  for (const member of STRINGS) {
    const text = message[member];
    if (typeof text !== 'string') continue;
    const same = found.get(text);
    if (same === undefined) found.set(text, [member]);
    else same.push(member);
  }
  const opaque = asString(message.reasoning_opaque);
  if (found.size > 1) found.delete('');
  if (found.size === 0) {
    if (opaque === undefined || opaque === '') return [];
    return [{ ...block('string', ['reasoning_opaque'], 'reasoning_opaque', 'string'), seal: opaque }];
  }
  return [...found].map(([text, members], at) => {
    const path = members[0] ?? '';
    const sealed = at === 0 && opaque !== undefined && opaque !== '' ? { seal: opaque } : {};
    return { ...block('string', members, path, 'string'), text, ...sealed };
  });
}

/**
 * The list of the message, under the name that an SDK has for it in memory too. A gateway may deliver it once more, and the
 * seals in that copy alone (open-webui/open-webui#27467).
 */
function readListed(message: Json, specific: Json | undefined): readonly RawBlock[] {
  const renamed = asList(message.reasoning_details) === undefined && asList(message.reasoningDetails) !== undefined;
  const name = renamed ? 'reasoningDetails' : 'reasoning_details';
  const own = readDetails(asList(message[name]), name, nameOf(name, message[name]));
  const copy = asArray(specific?.reasoning_details);
  if (copy === undefined || own.some(({ seal }) => seal !== undefined)) return own;
  const copied = readDetails(copy, 'provider_specific_fields.reasoning_details', 'reasoning_details');
  return own.length === 0 || copied.some(({ seal }) => seal !== undefined) ? copied : own;
}

/** A list, or one that a store has written as a string and not read again: the same list, and not as it was issued. */
function asList(value: unknown): readonly unknown[] | undefined {
  return asArray(typeof value === 'string' && value.startsWith('[') ? parsed(value) : value);
}

const nameOf = (member: Member, value: unknown): Member => (typeof value === 'string' ? `${member}.string` : member);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One detail per type and index: fragments with the same index are one block in several elements. */
function readDetails(list: readonly unknown[] | undefined, place: string, member: Member): readonly RawBlock[] {
  const groups: { readonly at: number; readonly parts: Json[] }[] = [];
  list?.forEach((element, at) => {
    if (!isObject(element)) return;
    const open = groups.findLast(({ parts }) => parts.every((part) => isSameDetail(part, element)));
    // The seal comes last: under the same index, what follows it is another detail, or a copy; so is the same text again.
    const ends = open === undefined || open.parts.some((part) => hasSeal(part) || isRepeated(part, element));
    if (ends) groups.push({ at, parts: [element] });
    else open.parts.push(element);
  });
  return groups.map(({ at, parts }) => {
    const first = parts[0] ?? {};
    const text = joined(parts, 'text') ?? joined(parts, 'summary');
    const seal = joined(parts, 'signature') ?? joined(parts, 'data');
    const id = parts.map((part) => asString(part.id)).find((one) => one !== undefined);
    const format = parts.map((part) => asString(part.format)).find((one) => one !== undefined);
    return {
      ...block('list', [member], `${place}.${at}`, typeOf(first)),
      text,
      seal: seal === '' ? undefined : seal,
      ...(first.index === undefined || first.index === null ? {} : { index: String(first.index) }),
      ...(id === undefined ? {} : { id }),
      ...(format === undefined ? {} : { format }),
      elements: parts.length,
    };
  });
}

/** Same type and index; two ids are two details (each of a call, behind a router to Gemini). */
export function isSameDetail(one: Json, other: Json): boolean {
  if (one.index === undefined || one.index === null || one.index !== other.index) return false;
  if (typeOf(one) !== typeOf(other)) return false;
  const ids = [one.id, other.id].filter((id) => typeof id === 'string');
  return ids.length < 2 || ids[0] === ids[1];
}

const isRepeated = (one: Json, other: Json): boolean =>
  (typeof one.text === 'string' && one.text !== '' && one.text === other.text) ||
  (typeof one.summary === 'string' && one.summary !== '' && one.summary === other.summary);

const hasSeal = (element: Json): boolean => Boolean(asString(element.signature) ?? asString(element.data));

/** What an element is, where it does not say: by the member that it has. */
export function typeOf(element: Json): string {
  const type = asString(element.type);
  if (type !== undefined) return type;
  if (typeof element.data === 'string') return 'reasoning.encrypted';
  return typeof element.summary === 'string' ? 'reasoning.summary' : 'reasoning.text';
}

/** docs.litellm.ai reasoning_content: Claude's own blocks. */
function readThinkingBlocks(list: readonly unknown[] | undefined, member: Member): readonly RawBlock[] {
  const found: RawBlock[] = [];
  list?.forEach((element, at) => {
    if (!isObject(element)) return;
    const type = asString(element.type) ?? 'thinking';
    const seal = asString(element.signature) ?? asString(element.data);
    found.push({
      ...block('list', [member], `thinking_blocks.${at}`, type),
      text: asString(element.thinking),
      seal: seal === '' ? undefined : seal,
    });
  });
  return found;
}

/** Text, chunks of thinking (docs.mistral.ai reasoning), or text that begins with its thinking in tags. */
function readContent(content: unknown): readonly (RawBlock | string)[] {
  if (typeof content === 'string') return readTagged(content, 'content');
  const parts: (RawBlock | string)[] = [];
  asArray(content)?.forEach((part, at) => {
    if (!isObject(part)) return;
    if (part.type === 'thinking') {
      const seal = asString(part.signature);
      parts.push({
        ...block('list', ['content.thinking'], `content.${at}`, 'thinking'),
        text: chunkText(part.thinking),
        seal: seal === '' ? undefined : seal,
      });
      return;
    }
    const text = asString(part.text) ?? asString(part.refusal);
    if (text !== undefined) parts.push(...(parts.length === 0 ? readTagged(text, `content.${at}`) : [text]));
  });
  return parts;
}

/** A chunk holds a string, or text parts. */
export function chunkText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return (asArray(thinking) ?? []).map((part) => asString(asObject(part)?.text) ?? '').join('');
}

function readTagged(content: string, path: string): readonly (RawBlock | string)[] {
  const match = THINK.exec(content);
  // Templates that open the tag themselves leave the closing one alone.
  const end = match === null && !content.includes('<think>') ? content.indexOf('</think>') : -1;
  if (match === null && end < 0) return [content];
  const text = match?.[1] ?? content.slice(0, end);
  const rest = match === null ? content.slice(end + '</think>'.length) : content.slice(match[0].length);
  return [{ ...block('string', ['content.<think>'], path, 'string'), text: text.trim() === '' ? '' : text }, rest];
}

/** Signatures that a message bears as a whole: of a text, or once more those of its calls. */
function readMessageSignatures(message: Json, specific: Json | undefined): readonly RawBlock[] {
  const found = findSignature(message.extra_content, 'extra_content');
  const own = found === undefined ? [] : [found];
  const listed = asArray(specific?.thought_signatures) ?? [];
  const known = new Set(signaturesOfCalls(message));
  const list = listed.flatMap((seal, at): RawBlock[] => {
    if (typeof seal !== 'string' || seal === '' || known.has(seal)) return [];
    const path = `provider_specific_fields.thought_signatures.${at}`;
    return [
      { ...block('signature', ['provider_specific_fields.thought_signatures'], path, 'thought_signature'), seal },
    ];
  });
  return [...own, ...list];
}

function signaturesOfCalls(message: Json): readonly string[] {
  return (asArray(message.tool_calls) ?? []).flatMap((call) =>
    isObject(call) ? readCallSignatures(call, 0).map(({ seal }) => seal ?? '') : [],
  );
}

const MARK = '__thought__';
/** Ids are short; one of this length is a seal in disguise (BerriAI/litellm#16895). */
const LONG_ID = 100;

/** Id of a call without the seal that some gateways hide behind it. */
export function splitId(id: string): { readonly base: string; readonly seal?: string } {
  const at = id.indexOf(MARK);
  if (at > 0) return { base: id.slice(0, at), seal: id.slice(at + MARK.length) };
  return id.length >= LONG_ID ? { base: id, seal: id } : { base: id };
}

/** The seal of a call, wherever a gateway puts it: usually one, under one name or several. */
export function readCallSignatures(call: Json, at: number): readonly RawBlock[] {
  const path = `tool_calls.${at}`;

  const found: RawBlock[] = [];
  const add = (one: RawBlock): void => {
    const same = found.findIndex(({ seal }) => seal === one.seal);
    if (same < 0) found.push(one);
    else found[same] = { ...one, ...found[same], members: [...(found[same]?.members ?? []), ...one.members] };
  };
  for (const place of ['extra_content', 'provider_specific_fields', 'function']) {
    const one = findSignature(call[place], place, path);
    if (one !== undefined) add(one);
  }
  const direct = asString(call.thought_signature);
  if (direct)
    add({
      ...block('signature', ['thought_signature'], `${path}.thought_signature`, 'thought_signature'),
      seal: direct,
    });
  const { seal } = splitId(asString(call.id) ?? '');
  if (seal) add({ ...block('signature', ['id'], `${path}.id`, 'thought_signature'), seal });
  return found;
}

/** `google.thought_signature`, `vertex.thought_signature` (badlogic/pi#6733), or without a name between. */
function findSignature(value: unknown, member: string, path?: string): RawBlock | undefined {
  const isString = typeof value === 'string' && value.startsWith('{') && value.includes('thought');
  if (isString) return findSignature(parsed(value), `${member}.string`, path);
  const holder = value;
  if (!isObject(holder)) return undefined;
  const own = asString(holder.thought_signature) ?? asString(holder.thoughtSignature);
  const place = (inner: string): string => (path === undefined ? inner : `${path}.${inner}`);
  if (own) {
    const name = 'thought_signature' in holder ? 'thought_signature' : 'thoughtSignature';
    const whole = `${member}.${name}`;
    return { ...block('signature', [whole], place(whole), 'thought_signature'), seal: own };
  }
  for (const key in holder) {
    const inner = holder[key];
    if (key !== 'parsed_arguments' && isObject(inner)) {
      const found = findSignature(inner, `${member}.${key}`, path);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function joined(parts: readonly Json[], member: string): string | undefined {
  const values = parts.flatMap((part) => asString(part[member]) ?? []);
  return values.length === 0 ? undefined : values.join('');
}

function block(form: Form, members: readonly Member[], path: string, type: string): RawBlock {
  return { form, members, path, type, text: undefined, seal: undefined, elements: 1 };
}
