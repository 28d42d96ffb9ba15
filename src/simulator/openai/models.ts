export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What an OpenAI model does with reasoning. */
export interface OpenAiModelRow {
  readonly id: string;
  /** The dated id that answers name. */
  readonly snapshot?: string;
  /** Orders models: one of a lower generation cannot read what a higher one thought. */
  readonly generation: number;
  /** No efforts: the model does not reason. */
  readonly efforts: readonly Effort[];
  readonly defaultEffort: Effort;
  /** What `reasoning.context: "auto"` comes to. `conflict_gpt_6`: no source says. */
  readonly context: 'current_turn' | 'all_turns' | 'conflict_gpt_6';
  /** Whether `all_turns` can be had at all. */
  readonly allTurns: boolean;
  /** Leaves out reasoning that does not fit model, organization, end user or prefix, and says so. */
  readonly bindsReasoning: boolean;
  /** Marks assistant messages as commentary or final answer. */
  readonly phases: boolean;
  /** Function tools on Chat Completions: always, with effort `none` only, or never. */
  readonly chatTools: 'yes' | 'effort_none' | 'never';
  /** `prompt_cache_options`, cache diagnostics, tokens written. */
  readonly cacheOptions: boolean;
  /** `response.steer` on a WebSocket. */
  readonly steering: boolean;
}

const O_SERIES = {
  generation: 4,
  efforts: ['low', 'medium', 'high'],
  defaultEffort: 'medium',
  context: 'current_turn',
  allTurns: false,
  bindsReasoning: false,
  phases: false,
  chatTools: 'yes',
  cacheOptions: false,
  steering: false,
} as const satisfies Omit<OpenAiModelRow, 'id'>;
const PLAIN = { ...O_SERIES, generation: 0, efforts: [], defaultEffort: 'none' } as const;
const GPT_5 = { ...O_SERIES, generation: 5, efforts: ['minimal', 'low', 'medium', 'high'] } as const;
const GPT_5_1 = {
  ...O_SERIES,
  generation: 5.1,
  efforts: ['none', 'low', 'medium', 'high'],
  defaultEffort: 'none',
} as const;
const GPT_5_2 = { ...GPT_5_1, generation: 5.2, efforts: ['none', 'low', 'medium', 'high', 'xhigh'] } as const;
// No source gives the default effort of 5.4 and later; answers name the effort in use.
const GPT_5_4 = {
  ...GPT_5_2,
  generation: 5.4,
  defaultEffort: 'medium',
  phases: true,
  chatTools: 'effort_none',
} as const;
const GPT_5_6 = {
  ...GPT_5_4,
  generation: 5.6,
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  context: 'all_turns',
  allTurns: true,
  cacheOptions: true,
} as const;
const GPT_6 = { ...GPT_5_6, generation: 6, context: 'conflict_gpt_6', steering: true } as const;
const ALWAYS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const GPT_6_2 = {
  ...GPT_6,
  generation: 6.2,
  efforts: ALWAYS,
  bindsReasoning: true,
  chatTools: 'never',
} as const;

/**
 * https://platform.openai.com/docs/models and the guides on reasoning, preserved reasoning and unchanged prefixes,
 * read 2026-11-30.
 */
const MODEL_ROWS: readonly OpenAiModelRow[] = [
  { id: 'gpt-6.2-astra', ...GPT_6_2 },
  { id: 'gpt-6.2-sol', ...GPT_6_2 },
  { id: 'gpt-6.1-sol', ...GPT_6, generation: 6.1, efforts: ALWAYS },
  { id: 'gpt-6.1-terra', ...GPT_6, generation: 6.1 },
  { id: 'gpt-6-astra', ...GPT_6, efforts: ALWAYS },
  { id: 'gpt-6-sol', ...GPT_6 },
  { id: 'gpt-6-luna', ...GPT_6 },
  { id: 'gpt-5.6-sol', ...GPT_5_6 },
  { id: 'gpt-5.6-terra', ...GPT_5_6 },
  { id: 'gpt-5.6-luna', ...GPT_5_6 },
  { id: 'gpt-5.5', snapshot: 'gpt-5.5-2026-04-23', ...GPT_5_4, generation: 5.5 },
  { id: 'gpt-5.4', ...GPT_5_4 },
  { id: 'gpt-5.4-mini', snapshot: 'gpt-5.4-mini-2026-03-17', ...GPT_5_4 },
  { id: 'gpt-5.4-nano', snapshot: 'gpt-5.4-nano-2026-03-17', ...GPT_5_4 },
  { id: 'gpt-5.3-codex', ...GPT_5_2, generation: 5.3, defaultEffort: 'medium', phases: true },
  { id: 'gpt-5.2', snapshot: 'gpt-5.2-2025-12-11', ...GPT_5_2 },
  { id: 'gpt-5.2-codex', ...GPT_5_2, defaultEffort: 'medium' },
  { id: 'gpt-5.1', snapshot: 'gpt-5.1-2025-11-13', ...GPT_5_1 },
  { id: 'gpt-5.1-codex', ...GPT_5_1, efforts: ['low', 'medium', 'high'], defaultEffort: 'medium' },
  { id: 'gpt-5', snapshot: 'gpt-5-2025-08-07', ...GPT_5 },
  { id: 'gpt-5-mini', snapshot: 'gpt-5-mini-2025-08-07', ...GPT_5 },
  { id: 'gpt-5-nano', snapshot: 'gpt-5-nano-2025-08-07', ...GPT_5 },
  { id: 'gpt-5-codex', ...GPT_5, efforts: ['low', 'medium', 'high'] },
  { id: 'o4-mini', snapshot: 'o4-mini-2025-04-16', ...O_SERIES },
  { id: 'o3', snapshot: 'o3-2025-04-16', ...O_SERIES },
  { id: 'o3-mini', snapshot: 'o3-mini-2025-01-31', ...O_SERIES },
  { id: 'o1', snapshot: 'o1-2024-12-17', ...O_SERIES },
  { id: 'gpt-5-chat-latest', ...PLAIN },
  { id: 'gpt-4.1', snapshot: 'gpt-4.1-2025-04-14', ...PLAIN },
  { id: 'gpt-4.1-mini', snapshot: 'gpt-4.1-mini-2025-04-14', ...PLAIN },
  { id: 'gpt-4o', snapshot: 'gpt-4o-2024-08-06', ...PLAIN },
  { id: 'gpt-4o-mini', snapshot: 'gpt-4o-mini-2024-07-18', ...PLAIN },
];

/** Looks an id up exactly, a gateway's prefix (`openai/`, `openai.`) removed. */
export function findOpenAiModel(id: string, extra: readonly OpenAiModelRow[] = []): OpenAiModelRow | undefined {
  const name = id.replace(/^openai[./]/, '');
  return [...extra, ...MODEL_ROWS].find((row) => row.id === name || row.snapshot === name);
}
