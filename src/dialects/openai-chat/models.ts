import { createModelResolver, type ExtraRows } from '../model-resolver.ts';

/**
 * What is known of each model that Chat Completions endpoints serve, as data: what its maker wants back, wherever the model
 * runs, and whether it reasons without being asked to. Read 2026-11-30 from the makers' guides (api-docs.deepseek.com
 * thinking_mode, platform.moonshot.ai, docs.z.ai, platform.minimax.io, Alibaba Cloud Model Studio, docs.mistral.ai,
 * platform.claude.com, ai.google.dev, developers.openai.com) and from the reports named below.
 */

/** Which assistant messages have to bring their reasoning back. All but the last want that of the open cycle. */
export const DUTIES = [
  /** Every turn's is read. */
  'all_turns',
  /** Every turn's, as long as the request has tools; without tools it is ignored. */
  'with_tools',
  /** Every turn's, of messages with calls. */
  'call_messages',
  /** That of finished turns is ignored, though it is taken as input. */
  'cycle',
  /** That of finished turns is taken out by the service itself. */
  'removed_later',
  /** That of finished turns is not asked for; whether it is of use, nobody says. */
  'optional_later',
  /** There is no field that would carry any. */
  'nothing',
] as const;
export type Duty = (typeof DUTIES)[number];

/** A member of the request body, by its path, that makes the service read every turn. */
export interface Condition {
  readonly path: string;
  readonly is: readonly unknown[];
}

/** Whether the model reasons where the request does not say. */
export const THINKS = ['always', 'on', 'off', 'never'] as const;
export type Thinks = (typeof THINKS)[number];

export interface ModelRow {
  readonly returns: Duty;
  readonly readsAllIf?: readonly Condition[];
  /** Absent: no page tells. */
  readonly thinks?: Thinks;
  /** Decides for itself whether a question needs thinking. */
  readonly adaptive?: boolean;
  /** Where its seals are: on blocks of reasoning, or on the first call of each answer. */
  readonly seals?: 'blocks' | 'calls';
  /** Ties reasoning to everything that stood before it. */
  readonly prefixCheck?: boolean;
  /** Maker, where the name does not say. */
  readonly vendor?: string;
}

const KEEP_ALL: readonly Condition[] = [{ path: 'thinking.keep', is: ['all'] }];
const KEEP_UNCLEARED: readonly Condition[] = [{ path: 'thinking.clear_thinking', is: [false] }];
const KEEP_PRESERVED: readonly Condition[] = [
  { path: 'preserve_thinking', is: [true] },
  { path: 'chat_template_kwargs.preserve_thinking', is: [true] },
];
const KEEP_CONTEXT: readonly Condition[] = [{ path: 'reasoning.context', is: ['all_turns'] }];

const CLAUDE: ModelRow = { returns: 'all_turns', thinks: 'off', seals: 'blocks' };
const GEMINI: ModelRow = { returns: 'optional_later', thinks: 'always', seals: 'calls' };
const GPT: ModelRow = { returns: 'optional_later', readsAllIf: KEEP_CONTEXT };

/** By normalised id; the first row that fits. */
const ROWS: readonly (readonly [pattern: RegExp, vendor: string, row: ModelRow])[] = [
  // Last-turn-only models: the API itself takes earlier thinking out (build-with-claude/thinking).
  [
    /^claude-(?:2|3|(?:sonnet|opus)-4(?:-[01])?$|(?:haiku|sonnet)-4-5)/,
    'anthropic',
    { ...CLAUDE, returns: 'removed_later' },
  ],
  [/^claude-\w+-4/, 'anthropic', CLAUDE],
  [/^claude-(?:\w+-5-5|(?:fable|mythos)-5-[1-9])/, 'anthropic', { ...CLAUDE, thinks: 'on', prefixCheck: true }],
  [/claude/, 'anthropic', { ...CLAUDE, thinks: 'on' }],

  // Signatures of 2.5 are optional; 3 and later validate the current turn; 3.5 and later read earlier ones as well.
  [/^gemini-(?:1|2\.0)/, 'google', { returns: 'optional_later', thinks: 'never' }],
  [/^gemini-2\.5-flash-lite/, 'google', { returns: 'optional_later', thinks: 'off' }],
  [/^gemini-2\.5-pro/, 'google', { returns: 'optional_later', thinks: 'always' }],
  [/^gemini-2/, 'google', { returns: 'optional_later', thinks: 'on' }],
  [/^gemini-3(?:-|\.[0-4]|$)/, 'google', GEMINI],
  [/gemini/, 'google', { ...GEMINI, returns: 'all_turns' }],
  [/gemma/, 'google', { returns: 'optional_later' }],

  // Behind gateways, which speak the Responses API for them. `reasoning.context`: learn.microsoft.com Azure OpenAI reasoning.
  [/^gpt-oss/, 'openai', { returns: 'optional_later', thinks: 'always' }],
  [/^(?:gpt-5-chat|gpt-[34]|chatgpt)/, 'openai', { returns: 'optional_later', thinks: 'never' }],
  [/^(?:gpt-5(?:-|$)|o\d)/, 'openai', { ...GPT, thinks: 'on' }],
  [/^gpt-5\.[12]/, 'openai', { ...GPT, thinks: 'off' }],
  [/^gpt-5\.[6-9]/, 'openai', { ...GPT, returns: 'all_turns' }],
  [/^gpt-(?:6\.[2-9]|[7-9])/, 'openai', { ...GPT, returns: 'all_turns', prefixCheck: true }],
  [/^gpt-6/, 'openai', { ...GPT, returns: 'all_turns' }],
  [/^(?:gpt|codex)/, 'openai', GPT],

  [/grok.*non-reasoning/, 'xai', { returns: 'all_turns', thinks: 'never' }],
  [/grok/, 'xai', { returns: 'all_turns' }],

  [/^deepseek-chat/, 'deepseek', { returns: 'with_tools', thinks: 'off' }],
  [/^deepseek-(?:reasoner|r\d)/, 'deepseek', { returns: 'with_tools', thinks: 'always' }],
  [/deepseek/, 'deepseek', { returns: 'with_tools', thinks: 'on' }],

  [/^kimi-(?:k[3-9]|k2\.7-code)/, 'moonshot', { returns: 'all_turns', thinks: 'always' }],
  [/^kimi-k2-thinking/, 'moonshot', { returns: 'cycle', readsAllIf: KEEP_ALL, thinks: 'always' }],
  [/^kimi-k2\.\d/, 'moonshot', { returns: 'cycle', readsAllIf: KEEP_ALL, thinks: 'on' }],
  [/kimi|moonshot/, 'moonshot', { returns: 'cycle', readsAllIf: KEEP_ALL }],

  [/mimo/, 'xiaomi', { returns: 'call_messages', thinks: 'on' }],

  [/^glm-5\.3/, 'zhipu', { returns: 'cycle', readsAllIf: KEEP_UNCLEARED, thinks: 'always' }],
  [/^glm-(?:4\.[5-9]|[5-9])/, 'zhipu', { returns: 'cycle', readsAllIf: KEEP_UNCLEARED, thinks: 'on' }],
  [/glm|zhipu/, 'zhipu', { returns: 'cycle', readsAllIf: KEEP_UNCLEARED }],

  [/^minimax-m[12]/, 'minimax', { returns: 'all_turns', thinks: 'always' }],
  [/minimax|abab/, 'minimax', { returns: 'all_turns', thinks: 'on', adaptive: true }],

  [/qwq|qwen.*thinking/, 'qwen', { returns: 'cycle', readsAllIf: KEEP_PRESERVED, thinks: 'always' }],
  [/qwen/, 'qwen', { returns: 'cycle', readsAllIf: KEEP_PRESERVED }],

  [/magistral/, 'mistral', { returns: 'all_turns', thinks: 'always' }],
  [/mistral|ministral|codestral|devstral/, 'mistral', { returns: 'all_turns' }],
];

export interface ResolvedModel {
  readonly id: string;
  /** Maker of the weights, whoever serves them. */
  readonly vendor: string;
  readonly row: ModelRow;
}

const UNKNOWN: ModelRow = { returns: 'optional_later' };

export const resolveModel = createModelResolver((model, extra: ExtraRows<ModelRow>): ResolvedModel => {
  const id = normaliseModel(model);
  const known = ROWS.find(([pattern]) => pattern.test(id));
  const row = extra[id] ?? known?.[2] ?? UNKNOWN;
  return { id, vendor: row.vendor ?? known?.[1] ?? 'unknown', row };
});

/** The row of this release for a model, with its maker; undefined where it has none. */
export function knownRow(model: string): ModelRow | undefined {
  const id = normaliseModel(model);
  const known = ROWS.find(([pattern]) => pattern.test(id));
  return known === undefined ? undefined : { ...known[2], vendor: known[1] };
}

/** `anthropic/claude-sonnet-4.5:beta`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0` → `claude-sonnet-4-5`; `moonshotai/Kimi-K2.5` → `kimi-k2.5`. */
export function normaliseModel(model: string): string {
  const base = model
    .trim()
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z-]+\.)?(?:anthropic|openai|deepseek|moonshot|qwen|mistral|minimax|zai)\./, '')
    .replace(/[@:].*$/, '')
    .replace(/-v\d+$/, (suffix) => (model.includes('anthropic') ? '' : suffix))
    .replace(/-(?:20\d{6}|20\d{2}-\d{2}-\d{2}|latest)$/, '');
  if (!base.startsWith('claude')) return base;
  return base
    .replaceAll('.', '-')
    .replace(/-thinking$/, '')
    .replace(/^claude-([4-9](?:-\d)?)-(opus|sonnet|haiku)$/, 'claude-$2-$1');
}
