/**
 * A value as plain JSON: class, own keys with their attributes, contents, down to `DEPTH`. Two values that an
 * application could tell apart differ here; addresses, times and stacks, which differ from run to run, are left out.
 */
export function describeValue(value: unknown): unknown {
  return describe(value, DEPTH, new Map());
}

const DEPTH = 7;

/** Own fields that differ from run to run, or hold the whole client. */
const VOLATILE = new Set([
  'stack',
  'startTime',
  'requestLogID',
  '_client',
  'client',
  'socket',
  'date',
  'keep-alive',
  'connection',
]);

function describe(value: unknown, depth: number, seen: Map<object, number>): unknown {
  if (typeof value === 'string') return value.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/file:\S+/g, 'FILE');
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (typeof value === 'symbol' || typeof value === 'bigint' || value === undefined) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return `same as #${known}`;
  seen.set(value, seen.size);
  const name = classOf(value);
  if (value instanceof Headers) return { class: name, entries: entriesOf(value, depth, seen) };
  if (value instanceof Response) {
    const { status, ok, bodyUsed, type, headers } = value;
    return { class: name, status, ok, bodyUsed, type, headers: entriesOf(headers, depth, seen) };
  }
  if (value instanceof AbortSignal) return { class: name, aborted: value.aborted };
  if (value instanceof AbortController) return { class: name, aborted: value.signal.aborted };
  if (depth === 0) return { class: name };
  if (Array.isArray(value)) return value.map((item) => describe(item, depth - 1, seen));
  const own: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(value)) {
    if (VOLATILE.has(String(key))) continue;
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    const attributes = `${descriptor?.enumerable ? 'e' : '-'}${descriptor?.configurable ? 'c' : '-'}`;
    own[`${String(key)} ${attributes}`] = descriptor?.get ? 'getter' : describe(descriptor?.value, depth - 1, seen);
  }
  const error =
    value instanceof Error
      ? { message: describe(value.message, 0, seen), string: describe(String(value), 0, seen) }
      : {};
  return { class: name, ...error, own };
}

function entriesOf(headers: Headers, depth: number, seen: Map<object, number>): unknown {
  return [...headers].filter(([key]) => !VOLATILE.has(key)).map(([key, value]) => [key, describe(value, depth, seen)]);
}

function classOf(value: object): string {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(value); at; at = Object.getPrototypeOf(at))
    names.push(at.constructor?.name ?? '?');
  return names.join(' < ');
}
