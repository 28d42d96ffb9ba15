import { createModelResolver, type ExtraRows } from '../model-resolver.ts';
import { type VendorRows, vendorOf } from '../vendors.ts';

/**
 * What is known of each Claude model, as data. Read 2026-11-30 from platform.claude.com: build-with-claude/thinking,
 * .../preserved-thinking, .../preserved-thinking/prefix-checks and the pages of the single models.
 */
/** What a `thinking.type` (or its absence) comes to: reasoning on, off, or a refused request. */
type Outcome = 'on' | 'off' | 'refused';

export interface ModelRow {
  /** Newer generations read older ones' blocks; the order, not the number, matters. */
  readonly generation: number;
  /** Size class inside a generation: haiku 1, sonnet 2, opus 3, above 4. */
  readonly tier: number;
  readonly omitted: Outcome;
  readonly adaptive: Outcome;
  readonly enabled: Outcome;
  readonly betweenTools: Outcome;
  readonly disabled: Outcome;
  /** `display` where the request does not say: what the text of a block holds. */
  readonly display: 'full' | 'summarized' | 'omitted';
  /** Earlier turns' reasoning stays in the model's context; otherwise the API itself strips it after each turn. */
  readonly keepsAll: boolean;
  /** Ties a block to the conversation before it. `disputed`: sources disagree, the stricter reading is judged. */
  readonly prefixCheck: boolean | 'disputed';
  /** Its blocks work only in the account that produced them. */
  readonly accountBound: boolean;
  /** Thinks between tool calls without being asked to by a beta header. */
  readonly interleaves: boolean;
}

const MANUAL: ModelRow = {
  generation: 40,
  tier: 2,
  omitted: 'off',
  adaptive: 'refused',
  enabled: 'on',
  betweenTools: 'refused',
  disabled: 'off',
  display: 'summarized',
  keepsAll: false,
  prefixCheck: false,
  accountBound: false,
  interleaves: false,
};
const TRANSITION: ModelRow = { ...MANUAL, generation: 46, adaptive: 'on', keepsAll: true, interleaves: true };
const ADAPTIVE: ModelRow = { ...TRANSITION, generation: 47, tier: 3, enabled: 'refused', display: 'omitted' };
const ALWAYS: ModelRow = { ...ADAPTIVE, generation: 50, tier: 4, omitted: 'on', disabled: 'refused' };
const BOUND: ModelRow = { ...ALWAYS, generation: 55, prefixCheck: true };

/** By normalised id, matched whole: `claude-sonnet-4` is a prefix of `claude-sonnet-4-6`, whose rules differ. */
export const MODELS: Readonly<Record<string, ModelRow>> = {
  'claude-3-7-sonnet': { ...MANUAL, generation: 37, display: 'full' },
  'claude-sonnet-4': MANUAL,
  'claude-sonnet-4-0': MANUAL,
  'claude-opus-4': { ...MANUAL, tier: 3 },
  'claude-opus-4-0': { ...MANUAL, tier: 3 },
  'claude-opus-4-1': { ...MANUAL, generation: 41, tier: 3 },
  'claude-haiku-4-5': { ...MANUAL, generation: 45, tier: 1 },
  'claude-sonnet-4-5': { ...MANUAL, generation: 45 },
  'claude-opus-4-5': { ...MANUAL, generation: 45, tier: 3, keepsAll: true },
  'claude-sonnet-4-6': TRANSITION,
  'claude-opus-4-6': { ...TRANSITION, tier: 3 },
  'claude-opus-4-7': ADAPTIVE,
  'claude-opus-4-8': { ...ADAPTIVE, generation: 48 },
  'claude-mythos-preview': { ...ALWAYS, generation: 49, enabled: 'on' },
  'claude-sonnet-5': { ...ALWAYS, tier: 2, disabled: 'off' },
  'claude-opus-5': { ...ALWAYS, tier: 3, disabled: 'off' },
  'claude-fable-5': ALWAYS,
  'claude-mythos-5': ALWAYS,
  'claude-haiku-5-5': { ...BOUND, tier: 1, disabled: 'off', accountBound: true },
  // `between_tools` leaves the thinking between calls on and only the up-front thinking off.
  'claude-sonnet-5-5': { ...BOUND, tier: 2, betweenTools: 'on', accountBound: true },
  'claude-opus-5-5': { ...BOUND, tier: 3 },
  'claude-fable-5-1': BOUND,
  // preserved-thinking of October says that it runs no check, prefix-checks of November that it does.
  'claude-mythos-5-1': { ...BOUND, prefixCheck: 'disputed' },
  'claude-fable-5-2': { ...BOUND, generation: 56 },
  'claude-mythos-5-2': { ...BOUND, generation: 56 },
};

/** `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4-5@20251101`, `anthropic/claude-opus-4.5` → `claude-opus-4-5`. */
export function normaliseModel(id: string): string {
  const base = id
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z-]+\.)?anthropic\./, '')
    .replace(/@.*$/, '')
    .replace(/(?::\d+)$/, '')
    .replace(/-v\d+$/, '')
    // Spellings of clients and proxies: a context size in brackets, a thinking variant.
    .replace(/\[\d+[km]\]$/, '')
    .replace(/[-:]thinking$/, '');
  if (!base.startsWith('claude')) return base;
  return base
    .replace(/:.*$/, '')
    .replaceAll('.', '-')
    .replace(/-(?:20\d{6}|latest)$/, '')
    .replace(/^claude-(\d)-(\d)-(opus|sonnet|haiku)$/, (whole, major, minor, family) =>
      `${major}-${minor}` === '3-7' || major === '3' ? whole : `claude-${family}-${major}-${minor}`,
    );
}

export interface ResolvedModel {
  readonly id: string;
  readonly vendor: string;
  readonly row: ModelRow | undefined;
  /** False where the row is the nearest known model's, because the id itself is not in the table. */
  readonly exact: boolean;
}

export const resolveModel = createModelResolver((model, extra: ExtraRows<ModelRow>): ResolvedModel => {
  const id = normaliseModel(model);
  const row = extra[id] ?? MODELS[id];
  if (row !== undefined) return { id, vendor: 'anthropic', row, exact: true };
  return { id, vendor: vendorOf(id, OTHER_MAKERS), row: nearestRow(id), exact: false };
});

/** Makers whose models stand beside Claude on Bedrock and behind gateways of this dialect. */
const OTHER_MAKERS: VendorRows = [
  [/llama/, 'meta'],
  [/(^|\.)nova-|^amazon\./, 'amazon'],
  [/mimo/, 'xiaomi'],
];

/**
 * A Claude model newer than this table behaves, as far as anybody can say, like the newest one of its family that is in
 * it; an older one like the manual models. Nothing is assumed of other makers' models.
 */
function nearestRow(id: string): ModelRow | undefined {
  const match = /^claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:-(\d{1,2}))?$/.exec(id);
  if (match === null) return id.startsWith('claude-3') || id.startsWith('claude-2') ? UNTHINKING : undefined;
  const [, family, major, minor] = match;
  const version = Number(major) * 10 + Number(minor ?? 0);
  let best: ModelRow | undefined;
  let bestVersion = -1;
  for (const [known, row] of Object.entries(MODELS)) {
    const parts = new RegExp(`^claude-${family}-(\\d{1,2})(?:-(\\d{1,2}))?$`).exec(known);
    if (parts === null) continue;
    const knownVersion = Number(parts[1]) * 10 + Number(parts[2] ?? 0);
    if (knownVersion <= version && knownVersion > bestVersion) {
      best = row;
      bestVersion = knownVersion;
    }
  }
  return best;
}

/** Claude 3.5 and earlier: no thinking at all. */
const UNTHINKING: ModelRow = { ...MANUAL, generation: 30, enabled: 'refused', disabled: 'off' };
