import { createModelResolver, type ExtraRows } from '../model-resolver.ts';
import { type VendorRows, vendorOf } from '../vendors.ts';

/**
 * What is known of each Gemini model, as data. Read 2026-11-30 from ai.google.dev: gemini-api/docs/models,
 * .../thinking and .../thought-signatures, and the cloud twins of these pages.
 */

/** What a model does where the request says nothing about thinking. */
type Default = 'minimal' | 'low' | 'medium' | 'high' | 'dynamic' | 'off' | 'unknown';

export interface ModelRow {
  /** Version times ten; the order counts, and the ten of it is the family whose seals are taken to be readable in it. */
  readonly generation: number;
  /** Size class inside a generation: flash-lite 1, flash 2, pro 3, above 4. */
  readonly tier: number;
  readonly thinks: Default;
  /** Whether a budget of 0 switches thinking off; `refused`: such a request is; `no`: it thinks all the same. */
  readonly budgetZero: 'off' | 'refused' | 'no' | 'unknown';
  /** `strict`: the first call of each step in the current turn has to carry its seal. `advisory`: it should. */
  readonly seals: 'strict' | 'advisory' | 'none' | 'refused';
  /** Reads the reasoning of earlier turns where their seals are sent ("thought preservation"). */
  readonly readsEarlier: boolean;
}

const GEMINI_3: ModelRow = {
  generation: 30,
  tier: 3,
  thinks: 'high',
  budgetZero: 'no',
  seals: 'strict',
  readsEarlier: false,
};
const PRESERVING: ModelRow = { ...GEMINI_3, generation: 35, tier: 2, thinks: 'medium', readsEarlier: true };
const GEMINI_25: ModelRow = {
  generation: 25,
  tier: 2,
  thinks: 'dynamic',
  budgetZero: 'off',
  seals: 'advisory',
  readsEarlier: false,
};

/** By normalised id. */
export const MODELS: Readonly<Record<string, ModelRow>> = {
  'gemini-4-argon': { ...PRESERVING, generation: 40, tier: 4, thinks: 'unknown', budgetZero: 'unknown' },
  'gemini-3.8-flash': { ...PRESERVING, generation: 38 },
  'gemini-3.7-flash': { ...PRESERVING, generation: 37 },
  'gemini-3.6-flash': { ...PRESERVING, generation: 36 },
  'gemini-3.5-flash': PRESERVING,
  'gemini-3.1-pro': { ...GEMINI_3, generation: 31 },
  'gemini-3.1-flash-lite': { ...GEMINI_3, generation: 31, tier: 1, thinks: 'minimal' },
  'gemini-3-flash': { ...GEMINI_3, tier: 2 },
  'gemini-3-pro': GEMINI_3,
  'gemini-2.5-pro': { ...GEMINI_25, tier: 3, budgetZero: 'refused' },
  'gemini-2.5-flash': GEMINI_25,
  'gemini-2.5-flash-lite': { ...GEMINI_25, tier: 1, thinks: 'off' },
};

const UNTHINKING: ModelRow = { ...GEMINI_25, generation: 20, thinks: 'off', seals: 'none' };
/** Echoed thoughts and signatures are refused there (decolua/9router#2480). */
const GEMMA: ModelRow = { ...GEMINI_25, generation: 0, tier: 0, thinks: 'unknown', seals: 'refused' };

export interface ResolvedModel {
  readonly id: string;
  readonly vendor: string;
  readonly row: ModelRow | undefined;
  /** False where the row is the nearest known model's, because the id itself is not in the table. */
  readonly exact: boolean;
}

/** By a name as requested, or as `modelVersion` gives it. */
export const resolveModel = createModelResolver((model, extra: ExtraRows<ModelRow>): ResolvedModel => {
  const id = normaliseModel(model);
  const row = extra[id] ?? MODELS[id];
  if (row !== undefined) return { id, vendor: 'google', row, exact: true };
  return { id, vendor: makerOf(model), row: nearestRow(id), exact: false };
});

/** `publishers/google/models/gemini-3-pro-preview`, `models/gemini-3-pro-preview-11-2025`, `google/gemini-3-pro` → `gemini-3-pro`. */
export function normaliseModel(id: string): string {
  const base = id
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[:@].*$/, '');
  if (!base.startsWith('gemini')) return base;
  return (
    base
      .replace(/-(?:\d{2}-\d{2}|\d{2}-\d{4}|20\d{6}|\d{3})$/, '')
      .replace(/-(?:preview|exp|experimental)(?:-\d{2}-(?:\d{4}|\d{2}))?(?=-|$)/, '')
      // Spellings of clients and proxies: a level of thinking, a set of tools.
      .replace(/-(?:low|medium|high|minimal|thinking|customtools)$/, '')
  );
}

/** `gemini-3.1-flash-lite` in its parts: version times ten, and size. */
const NAME = /^gemini-(\d{1,2})(?:\.(\d))?(?:-(.*))?$/;

/**
 * A model that is not in the table behaves, as far as anybody can say, like the newest one before it, of its own size
 * where there is one. An alias without a version (`gemini-flash-latest`) stands for the newest.
 */
function nearestRow(id: string): ModelRow | undefined {
  if (id.startsWith('gemma')) return GEMMA;
  const match = NAME.exec(id);
  if (match === null) {
    const line = /^gemini-(flash-lite|flash|pro)-latest$/.exec(id)?.[1];
    return line === undefined ? undefined : newestUpTo(99, line);
  }
  const generation = Number(match[1]) * 10 + Number(match[2] ?? 0);
  return generation <= 20 ? UNTHINKING : newestUpTo(generation, match[3] ?? '');
}

function newestUpTo(generation: number, line: string): ModelRow | undefined {
  let best: ModelRow | undefined;
  let bestRank = -1;
  for (const [known, row] of Object.entries(MODELS)) {
    if (row.generation > generation) continue;
    const size = NAME.exec(known)?.[3] ?? '';
    // Inside a generation the size decides: `flash-lite-001` is a flash-lite, not a flash.
    const rank = row.generation * 100 + (line.startsWith(size) ? size.length : 0);
    if (rank > bestRank) {
      best = row;
      bestRank = rank;
    }
  }
  return best;
}

/** Models tuned by their user have names of their own. */
const OWN: VendorRows = [[/gemini|gemma|learnlm|^tunedModels\/|^projects\/.*\/endpoints\//i, 'google']];

/** Maker behind a model id; this API's shape is also spoken by gateways to others. */
export const makerOf = (model: string): string => vendorOf(model, OWN);
