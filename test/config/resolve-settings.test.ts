import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config/read-settings.ts';
import { resolveSettings } from '../../src/config/resolve-settings.ts';
import { SETTINGS } from '../../src/config.ts';
import { processContext } from '../../src/context.ts';

const folder = mkdtempSync(join(tmpdir(), 'reasoning-otel-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('what is set', () => {
  it('is the defaults where nothing is given, or an empty variable', () => {
    const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback]));
    expect(resolveSettings({}, {})).toEqual({ settings: defaults, problems: [] });
    const empty = Object.fromEntries(Object.values(SETTINGS).map(({ env }) => [env, ' ']));
    expect(resolveSettings({}, empty)).toEqual({ settings: defaults, problems: [] });
  });

  it.each([
    ['REASONING_OTEL_DISABLED', 'TRUE', 'disabled', true],
    ['REASONING_OTEL_DISABLED', '0', 'disabled', false],
    ['REASONING_OTEL_SDK', 'OFF', 'sdk', 'off'],
    ['REASONING_OTEL_EXIT_FLUSH', 'no', 'exitFlush', false],
    ['REASONING_OTEL_LEDGER_MAX_ENTRIES', '25', 'ledgerMaxEntries', 25],
    ['REASONING_OTEL_LEDGER_MAX_AGE', '1500', 'ledgerMaxAge', 1500],
    ['REASONING_OTEL_LEDGER_MAX_AGE', '90s', 'ledgerMaxAge', 90_000],
    ['REASONING_OTEL_LEDGER_MAX_AGE', '1.5 h', 'ledgerMaxAge', 5_400_000],
    ['REASONING_OTEL_DIGEST_KEY', 'sixteen letters!', 'digestKey', 'sixteen letters!'],
    ['REASONING_OTEL_MODE', 'record', 'onFinding', 'record'],
    ['REASONING_OTEL_MODE', 'Warn', 'onFinding', 'warn'],
    ['REASONING_OTEL_MODE', 'strict', 'onFinding', 'throw'],
    ['REASONING_OTEL_METRIC_ATTRIBUTES', 'team, tenant.tier', 'metricAttributes', ['team', 'tenant.tier']],
  ] as const)('%s=%s', (variable, text, name, value) => {
    const { settings, problems } = resolveSettings({}, { [variable]: text });
    expect(problems).toEqual([]);
    expect(settings[name]).toEqual(value);
  });

  it('in code is stronger than the environment, false included', () => {
    const env = { REASONING_OTEL_DISABLED: 'true', REASONING_OTEL_LEDGER_MAX_ENTRIES: '5' };
    const { settings } = resolveSettings({ disabled: false, ledgerMaxEntries: 7 }, env);
    expect(settings).toMatchObject({ disabled: false, ledgerMaxEntries: 7 });
  });

  it('cannot be given in code where it is register that asks', () => {
    const options: Record<string, unknown> = { sdk: 'off', exitFlush: false };
    expect(resolveSettings(options, {}).settings).toMatchObject({ sdk: 'auto', exitFlush: true });
  });

  it.each([
    ['REASONING_OTEL_DISABLED', 'tru', 'disabled'],
    ['REASONING_OTEL_SDK', 'on', 'sdk'],
    ['REASONING_OTEL_EXIT_FLUSH', 'never', 'exitFlush'],
    ['REASONING_OTEL_LEDGER_MAX_ENTRIES', '-3', 'ledgerMaxEntries'],
    ['REASONING_OTEL_LEDGER_MAX_ENTRIES', '1e9', 'ledgerMaxEntries'],
    ['REASONING_OTEL_LEDGER_MAX_AGE', 'soon', 'ledgerMaxAge'],
    ['REASONING_OTEL_LEDGER_MAX_AGE', '0', 'ledgerMaxAge'],
    ['REASONING_OTEL_MODE', 'throw', 'onFinding'],
    ['REASONING_OTEL_METRIC_ATTRIBUTES', 'team,,tenant', 'metricAttributes'],
    ['REASONING_OTEL_METRIC_ATTRIBUTES', 'reasoning.continuity', 'metricAttributes'],
    ['REASONING_OTEL_METRIC_ATTRIBUTES', 'error.type', 'metricAttributes'],
  ] as const)('%s=%s is one line that names it, and the default', (variable, text, name) => {
    const { settings, problems } = resolveSettings({}, { [variable]: text });
    const { expected, fallback, shown } = SETTINGS[name];
    expect(problems).toEqual([
      `${variable} is ${JSON.stringify(text)}: expected ${expected}; using the default (${shown})`,
    ]);
    expect(settings[name]).toBe(fallback);
  });

  it('names an option by its name', () => {
    const options: Record<string, unknown> = { ledgerMaxAge: '24h' };
    expect(resolveSettings(options, {}).problems).toEqual([
      `option ledgerMaxAge is "24h": expected ${SETTINGS.ledgerMaxAge.expected}; using the default (24h)`,
    ]);
  });

  it('never repeats a key, and cuts what is long', () => {
    const { problems } = resolveSettings(
      {},
      { REASONING_OTEL_DIGEST_KEY: 'hunter2', REASONING_OTEL_SDK: 'x'.repeat(500) },
    );
    expect(problems.join('\n')).not.toContain('hunter2');
    expect(problems).toHaveLength(2);
    for (const problem of problems) expect(problem.length).toBeLessThan(200);
  });
});

describe('rows for further models', () => {
  it('are read from the file, and named by it', () => {
    const path = file('rows.json', '\uFEFF{ "anthropic.messages": { "models": {} } }');
    const { settings, problems } = resolveSettings({}, { REASONING_OTEL_MODELS: path });
    expect(problems).toEqual([]);
    expect(settings.models).toEqual({ source: path, rows: { 'anthropic.messages': { models: {} } } });
  });

  it('are taken as an object, or a path, in code', () => {
    const rows = { 'anthropic.messages': {} };
    expect(resolveSettings({ models: rows }, {}).settings.models).toEqual({ source: 'option models', rows });
    const path = file('option.json', '{}');
    expect(resolveSettings({ models: path }, {}).settings.models).toEqual({ source: path, rows: {} });
  });

  it.each([
    ['absent.json', undefined, 'no such file'],
    ['broken.json', '{\n  "a": 1,\n  b: 2\n}', 'line 3, column 3: expected a name in double quotes'],
    ['empty.json', '', 'line 1, column 1: the text ends too early'],
    ['list.json', '[]', 'expected an object'],
  ])('%s is one line that names variable, file and place', (name, text, why) => {
    const path = text === undefined ? join(folder, name) : file(name, text);
    const { settings, problems } = resolveSettings({}, { REASONING_OTEL_MODELS: path });
    expect(problems).toEqual([`REASONING_OTEL_MODELS: ${path}: ${why}; going on without it`]);
    expect(settings.models).toBeUndefined();
  });

  it('from a folder is told by its code', () => {
    expect(resolveSettings({ models: folder }, {}).problems).toEqual([
      `option models: ${folder}: cannot be read (EISDIR); going on without it`,
    ]);
  });
});

describe('prices', () => {
  it('are read from a file or an object', () => {
    const prices = { 'claude-sonnet-5-5': { input: 3, output: 15, cacheRead: 0.3 }, free: {} };
    expect(resolveSettings({ prices }, {})).toMatchObject({ settings: { prices }, problems: [] });
    const path = file('prices.json', JSON.stringify(prices));
    expect(resolveSettings({}, { REASONING_OTEL_PRICES: path })).toMatchObject({ settings: { prices }, problems: [] });
  });

  it.each([
    [{ m: { input: '3' } }, 'm.input: expected a number of USD per million tokens'],
    [{ m: { input: -1 } }, 'm.input: expected a number from 0'],
    [{ m: { ouput: 1 } }, 'm.ouput: no such price: there are input, output, cacheRead'],
    [{ m: 3 }, 'm: expected an object'],
  ])('%j is one line that names the place, and the others are used', (rows, why) => {
    const { settings, problems } = resolveSettings({ prices: { ...rows, other: { input: 1 } } }, {});
    expect(problems).toEqual([`option prices: ${why}; going on without it`]);
    expect(settings.prices).toEqual({ other: { input: 1 } });
  });
});

it('what was given in code stays, where whoever sets things up second leaves it out', () => {
  readSettings({ ledgerMaxEntries: 7, onFinding: 'warn' });
  expect(readSettings()).toMatchObject({ ledgerMaxEntries: 7, onFinding: 'warn' });
  expect(readSettings({ onFinding: 'record' })).toMatchObject({ ledgerMaxEntries: 7, onFinding: 'record' });
  processContext().settings.given = {};
});

it('inside an application a problem is said once, through diag', () => {
  const lines: unknown[][] = [];
  const log = (...args: unknown[]) => lines.push(args);
  diag.setLogger({ error: log, warn: log, info: log, debug: log, verbose: log }, { logLevel: DiagLogLevel.WARN });
  const options: Record<string, unknown> = { ledgerMaxEntries: 0 };
  expect(readSettings(options).ledgerMaxEntries).toBe(10_000);
  readSettings(options);
  diag.disable();
  expect(lines).toEqual([['reasoning-otel', expect.stringMatching(/^option ledgerMaxEntries is 0: /)]]);
});

it('docs/configuration.md holds every setting with its default', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  for (const { env, shown, brief } of Object.values(SETTINGS)) {
    const line = page.split('\n').find((text) => text.startsWith(`| \`${env}\``));
    expect(line).toContain(shown);
    expect(line).toContain(brief);
  }
});
