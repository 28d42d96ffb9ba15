import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as semconv from '../src/semconv.ts';

const { ATTRIBUTES, FOREIGN_METRICS, METRICS } = semconv;
const src = fileURLToPath(new URL('../src/', import.meta.url));

const constants = Object.entries<unknown>(semconv).filter(
  (entry): entry is [string, string] => /^(ATTR|METRIC|EVENT)_/.test(entry[0]) && typeof entry[1] === 'string',
);
const named = (prefix: string) => constants.filter(([key]) => key.startsWith(prefix)).map(([, name]) => name);
const attributeNames = ATTRIBUTES.map(({ name }) => name);
const metricNames = METRICS.map(({ name }) => name);

describe('the registry', () => {
  test('each constant is called after its name', () => {
    for (const [key, name] of constants) {
      expect(key.replace(/^(ATTR|METRIC|EVENT)_/, ''), key).toBe(name.toUpperCase().replaceAll('.', '_'));
    }
  });

  test('describes every attribute and metric constant, and nothing else, once', () => {
    expect([...attributeNames].sort()).toEqual(named('ATTR_').sort());
    const foreign = FOREIGN_METRICS.map(({ name }) => name);
    expect([...metricNames, ...foreign].sort()).toEqual(named('METRIC_').sort());
  });

  test.each([
    ['attributes', attributeNames],
    ['metrics', metricNames],
  ])('no name is also a namespace of another: %s', (_what, names) => {
    for (const name of names) expect(names.filter((other) => other.startsWith(`${name}.`))).toEqual([]);
  });

  test('every string attribute has a closed set or a shape, others have neither', () => {
    for (const { name, type, values, shape } of ATTRIBUTES) {
      const isText = type === 'string' || type === 'string[]';
      expect((values === undefined ? 0 : 1) + (shape === undefined ? 0 : 1), name).toBe(isText ? 1 : 0);
    }
  });

  test('closed values are low-cardinality lower_snake words under 256 bytes', () => {
    for (const { name, values = [] } of ATTRIBUTES) {
      for (const value of values) expect(value, name).toMatch(/^[a-z][a-z_]{0,60}$/);
    }
  });

  test('what a metric carries is described, and may stand on a metric', () => {
    const onMetrics = ATTRIBUTES.filter(({ places }) => places.includes('metric')).map(({ name }) => name);
    for (const metric of METRICS)
      expect(onMetrics, metric.name).toEqual(expect.arrayContaining([...metric.attributes]));
    expect(onMetrics).toEqual(expect.arrayContaining([...semconv.REASONING_METRIC_ATTRIBUTES]));
    expect(onMetrics).toEqual(expect.arrayContaining([...semconv.GEN_AI_METRIC_ATTRIBUTES]));
    const used = new Set([
      ...METRICS.flatMap(({ attributes }) => attributes),
      ...semconv.REASONING_METRIC_ATTRIBUTES,
      ...semconv.GEN_AI_METRIC_ATTRIBUTES,
    ]);
    expect(onMetrics.filter((name) => !used.has(name))).toEqual([]);
  });

  test('ids, paths and raw model pairs never stand on a metric', () => {
    for (const { name, shape, places } of ATTRIBUTES) {
      if (shape === 'id' || shape === 'span_id' || shape === 'path') expect(places, name).not.toContain('metric');
    }
    expect(METRICS.flatMap(({ attributes }) => attributes)).not.toContain(semconv.ATTR_REASONING_SWITCH_FROM);
  });

  test('counts have their unit in braces, so that no route to Prometheus renames them', () => {
    for (const { name, unit } of METRICS) expect(unit, name).toMatch(/^(s|\{[A-Za-z]+\})$/);
  });

  test('series that start at 0 hold allowed values of attributes that the metric has, never a tool name', () => {
    const allowed = new Map(ATTRIBUTES.map((attribute) => [attribute.name, attribute]));
    for (const metric of METRICS) {
      for (const zero of metric.zeros ?? []) {
        expect(Object.keys(zero), metric.name).toEqual(metric.attributes);
        expect(zero).not.toHaveProperty([semconv.ATTR_GEN_AI_TOOL_NAME]);
        for (const [name, value] of Object.entries(zero)) {
          const values = allowed.get(name)?.values;
          if (values !== undefined) expect(values).toContain(value);
        }
      }
    }
  });

  test('a reason starts at 0 only with the source that can have it', () => {
    const zeros = METRICS.find(({ name }) => name === semconv.METRIC_REASONING_BLOCKS_DROPPED)?.zeros ?? [];
    const pairs = zeros.map((zero) => Object.values(zero).join(' '));
    expect(pairs).toContain('omitted_in_cycle client');
    expect(pairs).toContain('model_mismatch server');
    expect(pairs).not.toContain('omitted_in_cycle server');
    expect(pairs).not.toContain('model_mismatch client');
    expect(pairs.filter((pair) => pair.startsWith('compaction'))).toEqual([]);
    expect(new Set(pairs).size).toBe(pairs.length);
  });
});

test('nothing in src spells a telemetry name but semconv.ts', () => {
  const all = new Set([...attributeNames, ...metricNames]);
  const strays: string[] = [];
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file === 'semconv.ts') continue;
    const code = readFileSync(join(src, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    for (const [, literal = ''] of code.matchAll(/['"`]((?:reasoning|gen_ai)\.[\w.]*)/g)) {
      // Dialects, simulators and advice name providers' own fields that happen to begin so, never a name of the registry.
      if (/^(dialects|simulator)\/|^advice\.ts$/.test(file) && literal.startsWith('reasoning.') && !all.has(literal))
        continue;
      strays.push(`${file}: ${literal}`);
    }
  }
  expect(strays).toEqual([]);
});
