import { asList, isWire, type Wire } from './json.ts';

/** Arguments that fit a tool's JSON Schema, as far as types, enums and required members go. */
export function sampleInput(schema: unknown, random: number): Wire {
  if (!isWire(schema)) return {};
  const input: Record<string, unknown> = {};
  const properties = isWire(schema.properties) ? schema.properties : {};
  for (const name of asList(schema.required).map(String)) input[name] = sampleValue(properties[name], random);
  return input;
}

export function sampleValue(schema: unknown, random: number): unknown {
  if (!isWire(schema)) return 'sample';
  const options = asList(schema.enum);
  if (options.length > 0) return options[Math.floor(random * options.length)];
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1 + Math.floor(random * 9);
    case 'boolean':
      return random < 0.5;
    case 'array':
      return [sampleValue(schema.items, random)];
    case 'object':
      return sampleInput(schema, random);
    default:
      return `sample-${Math.floor(random * 1000)}`;
  }
}
