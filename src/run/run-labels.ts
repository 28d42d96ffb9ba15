import { type Attributes, type AttributeValue, diag } from '@opentelemetry/api';
import { VALUE_OTHER } from '../semconv.ts';

/** Namespaces of what is written here; a user's attribute among them would say something else than documented. */
const OURS = /^(?:reasoning|gen_ai)(?:\.|$)|^error\.type$/;
/**
 * Distinct values of one attribute on metrics before the rest becomes `_OTHER`. Each is a whole set of series, zeros
 * included, and an SDK keeps 2,000 series a metric.
 */
const MAX_VALUES = 50;
const MAX_LENGTH = 256;

const known = new Map<string, Set<AttributeValue>>();
const said = new Set<string>();

function sayOnce(sentence: string): void {
  if (said.has(sentence)) return;
  said.add(sentence);
  diag.warn(`reasoning-otel: ${sentence}`);
}

/** The user's own attributes as they may stand on the span of a run. */
export function spanAttributes(given: Readonly<Attributes> | undefined): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (OURS.test(name))
      sayOnce(`attribute ${name} of a run is left out: reasoning.*, gen_ai.* and error.type are names of ours`);
    else if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}

/** Of these, the ones that are declared for metrics. Text, number or boolean; a list has no place on a metric. */
export function metricLabels(attributes: Attributes, declared: readonly string[] | undefined): Attributes {
  const labels: Attributes = {};
  for (const name of declared ?? []) {
    const value = attributes[name];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    labels[name] = boundedValue(name, value);
  }
  return labels;
}

function boundedValue(name: string, value: string | number | boolean): AttributeValue {
  const values = known.get(name) ?? new Set<AttributeValue>();
  known.set(name, values);
  if (values.has(value)) return value;
  if (values.size >= MAX_VALUES || (typeof value === 'string' && value.length > MAX_LENGTH)) return VALUE_OTHER;
  values.add(value);
  return value;
}
