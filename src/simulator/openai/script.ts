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

export interface MessagePart extends TextPart {
  /** Default: commentary where a call follows in the same answer, else the final answer. On models that mark phases. */
  readonly phase?: 'commentary' | 'final_answer';
}

export interface RefusalPart {
  readonly refusal: string;
}

export interface CallPart extends Omit<CommonToolPart, 'input'> {
  /** A string for a custom tool, or for arguments that are to arrive exactly so. */
  readonly input?: Wire | string;
  /** Responses only: the call may be answered in a later request than the next one. */
  readonly async?: boolean;
  readonly namespace?: string;
}

export type OpenAiPart = ThinkPart | MessagePart | RefusalPart | CallPart | ServerToolPart | BlockPart;

export interface OpenAiAnswer {
  readonly content: readonly OpenAiPart[];
  /** How it ends, if not of itself. `max_output_tokens` is also implied by a budget that does not suffice. */
  readonly stop?: 'max_output_tokens' | 'content_filter' | 'failed';
  /** With `stop: 'failed'`. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Text of a compaction, where one is due. Only its length shows. */
  readonly summary?: string;
  readonly fault?: Fault;
}

/** What a script sees: the request as sent, and of its reasoning only what the model is shown. */
export interface OpenAiScriptCall {
  readonly api: 'openai-responses' | 'openai-chat';
  /** Chat only: the kind of host. */
  readonly profile?: string;
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
  readonly tools: readonly Wire[];
  /** The effort in use, or how a host calls its thinking. */
  readonly effort: string;
  readonly userText: string;
  /** Results that came after the last answer. */
  readonly results: readonly ToolResultSeen[];
  readonly shown: readonly { readonly text: string; readonly plan?: unknown; readonly model: string }[];
  /** The newest plan that the model is shown. Gone when the reasoning that held it did not survive. */
  readonly plan: unknown;
  /** Reproducible: depends on the seed and this request only. */
  readonly random: Seeded;
  /** Reproducible: depends on the seed and this turn's user text, the same at every step. */
  readonly turnRandom: Seeded;
}

export type OpenAiScript = (call: OpenAiScriptCall) => OpenAiAnswer | Promise<OpenAiAnswer>;

/** A script as data: one entry for each answer of a conversation, the last one again when they run out. */
export type OpenAiScriptOption = OpenAiScript | readonly (OpenAiAnswer | OpenAiScript)[];
