import { createModelResolver, type ExtraRows } from '../model-resolver.ts';
import { type VendorRows, vendorOf } from '../vendors.ts';

/** Which turns' reasoning the model is shown (`reasoning.context`). `with_tools`: every turn's, as long as the request has tools. */
export type ContextMode = 'current_turn' | 'all_turns' | 'with_tools';

export interface ModelRow {
  /** The order, not the number, matters. */
  readonly generation: number;
  /** Size class inside a generation: nano 1, mini 2, the model itself 3, pro 4. */
  readonly tier: number;
  /** False: a model that does not reason at all. */
  readonly reasons: boolean;
  /** `reasoning.effort` where the request sets none; absent where no page tells. */
  readonly effort?: string;
  /** Every answer begins with reasoning, as long as the effort is not the least. */
  readonly always: boolean;
  /** `reasoning.context` where the request sets none. */
  readonly context?: ContextMode;
  /** Ties reasoning to everything that stood before it (guides/keep-prefix-unchanged: from GPT-6.2 on). */
  readonly prefixCheck: boolean;
  /** Weights that anybody can host: the host's rules are not the maker's. */
  readonly openWeights: boolean;
}

const PLAIN: ModelRow = {
  generation: 40,
  tier: 3,
  reasons: false,
  always: false,
  context: 'current_turn',
  prefixCheck: false,
  openWeights: false,
};
const O_SERIES: ModelRow = { ...PLAIN, generation: 45, reasons: true, effort: 'medium', always: true };
const GPT_5: ModelRow = { ...O_SERIES, generation: 50 };
const ON_REQUEST: ModelRow = { ...GPT_5, generation: 51, effort: 'none', always: false };
const { effort: _unsaid, ...UNSAID }: ModelRow = { ...ON_REQUEST, generation: 54 };
const ALL_TURNS: ModelRow = { ...UNSAID, generation: 56, context: 'all_turns' };

/**
 * What is known of each model that the Responses API serves, as data. Read 2026-11-30 from the reasoning, GPT-6 and
 * GPT-6.2 guides of developers.openai.com and the typings of `openai` 7.59; where a page says nothing, the row says
 * nothing. By family: variants (`-mini`, `-codex`, `-sol` …)  share their family's row but for what their name
 * says.
 */
export const MODELS: Readonly<Record<string, ModelRow>> = {
  'gpt-3.5': { ...PLAIN, generation: 35 },
  'gpt-4': PLAIN,
  'gpt-4o': PLAIN,
  'gpt-4.1': { ...PLAIN, generation: 41 },
  'gpt-4.5': { ...PLAIN, generation: 42 },
  'gpt-oss': { ...UNSAID, generation: 45, openWeights: true },
  o1: { ...O_SERIES, generation: 43 },
  o3: { ...O_SERIES, generation: 44 },
  o4: O_SERIES,
  'gpt-5': GPT_5,
  'gpt-5-chat': { ...PLAIN, generation: 50 },
  'gpt-5.1': ON_REQUEST,
  'gpt-5.2': { ...ON_REQUEST, generation: 52 },
  'gpt-5.3': { ...UNSAID, generation: 53 },
  'gpt-5.4': UNSAID,
  'gpt-5.5': { ...UNSAID, generation: 55 },
  'gpt-5.6': ALL_TURNS,
  // Persisted reasoning is listed for GPT-6 (guides/latest-model); its default is taken for that of GPT-5.6.
  'gpt-6': { ...ALL_TURNS, generation: 60 },
  'gpt-6.1': { ...ALL_TURNS, generation: 61 },
  'gpt-6.2': { ...ALL_TURNS, generation: 62, prefixCheck: true },
};

/** What holds for another maker's models wherever this API serves them. */
const MAKERS: Readonly<Record<string, ModelRow>> = {
  // docs.x.ai troubleshooting-reasoning: send all output items back, of every turn.
  xai: { ...UNSAID, generation: 0, context: 'all_turns' },
  // api-docs.deepseek.com thinking_mode: with tools, on every earlier assistant message; without, it is ignored.
  deepseek: { ...UNSAID, generation: 0, context: 'with_tools', openWeights: true },
  // Their own pages ask for the reasoning of every turn …
  minimax: { ...UNSAID, generation: 0, context: 'all_turns', openWeights: true },
  xiaomi: { ...UNSAID, generation: 0, context: 'all_turns', openWeights: true },
  mistral: { ...UNSAID, generation: 0, context: 'all_turns', openWeights: true },
  // … and these clear that of earlier turns unless told otherwise.
  moonshot: { ...UNSAID, generation: 0, openWeights: true },
  zhipu: { ...UNSAID, generation: 0, openWeights: true },
  qwen: { ...UNSAID, generation: 0, openWeights: true },
};

/**
 * Other makers' models that read the reasoning of every turn, where older ones of theirs do not: Claude from Opus 4.5,
 * Sonnet 4.6 and Haiku 5.5 on (platform.claude.com build-with-claude/thinking), Gemini from 3.5 on (ai.google.dev
 * thought-signatures), Kimi K2.7 Code and K3 (platform.moonshot.ai). Gateways speak this API for them.
 */
const READ_ALL =
  /claude-(?:opus-4[-.][5-9]|sonnet-4[-.][6-9]|haiku-5[-.]5|(?:opus|sonnet|fable|mythos)-[5-9])|gemini-(?:3[-.][5-9]|[4-9])|kimi-(?:k2\.7-code|k[3-9])/;

const OWN: VendorRows = [[/mimo/, 'xiaomi']];

/** `openai/gpt-5.1-2025-11-13`, `openai.gpt-oss-120b-1:0`, `ft:gpt-4o-2024-08-06:us::x` → `gpt-5.1`, `gpt-oss-120b`, `gpt-4o`. */
export function normaliseModel(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^ft:/, '')
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z]{2}\.)?(?:openai|xai|deepseek)\./, '')
    .replace(/:.*$/, '')
    .replace(/-\d{4}-\d{2}-\d{2}$/, '')
    .replace(/-(?:20\d{6}|latest)$/, '')
    .replace(/^(gpt-oss-\d+b)-\d+$/, '$1');
}

export interface ResolvedModel {
  readonly id: string;
  readonly vendor: string;
  readonly row: ModelRow | undefined;
  /** False where the row is that of the nearest older family, because the id's own is not in the table. */
  readonly exact: boolean;
}

export const resolveModel = createModelResolver((model, extra: ExtraRows<ModelRow>): ResolvedModel => {
  const id = normaliseModel(model);
  const own = extra[id];
  const vendor = vendorOf(id, OWN);
  if (own !== undefined) return { id, vendor, row: own, exact: true };
  if (vendor !== 'openai') {
    const row = READ_ALL.test(id)
      ? { ...UNSAID, generation: 0, ...MAKERS[vendor], context: 'all_turns' as const }
      : MAKERS[vendor];
    return { id, vendor, row, exact: MAKERS[vendor] !== undefined };
  }
  const { family, exact } = familyOf(id);
  const row = family === undefined ? undefined : MODELS[family];
  return { id, vendor, row: row && variant(row, id), exact: exact && row !== undefined };
});

/** The family of an id, or the nearest older one: a model newer than this table behaves like the newest in it. */
function familyOf(id: string): { readonly family: string | undefined; readonly exact: boolean } {
  if (/^chatgpt-4o/.test(id)) return { family: 'gpt-4o', exact: true };
  if (/^gpt-5-chat/.test(id)) return { family: 'gpt-5-chat', exact: true };
  if (/^gpt-oss/.test(id)) return { family: 'gpt-oss', exact: true };
  if (/^codex-mini/.test(id)) return { family: 'o4', exact: true };
  const o = /^(o\d+)(?:-|$)/.exec(id)?.[1];
  if (o !== undefined) return MODELS[o] === undefined ? { family: 'o4', exact: false } : { family: o, exact: true };
  const version = /^gpt-(\d+)(?:\.(\d+))?(o)?(?:-|$)/.exec(id);
  if (version === null) return { family: undefined, exact: false };
  const [, major, minor, omni] = version;
  const named = `gpt-${major}${minor === undefined ? '' : `.${minor}`}${omni ?? ''}`;
  if (MODELS[named] !== undefined) return { family: named, exact: true };
  const wanted = Number(major) * 100 + Number(minor ?? 0);
  let best: string | undefined;
  let bestVersion = -1;
  for (const known of Object.keys(MODELS)) {
    const parts = /^gpt-(\d+)(?:\.(\d+))?$/.exec(known);
    if (parts === null) continue;
    const own = Number(parts[1]) * 100 + Number(parts[2] ?? 0);
    if (own <= wanted && own > bestVersion) {
      best = known;
      bestVersion = own;
    }
  }
  return { family: best, exact: false };
}

function variant(row: ModelRow, id: string): ModelRow {
  const tier = /-nano/.test(id) ? 1 : /-mini/.test(id) ? 2 : /-pro/.test(id) ? 4 : row.tier;
  // The codex variants reason at `medium` where their family does not by itself (guides/reasoning).
  const codex = /codex/.test(id) && row.reasons ? { effort: 'medium' } : {};
  return tier === row.tier && !('effort' in codex) ? row : { ...row, ...codex, tier };
}
