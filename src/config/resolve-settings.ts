import * as v from 'valibot';
import type { ModelRows, ReasoningOptions, ReasoningSettings, Setting } from '../config.ts';
import { SETTINGS } from '../config.ts';
import { readJsonObject } from './read-json-object.ts';
import { readPrices } from './read-prices.ts';

export interface ResolvedSettings {
  readonly settings: ReasoningSettings;
  /** What is wrong, one line each. The default stands in its place. */
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Report = (problem: string) => void;

/** Longest piece of a wrong value that a message repeats. */
const QUOTED = 60;

function quote(given: unknown): string {
  const text = typeof given === 'string' ? JSON.stringify(given) : String(given);
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}

/** What was given for one setting: in code, else in the environment (an empty variable counts as unset), else nothing. */
function settle<T>(row: Setting<T>, name: string, option: unknown, env: Environment, report: Report): T {
  const inCode = row.option && option !== undefined;
  const text = env[row.env]?.trim();
  if (!inCode && (text === undefined || text === '')) return row.fallback;
  const given = inCode ? option : text;
  const parsed = v.safeParse(inCode ? row.value : row.fromText, given);
  if (parsed.success) return parsed.output;
  const what = row.secret ? 'is not usable' : `is ${quote(given)}`;
  report(`${inCode ? `option ${name}` : row.env} ${what}: expected ${row.expected}; using the default (${row.shown})`);
  return row.fallback;
}

/**
 * Reads what is set, in code or in the environment. Never throws: what is wrong is told in one line each, naming the
 * variable or option, and for what stands in a file also the file and the place in it.
 */
export function resolveSettings(options: ReasoningOptions = {}, env: Environment = process.env): ResolvedSettings {
  const problems: string[] = [];
  const report: Report = (problem) => problems.push(problem);
  const given: Readonly<Record<string, unknown>> = { ...options };
  const read = <T>(name: string, row: Setting<T>): T => settle(row, name, given[name], env, report);
  const nameOf = (name: 'models' | 'prices'): string =>
    given[name] === undefined ? SETTINGS[name].env : `option ${name}`;
  const models = objectOf(read('models', SETTINGS.models), nameOf('models'), report);
  const prices = objectOf(read('prices', SETTINGS.prices), nameOf('prices'), report);
  return {
    settings: {
      disabled: read('disabled', SETTINGS.disabled),
      sdk: read('sdk', SETTINGS.sdk),
      exitFlush: read('exitFlush', SETTINGS.exitFlush),
      models,
      ledgerMaxEntries: read('ledgerMaxEntries', SETTINGS.ledgerMaxEntries),
      ledgerMaxAge: read('ledgerMaxAge', SETTINGS.ledgerMaxAge),
      digestKey: read('digestKey', SETTINGS.digestKey),
      onFinding: read('onFinding', SETTINGS.onFinding),
      metricAttributes: read('metricAttributes', SETTINGS.metricAttributes),
      prices: prices && readPrices(prices.rows, (problem) => report(`${prices.source}: ${problem}`)),
    },
    problems,
  };
}

function objectOf(
  value: string | Readonly<Record<string, unknown>> | undefined,
  name: string,
  report: Report,
): ModelRows | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return { source: name, rows: value };
  const read = readJsonObject(value);
  if (typeof read !== 'string') return { source: value, rows: read };
  report(`${name}: ${value}: ${read}; going on without it`);
  return undefined;
}
