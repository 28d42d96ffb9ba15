import { isWire } from '../json.ts';

/** Members whose keys are not the API's own. */
const OPAQUE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'responseFormat',
  'labels',
]);

/** The body with its members in camel case: both spellings are taken. https://protobuf.dev/programming-guides/json/ */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isWire(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [name, OPAQUE.has(name) ? inner : camelCased(inner)];
    }),
  );
}
