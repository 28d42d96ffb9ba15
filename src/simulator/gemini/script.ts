import type { Wire } from '../json.ts';
import type {
  BlockPart,
  ToolPart as CommonToolPart,
  Fault,
  ServerToolPart,
  TextPart,
  ThinkPart,
  ToolResultSeen,
} from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';

export interface GeminiCallPart extends CommonToolPart {
  /** The answer comes without the signature that it should have. */
  readonly unsigned?: boolean;
}

export type GeminiPart = ThinkPart | TextPart | GeminiCallPart | ServerToolPart | BlockPart;

export interface GeminiAnswer {
  readonly content: readonly GeminiPart[];
  /** How it ends, if not of itself: a `finishReason`. `MAX_TOKENS` is also implied by a budget that does not suffice. */
  readonly stop?: string;
  readonly finishMessage?: string;
  /** A long answer in several requests: it pauses before the parts at these places. */
  readonly pauses?: readonly number[];
  readonly fault?: Fault;
}

/** What a script sees: the request as sent, and of its reasoning only what the model is shown. */
export interface GeminiScriptCall {
  readonly api: 'gemini-generate' | 'gemini-interactions';
  readonly model: string;
  /** Real user messages so far, from 1. */
  readonly turn: number;
  /** Answers already given in this turn, from 0. */
  readonly step: number;
  /** Answers that the conversation holds, from 0. */
  readonly answers: number;
  /** How often this very request came before: 0 the first time. */
  readonly repeat: number;
  readonly body: Wire;
  /** Functions that may be called: `name`, and `schema` as declared. */
  readonly tools: readonly { readonly name: string; readonly schema: unknown }[];
  /** Whether the request insists on a call. */
  readonly mustCall: boolean;
  /** The level in use, or the budget, or `off`. */
  readonly thinking: string;
  readonly userText: string;
  /** Results that came after the last answer. */
  readonly results: readonly ToolResultSeen[];
  readonly shown: readonly { readonly text: string; readonly plan?: unknown; readonly model: string }[];
  /** The newest plan that the model is shown. Gone when the reasoning that held it did not survive. */
  readonly plan: unknown;
  /** JSON Schema of a structured answer. */
  readonly format?: unknown;
  /** Reproducible: depends on the seed and this request only. */
  readonly random: Seeded;
  /** Reproducible: depends on the seed and this turn's user text, the same at every step. */
  readonly turnRandom: Seeded;
}

export type GeminiScript = (call: GeminiScriptCall) => GeminiAnswer | Promise<GeminiAnswer>;

/** A script as data: one entry for each answer of a conversation, the last one again when they run out. */
export type GeminiScriptOption = GeminiScript | readonly (GeminiAnswer | GeminiScript)[];
