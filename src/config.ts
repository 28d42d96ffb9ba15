import * as v from 'valibot';
import type { PriceTable } from './emit/cost.ts';
import { METRIC_REASONING_COST } from './semconv.ts';

/** JSON with rows for models that this release does not know, as it was read; a dialect checks the rows. */
export interface ModelRows {
  /** Where they come from, for messages: a path, or the name of the option. */
  readonly source: string;
  readonly rows: Readonly<Record<string, unknown>>;
}

/** One thing that a user can set. Everything that is documented about it stands here. */
export interface Setting<T> {
  /** Environment variable. */
  readonly env: string;
  /** Whether it is also an option in code, under its key in the table. Some only concern `register`. */
  readonly option: boolean;
  /** What is to be given, in words that fit into "expected …". */
  readonly expected: string;
  /** From the text of the variable to the value. */
  readonly fromText: v.GenericSchema<string, T>;
  /** The value as an option in code. */
  readonly value: v.GenericSchema<unknown, T>;
  readonly fallback: T;
  /** The fallback in words. */
  readonly shown: string;
  readonly brief: string;
  /** Never repeated in a message. */
  readonly secret?: boolean;
}

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};
const truth = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.check((text) => Object.hasOwn(WORDS, text)),
  v.transform((text) => WORDS[text] === true),
);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/;
const milliseconds = v.pipe(v.number(), v.finite(), v.minValue(1));
const duration = v.pipe(
  v.string(),
  v.regex(DURATION),
  v.transform((text) => {
    const [, amount = '', unit = 'ms'] = DURATION.exec(text) ?? [];
    return Number(amount) * (UNITS[unit] ?? 1);
  }),
  milliseconds,
);

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const countText = v.pipe(v.string(), v.digits(), v.transform(Number), count);

const modeOfSdk = v.picklist(['auto', 'off']);
const key = v.pipe(v.string(), v.minLength(16));
const path = v.pipe(v.string(), v.nonEmpty());
const rows = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const MODES = { record: 'record', warn: 'warn', strict: 'throw' } as const;
const onFinding = v.picklist(['record', 'warn', 'throw']);
const modeText = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(['record', 'warn', 'strict']),
  v.transform((mode) => MODES[mode]),
);

/** Of the user's own, so none that is spelt as ours are. */
const attributeName = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(?!(?:reasoning|gen_ai)(?:\.|$)|error\.type$)[A-Za-z][\w.-]{0,63}$/),
);
const attributeNames = v.pipe(v.array(attributeName), v.maxLength(10), v.readonly());
const attributeNamesText = v.pipe(
  v.string(),
  v.transform((text) => text.split(',')),
  attributeNames,
);

/** Keeps the type of the value where a literal alone would narrow it to the fallback. */
const setting = <T>(row: Setting<T>): Setting<T> => row;

/**
 * Everything that a user can set; documentation and validation are made from it. An option in code is stronger than the
 * environment, also where it says `false`.
 */
export const SETTINGS = {
  disabled: setting<boolean>({
    env: 'REASONING_OTEL_DISABLED',
    option: true,
    expected: 'true or false',
    fromText: truth,
    value: v.boolean(),
    fallback: false,
    shown: 'false',
    brief: 'Switches everything off: nothing is hooked, observed or sent.',
  }),
  sdk: setting<'auto' | 'off'>({
    env: 'REASONING_OTEL_SDK',
    option: false,
    expected: 'auto or off',
    fromText: v.pipe(v.string(), v.toLowerCase(), modeOfSdk),
    value: modeOfSdk,
    fallback: 'auto',
    shown: 'auto',
    brief:
      'What `register` does where no OpenTelemetry SDK is registered: `auto` starts one from the `OTEL_*` variables, ' +
      '`off` leaves that to the application.',
  }),
  exitFlush: setting<boolean>({
    env: 'REASONING_OTEL_EXIT_FLUSH',
    option: false,
    expected: 'true or false',
    fromText: truth,
    value: v.boolean(),
    fallback: true,
    shown: 'true',
    brief:
      'Whether a process that ends at once (`process.exit()`, an uncaught error) with telemetry unsent starts one child ' +
      'process that posts it, for one second at most. Only with the SDK that `register` started.',
  }),
  models: setting<string | Readonly<Record<string, unknown>> | undefined>({
    env: 'REASONING_OTEL_MODELS',
    option: true,
    expected: 'the path of a JSON file, or an object',
    fromText: path,
    value: v.union([path, rows]),
    fallback: undefined,
    shown: 'none',
    brief:
      'JSON file with rows for models that this release does not know, by API. As an option also the object itself.',
  }),
  ledgerMaxEntries: setting<number>({
    env: 'REASONING_OTEL_LEDGER_MAX_ENTRIES',
    option: true,
    expected: 'a whole number from 1',
    fromText: countText,
    value: count,
    fallback: 10_000,
    shown: '10000',
    brief: 'Responses remembered at most. The oldest go first; a block of a forgotten response is unknown.',
  }),
  ledgerMaxAge: setting<number>({
    env: 'REASONING_OTEL_LEDGER_MAX_AGE',
    option: true,
    expected: 'a duration such as 90s, 30m, 24h, or milliseconds',
    fromText: duration,
    value: milliseconds,
    fallback: 86_400_000,
    shown: '24h',
    brief: 'After which a response that nothing has touched is forgotten. In code a number of milliseconds.',
  }),
  digestKey: setting<string | undefined>({
    env: 'REASONING_OTEL_DIGEST_KEY',
    option: true,
    expected: 'at least 16 characters',
    fromText: key,
    value: key,
    fallback: undefined,
    shown: 'drawn anew by each process',
    brief: 'Key of the digests that leave a process. Processes that are to recognise one another share it.',
    secret: true,
  }),
  onFinding: setting<'record' | 'warn' | 'throw'>({
    env: 'REASONING_OTEL_MODE',
    option: true,
    expected: 'record, warn or strict (in code: record, warn or throw)',
    fromText: modeText,
    value: onFinding,
    fallback: 'record',
    shown: 'record',
    brief:
      'What happens on a loss beside its being recorded: `warn` says each in one line, with its place and the mend; `strict` ' +
      '(in code `throw`) sends no request that is certain to lose reasoning: the call fails with a `ReasoningContinuityError`. ' +
      'For development and tests.',
  }),
  metricAttributes: setting<readonly string[]>({
    env: 'REASONING_OTEL_METRIC_ATTRIBUTES',
    option: true,
    expected: 'up to ten names of attributes of your own, separated by commas (in code a list)',
    fromText: attributeNamesText,
    value: attributeNames,
    fallback: [],
    shown: 'none',
    brief:
      'Which attributes that `withRun()` is given stand on metrics too. Of each, 50 values a process; further ones are ' +
      '`_OTHER`.',
  }),
  prices: setting<string | Readonly<Record<string, unknown>> | undefined>({
    env: 'REASONING_OTEL_PRICES',
    option: true,
    expected: 'the path of a JSON file, or an object',
    fromText: path,
    value: v.union([path, rows]),
    fallback: undefined,
    shown: 'none',
    brief:
      'JSON file with prices in USD per million tokens, by model: `{ "claude-sonnet-5-5": { "input": 3, "output": 15, ' +
      `"cacheRead": 0.3 } }\`. Only with them is there a \`${METRIC_REASONING_COST}\`. As an option also the object itself.`,
  }),
} as const;

type ValueOf<K extends keyof typeof SETTINGS> = (typeof SETTINGS)[K]['fallback'];

/** What is set, checked and whole. */
export type ReasoningSettings = {
  readonly [K in Exclude<keyof typeof SETTINGS, 'models' | 'prices'>]: ValueOf<K>;
} & { readonly models: ModelRows | undefined; readonly prices: PriceTable | undefined };

/** What can be given in code; what is left out comes from the environment. */
export interface ReasoningOptions {
  /** Switches everything off. */
  disabled?: boolean;
  /** Path of a JSON file, or the object that it would hold: rows for models that this release does not know, by API. */
  models?: string | Readonly<Record<string, unknown>>;
  /** Responses remembered at most. */
  ledgerMaxEntries?: number;
  /** Milliseconds after which a response that nothing has touched is forgotten. */
  ledgerMaxAge?: number;
  /** Key of the digests that leave the process, at least 16 characters. */
  digestKey?: string;
  /**
   * What happens on a loss: it is recorded, also said in one line (`warn`), or the request is not sent (`throw`): the call
   * then fails with a `ReasoningContinuityError`, for losses that are certain before the request leaves.
   */
  onFinding?: 'record' | 'warn' | 'throw';
  /** Names of the attributes given to `withRun()` that stand on metrics too. */
  metricAttributes?: readonly string[];
  /** Path of a JSON file, or the object that it would hold: USD per million tokens, by model. */
  prices?: string | Readonly<Record<string, unknown>>;
}
