import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import { chunkText, isSameDetail, typeOf } from './carriers.ts';
import { joinFragments } from './fragments.ts';
import type { Choice } from './read-response.ts';

/** One assistant message, as the chunks of a stream add to it. */
export interface GrowingMessage {
  grow(choice: Json): void;
  end(finished: boolean): Choice;
}

interface GrowingCall {
  id: string | undefined;
  type: string | undefined;
  name: string;
  readonly args: string[];
  custom: boolean;
  /** Members that nobody knows; seals among them. */
  rest: Record<string, unknown>;
}

/** An element of a list: members that grow are kept in pieces, of the others the first value stays. */
interface GrowingElement {
  /** It has its signature: what comes next is another one. */
  sealed: boolean;
  readonly fixed: Record<string, unknown>;
  readonly grown: Record<string, string[]>;
}

const GROWS = new Set(['text', 'summary', 'signature', 'data', 'thinking']);
const KNOWN = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'audio',
  'reasoning_details',
  'thinking_blocks',
]);

/**
 * Puts a message together from raw chunks, which the SDK's own assembler does not do for members it has no type for: it
 * keeps the last value of each. What it would keep is remembered, to tell its losses from the application's.
 */
export function createGrowingMessage(): GrowingMessage {
  const strings = new Map<string, string[]>();
  const others: Record<string, unknown> = {};
  const lastValues = new Map<string, unknown>();
  const details: GrowingElement[] = [];
  const blocks: GrowingElement[] = [];
  const chunks: Json[] = [];
  const content: string[] = [];
  const refusal: string[] = [];
  const calls: GrowingCall[] = [];
  const callAt = new Map<number, GrowingCall>();
  let single: { name: string; readonly args: string[] } | undefined;
  let replaced: Json | undefined;
  let finishReason: string | undefined;

  const growDelta = (delta: Json): void => {
    for (const key in delta) {
      const value = delta[key];
      if (key === 'role' || key === 'content' || key === 'tool_calls' || key === 'refusal') continue;
      lastValues.set(key, value);
      if (KNOWN.has(key)) continue;
      if (typeof value === 'string') {
        const pieces = strings.get(key);
        if (pieces === undefined) strings.set(key, [value]);
        else pieces.push(value);
      } else if (value !== null && value !== undefined) others[key] = value;
    }
    for (const element of asArray(delta.reasoning_details) ?? []) if (isObject(element)) growDetail(element);
    for (const element of asArray(delta.thinking_blocks) ?? []) if (isObject(element)) growBlock(element);
    // Behind a list the text goes on as plain strings (docs.mistral.ai reasoning).
    if (typeof delta.content === 'string' && delta.content !== '') {
      if (chunks.length > 0) growChunk({ type: 'text', text: delta.content });
      else content.push(delta.content);
    }
    for (const part of asArray(delta.content) ?? []) if (isObject(part)) growChunk(part);
    if (typeof delta.refusal === 'string') refusal.push(delta.refusal);
    for (const call of asArray(delta.tool_calls) ?? []) if (isObject(call)) growCall(call);
    const own = asObject(delta.function_call);
    if (own !== undefined) {
      single ??= { name: '', args: [] };
      single.name += asString(own.name) ?? '';
      single.args.push(asString(own.arguments) ?? '');
    }
  };

  /** By type and index (openrouter.ai reasoning-tokens); without an index all of one type and id are one. */
  const growDetail = (element: Json): void => {
    const known = details.find(({ fixed }) => {
      if (isSameDetail(fixed, element)) return true;
      const unplaced = fixed.index === undefined && (element.index ?? undefined) === undefined;
      return unplaced && typeOf(fixed) === typeOf(element) && fixed.id === asString(element.id);
    });
    if (known === undefined) details.push(elementOf(element));
    else growElement(known, element);
  };

  /** Blocks have no index: one goes on until its signature, or until another kind begins. */
  const growBlock = (element: Json): void => {
    const open = blocks.at(-1);
    const ends = open === undefined || open.sealed || open.fixed.type !== element.type;
    const block = ends || element.type === 'redacted_thinking' ? elementOf(element) : open;
    if (block === open) growElement(block, element);
    else blocks.push(block);
    if (asString(element.signature)) block.sealed = true;
  };

  const growChunk = (part: Json): void => {
    const last = chunks.at(-1);
    if (part.type !== 'thinking') {
      if (part.type === 'text' && last?.type === 'text') {
        chunks[chunks.length - 1] = { ...last, text: (asString(last.text) ?? '') + (asString(part.text) ?? '') };
      } else chunks.push(part);
      return;
    }
    if (last?.type !== 'thinking' || last.closed === true) {
      chunks.push({ ...part, thinking: chunkText(part.thinking) });
      return;
    }
    chunks[chunks.length - 1] = { ...last, ...part, thinking: chunkText(last.thinking) + chunkText(part.thinking) };
  };

  const growCall = (delta: Json): void => {
    const id = asString(delta.id) || undefined;
    const index = asNumber(delta.index) ?? (id === undefined ? Math.max(0, calls.length - 1) : calls.length);
    let call = callAt.get(index);
    // Some hosts give every parallel call the index 0.
    if (call === undefined || (id !== undefined && call.id !== undefined && id !== call.id)) {
      call = { id: undefined, type: undefined, name: '', args: [], custom: false, rest: {} };
      calls.push(call);
      callAt.set(index, call);
    }
    const { index: _index, id: _id, type, function: own, custom, ...unknown } = delta;
    call.id ??= id;
    call.type ??= asString(type);
    const body = asObject(own) ?? asObject(custom);
    if (custom !== undefined) call.custom = true;
    // A name comes whole, and is sometimes repeated.
    call.name ||= asString(body?.name) ?? '';
    const args = asString(body?.arguments) ?? asString(body?.input);
    if (args !== undefined) call.args.push(args);
    const { name: _name, arguments: _args, input: _input, ...more } = body ?? {};
    call.rest = grownRest(call.rest, Object.keys(more).length > 0 ? { ...unknown, function: more } : unknown);
  };

  return {
    grow(choice) {
      finishReason = asString(choice.finish_reason) ?? finishReason;
      const delta = asObject(choice.delta);
      if (delta !== undefined) growDelta(delta);
      // A last chunk with the whole message (platform.minimax.io).
      const whole = asObject(choice.message);
      if (whole !== undefined && delta === undefined) replaced = whole;
    },
    end(finished) {
      const done = finished || finishReason !== undefined;
      if (replaced !== undefined) return { message: replaced, finishReason, finished: done };
      const text = joinFragments(content);
      const message: Record<string, unknown> = {
        role: 'assistant',
        content: chunks.length > 0 ? [...(text === '' ? [] : [{ type: 'text', text }]), ...chunks] : text || null,
        ...others,
      };
      for (const [key, parts] of strings) message[key] = joinFragments(parts);
      if (details.length > 0) message.reasoning_details = details.map(assembled);
      if (blocks.length > 0) message.thinking_blocks = blocks.map(assembled);
      if (refusal.length > 0) message.refusal = refusal.join('');
      if (calls.length > 0) message.tool_calls = calls.map(assembledCall);
      if (single !== undefined) message.function_call = { name: single.name, arguments: single.args.join('') };
      return { message, finishReason, lastValues, finished: done };
    },
  };
}

function elementOf(element: Json): GrowingElement {
  const made: GrowingElement = { sealed: false, fixed: {}, grown: {} };
  growElement(made, element);
  return made;
}

function growElement({ fixed, grown }: GrowingElement, element: Json): void {
  for (const key in element) {
    const value = element[key];
    if (GROWS.has(key) && typeof value === 'string') {
      const pieces = grown[key] ?? [];
      pieces.push(value);
      grown[key] = pieces;
    } else if (value !== null && value !== undefined) fixed[key] ??= value;
  }
}

function assembled({ fixed, grown }: GrowingElement): Record<string, unknown> {
  const element: Record<string, unknown> = { ...fixed };
  for (const [key, parts] of Object.entries(grown)) element[key] = joinFragments(parts);
  return element;
}

function assembledCall(call: GrowingCall): Json {
  const { function: more, ...rest } = call.rest;
  const args = call.args.join('');
  const body = { name: call.name, [call.custom ? 'input' : 'arguments']: args, ...asObject(more) };
  return { id: call.id, type: call.type ?? 'function', [call.custom ? 'custom' : 'function']: body, ...rest };
}

/** Strings of the same place that differ are pieces of one seal; the same one twice is a repetition. */
function grownRest(before: Record<string, unknown>, more: Json): Record<string, unknown> {
  const result = { ...before };
  for (const key in more) {
    const value = more[key];
    const known = result[key];
    if (isObject(value) && isObject(known)) result[key] = grownRest(known, value);
    else if (typeof value === 'string' && typeof known === 'string')
      result[key] = known === value ? known : known + value;
    else if (value !== null && value !== undefined) result[key] = value;
  }
  return result;
}
