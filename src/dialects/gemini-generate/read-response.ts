import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import { type MemberName, member } from './member.ts';
import { sealOf } from './read-content.ts';

export interface UsageFacts {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly reasoning?: number;
}

/** One candidate in plain form. Holds content; lives only until it has been digested at the end of the call. */
export interface Candidate {
  readonly parts: readonly Json[];
  /** Upper case, as the API writes it. */
  readonly finishReason?: string;
  /** Values that a stream showed of a seal before the rest of it came, by part. */
  readonly fragments: ReadonlyMap<number, readonly string[]>;
}

export interface Response {
  readonly id?: string;
  /** `modelVersion`: what served the request, whatever alias was asked for. */
  readonly model?: string;
  readonly candidates: readonly Candidate[];
  readonly usage: UsageFacts;
  readonly streamed: boolean;
}

export interface ResponseReader {
  readonly whole: (response: unknown) => void;
  /** One chunk of `streamGenerateContent`: a response of its own, whose usage holds running totals. */
  readonly event: (chunk: unknown) => void;
  readonly end: () => Response | undefined;
  readonly isStreamed: () => boolean;
}

interface Growing {
  readonly parts: Json[];
  readonly fragments: Map<number, string[]>;
  /** Arguments that are put together here, by part; the application's own objects are not to be touched. */
  readonly args: Map<number, Record<string, unknown>>;
  finishReason: string | undefined;
}

export function createReader(): ResponseReader {
  const candidates: Growing[] = [];
  const counts: Partial<Record<MemberName, number>> = {};
  let id: string | undefined;
  let model: string | undefined;
  let seen = false;
  let streamed = false;

  const read = (value: unknown): void => {
    const response = asObject(value);
    if (response === undefined) return;
    const listed = asArray(response.candidates);
    const usage = asObject(member(response, 'usageMetadata'));
    id = asString(member(response, 'responseId')) ?? id;
    model = asString(member(response, 'modelVersion')) ?? model;
    if (listed === undefined && usage === undefined && member(response, 'promptFeedback') === undefined) return;
    seen = true;
    for (const name of COUNTS) {
      // Running totals: the last value wins, and a chunk that does not tell leaves it as it was.
      const count = asNumber(member(usage, name));
      if (count !== undefined) counts[name] = count;
    }
    for (const [place, candidate] of (listed ?? []).entries()) {
      if (!isObject(candidate)) continue;
      const index = asNumber(candidate.index) ?? place;
      const growing: Growing = candidates[index] ?? {
        parts: [],
        fragments: new Map(),
        args: new Map(),
        finishReason: undefined,
      };
      candidates[index] = growing;
      growing.finishReason = asString(member(candidate, 'finishReason')) ?? growing.finishReason;
      for (const part of asArray(asObject(candidate.content)?.parts) ?? []) {
        if (!isObject(part)) continue;
        if (!streamed || !goesOn(growing, part)) growing.parts.push(part);
      }
    }
  };

  return {
    whole: read,
    event(chunk) {
      streamed = true;
      read(chunk);
    },
    isStreamed: () => streamed,
    end() {
      if (!seen) return undefined;
      return {
        ...(id === undefined ? {} : { id }),
        ...(model === undefined ? {} : { model }),
        candidates: candidates
          .filter((candidate) => candidate !== undefined)
          .map(({ parts, fragments, finishReason }) => ({
            parts,
            fragments,
            ...(finishReason === undefined ? {} : { finishReason: finishReason.toUpperCase() }),
          })),
        usage: usageOf(counts),
        streamed,
      };
    },
  };
}

const COUNTS = [
  'promptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const satisfies readonly MemberName[];

/** The API counts thoughts beside the visible output, and results of its own tools beside the prompt. */
function usageOf(counts: Partial<Record<MemberName, number>>): UsageFacts {
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = counts;
  const sum = (...values: (number | undefined)[]): number | undefined =>
    values.every((value) => value === undefined) ? undefined : values.reduce<number>((all, one) => all + (one ?? 0), 0);
  const input = sum(promptTokenCount, toolUsePromptTokenCount);
  const output = sum(candidatesTokenCount, thoughtsTokenCount);
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(counts.cachedContentTokenCount === undefined ? {} : { cacheRead: counts.cachedContentTokenCount }),
    ...(thoughtsTokenCount === undefined ? {} : { reasoning: thoughtsTokenCount }),
  };
}

/**
 * Whether a part of a chunk only goes on with the one before it, and if so adds it there: a call whose arguments come in
 * pieces, or a seal that comes in several (vertesia/llumiverse#470, crmne/ruby_llm#521).
 */
function goesOn(growing: Growing, part: Json): boolean {
  const at = growing.parts.length - 1;
  const before = growing.parts[at];
  if (before === undefined) return false;
  const call = asObject(member(part, 'functionCall'));
  const callBefore = asObject(member(before, 'functionCall'));
  const seal = sealOf(part);
  const sealBefore = sealOf(before);
  if (call !== undefined) {
    const cut = seal !== undefined && sealBefore !== undefined && isCut(sealBefore, seal);
    if (callBefore === undefined || !isSameCall(callBefore, call, cut)) return false;
    const { partialArgs: _pieces, partial_args: _piecesToo, ...rest } = callBefore;
    const joined = { ...rest, args: joinArgs(growing, at, callBefore, call) };
    growing.parts[at] = withSeal(growing, at, { ...before, functionCall: joined }, seal);
    return true;
  }
  if (seal === undefined || sealBefore === undefined || asString(part.text) || hasData(part)) return false;
  if (!isCut(sealBefore, seal)) return false;
  growing.parts[at] = withSeal(growing, at, before, seal);
  return true;
}

function isSameCall(before: Json, call: Json, cut: boolean): boolean {
  if (call.name === undefined) return true;
  return call.name === before.name && (cut || (call.id !== undefined && call.id === before.id));
}

function hasData(part: Json): boolean {
  return Object.keys(part).some((name) => !BARE.has(name));
}

const BARE = new Set(['text', 'thoughtSignature', 'thought_signature', 'thought']);

/** A seal alone is whole base64; one that has to be joined with the next to become so was cut. */
function isCut(before: string, next: string): boolean {
  return before.length % 4 !== 0 && !before.endsWith('=') && (before.length + next.length) % 4 === 0;
}

function withSeal(growing: Growing, at: number, part: Json, seal: string | undefined): Json {
  if (seal === undefined) return part;
  const before = sealOf(part);
  if (before === undefined) return { ...part, thoughtSignature: seal };
  const { thought_signature: _snake, ...rest } = part;
  growing.fragments.set(at, [...(growing.fragments.get(at) ?? [before]), seal]);
  return { ...rest, thoughtSignature: before + seal };
}

function joinArgs(growing: Growing, at: number, before: Json, call: Json): Record<string, unknown> {
  let args = growing.args.get(at);
  if (args === undefined) {
    args = structuredClone({ ...asObject(before.args) });
    growing.args.set(at, args);
    // The first chunk may hold a piece of its own.
    applyPieces(args, before);
  }
  Object.assign(args, structuredClone(asObject(call.args)));
  applyPieces(args, call);
  return args;
}

/** `partialArgs`: values by path, strings in pieces. */
function applyPieces(args: Record<string, unknown>, call: Json): void {
  for (const piece of asArray(member(call, 'partialArgs')) ?? []) {
    if (!isObject(piece)) continue;
    const path = asString(piece.jsonPath ?? piece.json_path);
    if (path !== undefined) put(args, pathOf(path), readValue(piece));
  }
}

/** `$.a.b[0]['c d']` → a, b, 0, c d. */
function pathOf(path: string): readonly string[] {
  return [...path.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|\[(\d+)\]|([^.$[\]]+)/g)].map(
    ([, single, double, index, plain]) => single ?? double ?? index ?? plain ?? '',
  );
}

function readValue(piece: Json): unknown {
  const text = asString(piece.stringValue ?? piece.string_value);
  if (text !== undefined) return text;
  return piece.numberValue ?? piece.number_value ?? piece.boolValue ?? piece.bool_value ?? null;
}

function put(args: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let here: Record<string, unknown> = args;
  for (const [i, key] of path.entries()) {
    if (key === '__proto__') return;
    if (i < path.length - 1) {
      const next = here[key];
      const inner = typeof next === 'object' && next !== null ? next : /^\d+$/.test(path[i + 1] ?? '') ? [] : {};
      here[key] = inner;
      here = inner as Record<string, unknown>;
      continue;
    }
    const before = here[key];
    here[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
}
