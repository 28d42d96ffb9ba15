import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';

/** What one step of an interaction is, as digests. */
export interface Step {
  /** `thought`: a unit by itself. `tool`: a call or result of a tool that runs at the provider; signed, it is a unit too. */
  readonly kind: 'thought' | 'tool' | 'call' | 'output' | 'user' | 'result';
  /** Of a call: of its id. Of the rest: of what it says, its seal aside. */
  readonly key: Digest;
  readonly seal?: Digest;
  /** Of a thought: of its summary; absent where that is empty. */
  readonly summary?: Digest;
  readonly call?: { readonly name: Digest; readonly input: Digest };
  /** Of a result: the id of the call that it answers. */
  readonly answers?: Digest;
  /** Characters of an output. */
  readonly length: number;
  /** What it adds to the beginning of what comes after it; 0 for a thought. */
  readonly part: Digest;
  /** Long strings beside the known members, where a harness may have put a seal. */
  readonly strings: readonly Digest[];
}

const KINDS: Readonly<Record<string, Step['kind']>> = {
  thought: 'thought',
  function_call: 'call',
  function_result: 'result',
  model_output: 'output',
  user_input: 'user',
  // Before the schema of May 2026 an answer was a list of contents.
  text: 'output',
};

/** Kind of a step by its type; undefined for what is no step, but content of a user. */
export function kindOf(step: Json): Step['kind'] | undefined {
  const type = asString(step.type) ?? '';
  return KINDS[type] ?? (/_(?:call|result)$/.test(type) ? 'tool' : undefined);
}

const NONE: readonly never[] = [];

export function readStep(value: object): Step {
  const step = value as Json;
  const kind = kindOf(step) ?? 'user';
  switch (kind) {
    case 'thought': {
      const summary = summaryOf(step);
      return {
        kind,
        key: mix(THOUGHT, digest(summary)),
        ...sealed(step),
        ...(summary === '' ? {} : { summary: digest(summary) }),
        length: 0,
        part: 0,
        strings: longStrings(step),
      };
    }
    case 'call': {
      const name = digest(String(step.name));
      const input = canonical(step.arguments ?? {});
      const key = digest(String(step.id));
      const call = { name, input };
      return {
        kind,
        key,
        call,
        ...sealed(step),
        length: 0,
        part: mix(CALL, mix(name, input)),
        strings: longStrings(step),
      };
    }
    case 'result': {
      const part = mix(RESULT, canonical(step.result ?? null));
      return { kind, key: part, answers: digest(String(step.call_id)), length: 0, part, strings: NONE };
    }
    case 'tool': {
      const { signature: _seal, ...rest } = step;
      const part = mix(TOOL, canonical(rest));
      return { kind, key: part, ...sealed(step), length: 0, part, strings: longStrings(step) };
    }
    case 'output': {
      const text = textOf(step);
      const part = mix(OUTPUT, text === '' ? canonical(step.content ?? null) : digest(text.trim()));
      return { kind, key: part, ...sealed(step), length: text.length, part, strings: longStrings(step) };
    }
    default: {
      const text = textOf(step);
      const part = mix(USER, text === '' ? canonical(step) : digest(text.trim()));
      return { kind, key: part, ...sealed(step), length: text.length, part, strings: NONE };
    }
  }
}

const [THOUGHT, CALL, RESULT, TOOL, OUTPUT, USER] = ['thought', 'call', 'result', 'tool', 'output', 'user'].map(
  digest,
) as [Digest, Digest, Digest, Digest, Digest, Digest];

/** The seal of a step; an empty one is none. */
export function sealOf(step: Json): string | undefined {
  const value = asString(step.signature);
  return value === '' ? undefined : value;
}

function sealed(step: Json): { readonly seal?: Digest } {
  const seal = sealOf(step);
  return seal === undefined ? {} : { seal: digest(seal) };
}

/** The readable text of a thought. */
export function summaryOf(step: Json): string {
  return (asArray(step.summary) ?? NONE).map((content) => asString(asObject(content)?.text) ?? '').join('');
}

/** Everything that a step says. */
export function textOf(step: Json): string {
  if (typeof step.text === 'string') return step.text;
  if (typeof step.content === 'string') return step.content;
  return (asArray(step.content) ?? NONE).map((content) => asString(asObject(content)?.text) ?? '').join('');
}

const KNOWN = new Set([
  'type',
  'signature',
  'summary',
  'content',
  'text',
  'arguments',
  'id',
  'name',
  'result',
  'call_id',
]);
const SEAL_LENGTH = 16;

function longStrings(value: Json, depth = 0): readonly Digest[] {
  const found: Digest[] = [];
  for (const key in value) {
    if (depth === 0 && KNOWN.has(key)) continue;
    const inner = value[key];
    if (typeof inner === 'string' && inner.length >= SEAL_LENGTH) found.push(digest(inner));
    else if (isObject(inner) && depth < 3) found.push(...longStrings(inner, depth + 1));
  }
  return found.length === 0 ? NONE : found;
}
