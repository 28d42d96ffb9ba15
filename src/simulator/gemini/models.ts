export type ThinkingLevel = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** What a Gemini model does with reasoning. */
export interface GeminiModelRow {
  readonly id: string;
  /** `modelVersion` of its answers, where the id is routed on. */
  readonly answersAs?: string;
  /** Orders and groups models: 2.5, 3, 3.1 … */
  readonly generation: number;
  /** None: the model takes a budget, or does not think. */
  readonly levels: readonly ThinkingLevel[];
  readonly defaultLevel?: ThinkingLevel;
  /** Of models that take one. `off`: whether 0 switches thinking off, and whether that is the default. */
  readonly budget?: { readonly min: number; readonly max: number; readonly off: 'never' | 'on_request' | 'by_default' };
  /**
   * Where an answer is signed. `first_call`: the first call of a step, else the last part after a thought.
   * `first_part`: whatever comes first, with thinking on and tools declared. `images`: the first part and every image.
   */
  readonly signs: 'first_call' | 'first_part' | 'images' | 'never';
  /** Whether the first call of each step of the current turn must bring its signature. */
  readonly requiresSignatures: boolean;
  /** Whether it reads the signatures of earlier turns. */
  readonly readsEarlierTurns: boolean;
  /** Whether its calls have ids, which have to come back. On the Developer API. */
  readonly callIds: boolean;
  /** Thoughts and signatures sent back are refused. */
  readonly refusesThoughts?: true;
}

const GEMINI_2_5 = {
  generation: 2.5,
  levels: [],
  signs: 'first_part',
  requiresSignatures: false,
  readsEarlierTurns: false,
  callIds: false,
} as const satisfies Omit<GeminiModelRow, 'id'>;
const GEMINI_3 = {
  generation: 3,
  levels: ['minimal', 'low', 'medium', 'high'],
  defaultLevel: 'high',
  signs: 'first_call',
  requiresSignatures: true,
  readsEarlierTurns: false,
  callIds: true,
} as const satisfies Omit<GeminiModelRow, 'id'>;
const GEMINI_3_1 = { ...GEMINI_3, generation: 3.1 } as const;
const GEMINI_3_5 = { ...GEMINI_3, generation: 3.5, defaultLevel: 'medium', readsEarlierTurns: true } as const;
const NO_MINIMAL = ['low', 'medium', 'high'] as const;
const PLAIN = { ...GEMINI_2_5, generation: 2, signs: 'never' } as const;

/**
 * https://ai.google.dev/gemini-api/docs/thinking, …/thought-signatures and …/models, read 2026-11-30. No source tells
 * the levels of Gemini 4: all that the SDK names are taken.
 */
const MODEL_ROWS: readonly GeminiModelRow[] = [
  { id: 'gemini-4-argon', ...GEMINI_3_5, generation: 4, levels: ['minimal', 'low', 'medium', 'high', 'xhigh'] },
  { id: 'gemini-3.8-flash', ...GEMINI_3_5, generation: 3.8, levels: NO_MINIMAL },
  { id: 'gemini-3.7-flash', ...GEMINI_3_5, generation: 3.7, levels: NO_MINIMAL },
  { id: 'gemini-3.6-flash', ...GEMINI_3_5, generation: 3.6 },
  { id: 'gemini-3.5-flash', answersAs: 'gemini-3.6-flash', ...GEMINI_3_5, generation: 3.6 },
  { id: 'gemini-3.1-pro-preview', ...GEMINI_3_1, levels: NO_MINIMAL },
  { id: 'gemini-3.1-flash-lite', ...GEMINI_3_1, defaultLevel: 'minimal' },
  { id: 'gemini-3-flash-preview', ...GEMINI_3 },
  { id: 'gemini-3-pro-preview', ...GEMINI_3, levels: ['low', 'high'] },
  { id: 'gemini-3-pro-image-preview', ...GEMINI_3, levels: ['low', 'high'], signs: 'images' },
  { id: 'gemini-2.5-pro', ...GEMINI_2_5, budget: { min: 128, max: 32_768, off: 'never' } },
  { id: 'gemini-2.5-flash', ...GEMINI_2_5, budget: { min: 0, max: 24_576, off: 'on_request' } },
  { id: 'gemini-2.5-flash-lite', ...GEMINI_2_5, budget: { min: 512, max: 24_576, off: 'by_default' } },
  { id: 'gemini-2.0-flash', ...PLAIN },
  { id: 'gemma-4-31b-it', ...PLAIN, refusesThoughts: true },
];

/** Looks an id up exactly, `models/` and a publisher's path removed. */
export function findGeminiModel(id: string, extra: readonly GeminiModelRow[] = []): GeminiModelRow | undefined {
  const name = id.replace(/^.*models\//, '');
  return [...extra, ...MODEL_ROWS].find((row) => row.id === name);
}

/** The name under which its answers go, and its signatures. */
export function versionOf({ id, answersAs }: GeminiModelRow): string {
  return answersAs ?? id;
}

export function canThink({ levels, budget }: GeminiModelRow): boolean {
  return levels.length > 0 || budget !== undefined;
}
