import { isCallable, isObject } from './shapes.ts';

/**
 * Reads one header off whatever an SDK of this family takes for headers: a `Headers`, pairs, a plain object, or its own
 * `{ values, nulls }`.
 * @param name lower case
 * @returns null where the header is removed on purpose, undefined where nothing is said of it
 */
export function requestHeader(headers: unknown, name: string): string | null | undefined {
  if (!isObject(headers)) return undefined;
  const { get, values, nulls } = headers;
  if (isCallable(get)) return asValue(Reflect.apply(get, headers, [name])) ?? undefined;
  if (isObject(values)) {
    return requestHeader(values, name) ?? (nulls instanceof Set && nulls.has(name) ? null : undefined);
  }
  let found: string | null | undefined;
  for (const [key, value] of pairsOf(headers)) {
    if (typeof key === 'string' && key.toLowerCase() === name && value !== undefined) found = asValue(value);
  }
  return found;
}

function pairsOf(headers: object): readonly (readonly unknown[])[] {
  return Array.isArray(headers) ? headers.filter((pair) => Array.isArray(pair)) : Object.entries(headers);
}

function asValue(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : null;
}
