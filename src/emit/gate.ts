import type { AttributeValue } from '@opentelemetry/api';
import { diag } from '@opentelemetry/api';
import { ATTRIBUTES, type AttributeSpec, type Place, type Shape, VALUE_OTHER } from '../semconv.ts';

/** Jaeger's equality search, and Cassandra's index, end at 256 bytes. */
const MAX_BYTES = 256;
const MAX_ITEMS = 32;

/**
 * What text may look like where its set of values is not closed. No shape admits a quote or a line break, and only that of a
 * label a space, so prose cannot pass for a name. All shapes are ASCII, which makes characters and bytes the same.
 */
const SHAPES: Readonly<Record<Shape, RegExp>> = {
  word: /^[a-z][a-z0-9_-]{0,63}$/,
  // A name that the application gives, in code: four words at most.
  label: /^[A-Za-z][A-Za-z0-9_.:/-]{0,31}(?: [A-Za-z0-9_.:/-]{1,32}){0,3}$/,
  code: /^[A-Za-z][A-Za-z0-9_.]{0,63}$/,
  error: /^([A-Za-z][A-Za-z0-9_.]{0,127}|[1-5][0-9]{2})$/,
  model: /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/,
  tool: /^[A-Za-z0-9_@][A-Za-z0-9_.:/-]{0,127}$/,
  id: /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/,
  span_id: /^(?!0+$)[0-9a-f]{16}$/,
  path: /^[A-Za-z_]\w*(\.\w+)*$/,
  host: /^[A-Za-z0-9[][A-Za-z0-9.:_\]-]*$/,
  version: /^[0-9][A-Za-z0-9.+-]{0,63}$/,
};

type Check = (value: unknown) => value is AttributeValue;

function textCheck({ values, shape }: AttributeSpec): (value: unknown) => value is string {
  if (values !== undefined) {
    const allowed: ReadonlySet<unknown> = new Set(values);
    return (value): value is string => allowed.has(value);
  }
  const pattern = shape === undefined ? undefined : SHAPES[shape];
  return (value): value is string =>
    typeof value === 'string' &&
    value.length <= MAX_BYTES &&
    (value === VALUE_OTHER || (pattern?.test(value) ?? false));
}

function checkOf(spec: AttributeSpec): Check {
  switch (spec.type) {
    case 'boolean':
      return (value): value is boolean => typeof value === 'boolean';
    case 'int':
      return (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
    case 'double':
      return (value): value is number => Number.isFinite(value);
    case 'string':
      return textCheck(spec);
    case 'string[]': {
      const isText = textCheck(spec);
      return (value): value is string[] => Array.isArray(value) && value.length <= MAX_ITEMS && value.every(isText);
    }
  }
}

const checksAt = (place: Place): ReadonlyMap<string, Check> =>
  new Map(ATTRIBUTES.filter(({ places }) => places.includes(place)).map((spec) => [spec.name, checkOf(spec)]));

const CHECKS: Readonly<Record<Place, ReadonlyMap<string, Check>>> = {
  call: checksAt('call'),
  run: checksAt('run'),
  event: checksAt('event'),
  metric: checksAt('metric'),
};

const refused = new Map<string, number>();

function refuse(name: string): void {
  const count = (refused.get(name) ?? 0) + 1;
  refused.set(name, count);
  try {
    // The name is ours; the value is never shown.
    if (count === 1) diag.debug(`reasoning-otel: a value of ${name} is not of the allowed form and is left out`);
  } catch {
    // The application's own logger threw: that costs the line, not the other attributes.
  }
}

/** Attributes that have passed the gate: the only ones that are written. */
export type Gated = Record<string, AttributeValue>;

/** Whether a value may stand under this name at this place. */
export const passes = (place: Place, name: string, value: unknown): value is AttributeValue =>
  CHECKS[place].get(name)?.(value) ?? false;

/** Reads one attribute from something. Tables of these are walked instead of branches. */
export type AttributeRow<T> = readonly [name: string, read: (from: T) => unknown];

/**
 * The content gate, the last thing before anything is written. Passes only names that the registry allows at this
 * place, with values of their type and of their closed set or shape; leaves out everything else, and what is undefined.
 * @returns `passed`, with what passes added
 */
export function gate<T>(place: Place, rows: ReadonlyArray<AttributeRow<T>>, from: T, passed: Gated = {}): Gated {
  const checks = CHECKS[place];
  for (const [name, read] of rows) {
    const value = read(from);
    if (value === undefined) continue;
    if (checks.get(name)?.(value)) passed[name] = value;
    else refuse(name);
  }
  return passed;
}

/** Attributes by name, before the gate. */
export type Labels = ReadonlyArray<readonly [name: string, value: unknown]>;

/** The same gate for attributes that are already at hand; what passes is added to a copy of `base`. */
export function gateLabels(place: Place, labels: Labels, base: Gated = {}): Gated {
  const checks = CHECKS[place];
  const passed: Gated = { ...base };
  for (const [name, value] of labels) {
    if (value === undefined) continue;
    if (checks.get(name)?.(value)) passed[name] = value;
    else refuse(name);
  }
  return passed;
}

/** How often a value of each name was left out in this process. */
export const gateRefusals = (): ReadonlyMap<string, number> => refused;
