import { vendorOf } from '../vendors.ts';

/**
 * What the Interactions API needs to know of a model. Read 2026-11-30 from ai.google.dev: gemini-api/docs/interactions,
 * .../thinking and .../thought-signatures.
 */
export interface Model {
  readonly id: string;
  readonly vendor: string;
  /** Version times ten; undefined for an alias, or an agent. */
  readonly generation: number | undefined;
  readonly tier: number;
  /** Reads the reasoning of earlier turns ("thought preservation"). */
  readonly readsEarlier: boolean;
  /** Level where the request names none. */
  readonly level: string | undefined;
  readonly on: boolean | undefined;
}

/** Versions from which on a rule holds, and lines with a default of their own. */
const READS_EARLIER = 35;
const TIERS: readonly (readonly [RegExp, number])[] = [
  [/flash-lite/, 1],
  [/flash/, 2],
  [/pro/, 3],
  [/argon/, 4],
];
const LEVELS: readonly (readonly [RegExp, string])[] = [
  [/^gemini-3\.1-flash-lite/, 'minimal'],
  [/^gemini-3(?:\.1)?-/, 'high'],
  [/^gemini-3\.[5-9]-/, 'medium'],
  [/^gemini-2\.5-flash-lite/, 'off'],
  [/^gemini-2\.5-/, 'dynamic'],
];

const cache = new Map<string, Model>();
const MAX_CACHED = 500;

/** @param name a model, or an agent */
export function readModel(name: string): Model {
  let model = cache.get(name);
  if (model === undefined) {
    model = read(name);
    if (cache.size < MAX_CACHED) cache.set(name, model);
  }
  return model;
}

function read(name: string): Model {
  const id = name
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[:@].*$/, '')
    .replace(/-(?:\d{2}-\d{2}|\d{2}-\d{4}|20\d{6}|\d{3})$/, '')
    .replace(/-(?:preview|exp)(?=-|$)/, '');
  const version = /^gemini-(\d{1,2})(?:\.(\d))?/.exec(id);
  const generation = version === null ? undefined : Number(version[1]) * 10 + Number(version[2] ?? 0);
  const level = LEVELS.find(([pattern]) => pattern.test(id))?.[1];
  return {
    id,
    vendor: makerOf(name),
    generation,
    tier: TIERS.find(([pattern]) => pattern.test(id))?.[1] ?? 0,
    // An alias without a version stands for the newest.
    readsEarlier: generation === undefined ? id.endsWith('-latest') : generation >= READS_EARLIER,
    level,
    on: level === undefined ? undefined : level !== 'off',
  };
}

/** Only Google's models and agents are served by this API, by whatever name; histories may come from others. */
export function makerOf(model: string): string {
  const vendor = vendorOf(model);
  return vendor === 'unknown' ? 'google' : vendor;
}
