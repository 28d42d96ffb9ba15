/** `off` = accepted, no thinking; `low_effort` = accepted up to effort `high`, refused above. */
type Support = 'yes' | 'low_effort' | 'no';

export interface ModelRow {
  readonly id: string;
  readonly aliases?: readonly string[];
  /** What an omitted `thinking` means. */
  readonly omitted: 'adaptive' | 'off';
  readonly adaptive: boolean;
  readonly enabled: boolean;
  readonly betweenTools: Support;
  readonly disabled: Support;
  readonly display: 'summarized' | 'omitted';
  /** Whether earlier turns' thinking stays in context once the turn is over. */
  readonly keeps: 'all' | 'last_turn';
  /** Who runs the prefix check when `prefix_mismatch_behavior` is unset. */
  readonly prefixCheck: 'every_account' | 'by_account_age' | 'none' | 'conflict_mythos_5_1';
  /** Blocks work only in the account that produced them. */
  readonly accountBound?: boolean;
  /** Thinking between tool calls in manual mode. */
  readonly manualInterleaving?: 'beta' | 'never';
  readonly progressUpdates?: boolean;
  readonly forcedToolRefused?: boolean;
  readonly prefill?: boolean;
  readonly systemMessages?: boolean;
  readonly defaultEffort?: 'medium';
  readonly fallbackList?: boolean;
  /** With up-front thinking off, no message may ask for another effort. */
  readonly oneEffortWhenOff?: boolean;
}

const ADAPTIVE_ONLY = {
  omitted: 'adaptive',
  adaptive: true,
  enabled: false,
  betweenTools: 'no',
  disabled: 'no',
  display: 'omitted',
  keeps: 'all',
  prefixCheck: 'none',
} as const;
const ADAPTIVE_OR_OFF = { ...ADAPTIVE_ONLY, omitted: 'off', disabled: 'yes' } as const;
const MANUAL_ONLY = {
  omitted: 'off',
  adaptive: false,
  enabled: true,
  betweenTools: 'no',
  disabled: 'yes',
  display: 'summarized',
  keeps: 'last_turn',
  prefixCheck: 'none',
  manualInterleaving: 'beta',
  prefill: true,
} as const;

/**
 * What each Claude model does with the `thinking` parameter and with thinking blocks that come back.
 * https://platform.claude.com/docs/en/build-with-claude/thinking and .../preserved-thinking, read 2026-11-30.
 */
export const MODEL_ROWS: readonly ModelRow[] = [
  // The documentation states only that thinking is always on for the 5.2 family; the other cells follow 5.1.
  { id: 'claude-fable-5-2', ...ADAPTIVE_ONLY, prefixCheck: 'every_account' },
  { id: 'claude-mythos-5-2', ...ADAPTIVE_ONLY, prefixCheck: 'every_account' },
  {
    id: 'claude-haiku-5-5',
    ...ADAPTIVE_ONLY,
    disabled: 'low_effort',
    prefixCheck: 'by_account_age',
    accountBound: true,
    oneEffortWhenOff: true,
    fallbackList: false,
  },
  {
    id: 'claude-sonnet-5-5',
    ...ADAPTIVE_ONLY,
    betweenTools: 'low_effort',
    prefixCheck: 'by_account_age',
    accountBound: true,
    oneEffortWhenOff: true,
    progressUpdates: true,
    forcedToolRefused: true,
  },
  {
    id: 'claude-fable-5-1',
    ...ADAPTIVE_ONLY,
    prefixCheck: 'by_account_age',
    progressUpdates: true,
    forcedToolRefused: true,
  },
  {
    id: 'claude-opus-5-5',
    ...ADAPTIVE_ONLY,
    prefixCheck: 'by_account_age',
    progressUpdates: true,
    forcedToolRefused: true,
    defaultEffort: 'medium',
  },
  {
    id: 'claude-mythos-5-1',
    ...ADAPTIVE_ONLY,
    prefixCheck: 'conflict_mythos_5_1',
    progressUpdates: true,
    forcedToolRefused: true,
  },
  { id: 'claude-sonnet-5', ...ADAPTIVE_ONLY, disabled: 'yes', systemMessages: false },
  { id: 'claude-fable-5', ...ADAPTIVE_ONLY, progressUpdates: true },
  { id: 'claude-mythos-5', ...ADAPTIVE_ONLY },
  { id: 'claude-opus-5', ...ADAPTIVE_ONLY, disabled: 'low_effort' },
  { id: 'claude-opus-4-8', ...ADAPTIVE_OR_OFF },
  { id: 'claude-opus-4-7', ...ADAPTIVE_OR_OFF },
  { id: 'claude-mythos-preview', ...ADAPTIVE_ONLY, enabled: true, manualInterleaving: 'beta' },
  { id: 'claude-opus-4-6', ...ADAPTIVE_OR_OFF, enabled: true, display: 'summarized', manualInterleaving: 'never' },
  { id: 'claude-sonnet-4-6', ...ADAPTIVE_OR_OFF, enabled: true, display: 'summarized', manualInterleaving: 'beta' },
  { id: 'claude-haiku-4-5', aliases: ['claude-haiku-4-5-20251001'], ...MANUAL_ONLY, manualInterleaving: 'never' },
  { id: 'claude-opus-4-5', aliases: ['claude-opus-4-5-20251101'], ...MANUAL_ONLY, keeps: 'all' },
  { id: 'claude-sonnet-4-5', aliases: ['claude-sonnet-4-5-20250929'], ...MANUAL_ONLY },
  { id: 'claude-opus-4-1', aliases: ['claude-opus-4-1-20250805'], ...MANUAL_ONLY },
  { id: 'claude-sonnet-4', aliases: ['claude-sonnet-4-20250514'], ...MANUAL_ONLY },
  { id: 'claude-opus-4', aliases: ['claude-opus-4-20250514'], ...MANUAL_ONLY },
  { id: 'claude-3-7-sonnet-20250219', ...MANUAL_ONLY, manualInterleaving: 'never' },
];

/** Looks an id up exactly, platform spelling removed. `claude-sonnet-4` must not find `claude-sonnet-4-6`. */
export function findModel(id: string, extra: readonly ModelRow[] = []): ModelRow | undefined {
  const name = plainModelName(id);
  return [...extra, ...MODEL_ROWS].find((row) => row.id === name || row.aliases?.includes(name));
}

/** Takes off inference-profile prefixes (`global.`, `us.`), `anthropic.`, `-v1:0` and `@date`. */
function plainModelName(id: string): string {
  return id
    .replace(/^arn:.*\//, '')
    .replace(/^([a-z]{2,6}\.)?anthropic\./, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace(/@.*$/, '');
}
