export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; none where it is no list. */
export const objectsOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** A copy without these members; the object itself where it has none of them. */
export function without(object: Json, members: ReadonlySet<string>): Json {
  if (!Object.keys(object).some((name) => members.has(name))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.has(name)));
}

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
