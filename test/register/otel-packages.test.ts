import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isInRange, OTEL_RANGE, otelPackages, rangeProblem } from '../../src/register/otel-packages.ts';

it('the range that is spoken of is the one that is declared', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const ranges = Object.entries(dependencies).flatMap(([name, range]) =>
    name.startsWith('@opentelemetry/') ? [range] : [],
  );
  expect(new Set(ranges)).toEqual(new Set([OTEL_RANGE]));
});

it.each([
  ['0.199.1', false],
  ['0.200.0', true],
  ['0.223.0', true],
  ['0.301.4', true],
  ['0.302.0', false],
  ['1.200.0', false],
])('%s: %s', (version, expected) => {
  expect(isInRange(version)).toBe(expected);
});

it('what is installed here is inside, and its packages are found', () => {
  expect(rangeProblem()).toBeUndefined();
  const { isLine3, load } = otelPackages();
  expect(isLine3).toBe(true);
  expect(load<object>('@opentelemetry/otlp-transformer', '@opentelemetry/exporter-trace-otlp-http')).toHaveProperty(
    'JsonTraceSerializer',
  );
});
