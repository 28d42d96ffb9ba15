import type { Wire } from '../json.ts';
import {
  type BlockPart,
  type ToolPart as CommonToolPart,
  type Fault,
  type ServerToolPart,
  scriptOf,
  type TextPart,
  type ThinkPart,
  type ToolResultSeen,
} from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';
import type { ThinkingMode } from './thinking-config.ts';

/** A progress update: a block of its own, directly before the call it introduces. Only on models that give them. */
export interface ProgressPart {
  readonly progress: string;
}

export interface ToolPart extends CommonToolPart {
  readonly caller?: Wire;
  readonly toolsetName?: string;
}

export type Part = ThinkPart | ProgressPart | TextPart | ToolPart | ServerToolPart | BlockPart;

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'compaction'
  | 'model_context_window_exceeded';

export interface Answer {
  readonly content: readonly Part[];
  /** By default what the content implies: `tool_use`, `pause_turn` or `end_turn`. */
  readonly stop?: StopReason;
  readonly stopSequence?: string;
  /** With `stop: 'refusal'`: the policy category. A classifier's refusal is what starts a server-side fallback. */
  readonly refusal?: { readonly category: string | null; readonly explanation?: string };
  /** Text of a compaction, where one is due; `null` makes it fail. */
  readonly summary?: string | null;
  readonly fault?: Fault;
}

/** What a script sees: the request as sent, and of its reasoning only what the model is shown. */
export interface ScriptCall {
  readonly api: 'anthropic-messages';
  /** The model that answers now. */
  readonly model: string;
  /** 0 for the requested model, then one more for each server-side fallback. */
  readonly attempt: number;
  /** Real user messages so far, from 1. */
  readonly turn: number;
  /** Answers already given in this turn, from 0. */
  readonly step: number;
  /** How often this very request came before: 0 the first time. */
  readonly repeat: number;
  readonly body: Wire;
  readonly tools: readonly Wire[];
  readonly thinking: { readonly mode: ThinkingMode; readonly silentlyDisabled: boolean };
  readonly userText: string;
  /** Results that the last message brings. */
  readonly results: readonly ToolResultSeen[];
  readonly openServerTools: readonly { readonly id: string; readonly name: string }[];
  readonly shown: readonly { readonly text: string; readonly plan?: unknown; readonly model: string }[];
  /** The newest plan that the model is shown. Gone when the reasoning that held it did not survive. */
  readonly plan: unknown;
  /** Reproducible: depends on the seed and this request only. */
  readonly random: Seeded;
  /** Reproducible: depends on the seed and this turn's user text, the same at every step. */
  readonly turnRandom: Seeded;
}

export type Script = (call: ScriptCall) => Answer | Promise<Answer>;

/** A script as data: one entry for each step of a conversation, the last one again when they run out. */
export type ScriptOption = Script | readonly (Answer | Script)[];

export function toScript(option: ScriptOption): Script {
  return scriptOf(option, 'anthropic.script', answersSoFar);
}

function answersSoFar({ body }: ScriptCall): number {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return messages.filter((message) => message?.role === 'assistant').length;
}
