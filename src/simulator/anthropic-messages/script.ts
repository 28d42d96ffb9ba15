import type { Delivery } from '../http/delivery.ts';
import type { Wire } from '../json.ts';
import type { Seeded } from '../seeded.ts';
import type { ThinkingMode } from './thinking-config.ts';

/** Reasoning. Left out of the answer where the request does not let the model think. */
export interface ThinkPart {
  /** The reasoning itself; only its seal carries it. */
  readonly think: string;
  /** What summarised display shows; by default the first sentence. */
  readonly summary?: string;
  /** By default estimated from the text. */
  readonly tokens?: number;
  /** Any JSON value. A later call reads it only if this block comes back intact and the model is shown it. */
  readonly plan?: unknown;
  readonly redacted?: boolean;
}

/** A progress update: a block of its own, directly before the call it introduces. Only on models that give them. */
export interface ProgressPart {
  readonly progress: string;
}

export interface TextPart {
  readonly text: string;
}

export interface ToolPart {
  readonly tool: string;
  readonly input?: Wire;
  readonly caller?: Wire;
  readonly toolsetName?: string;
}

/** A tool that the provider runs. Without a result the answer pauses, and the result begins the next one. */
export interface ServerToolPart {
  readonly serverTool: string;
  readonly input?: Wire;
  readonly result?: unknown;
}

/** Any block as it stands, for types this vocabulary lacks. */
export interface BlockPart {
  readonly block: Wire;
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

/** An HTTP error instead of an answer, before any event. */
export interface StatusFault {
  readonly kind: 'status';
  readonly status: number;
  readonly message?: string;
  /** `error.details.error_code`. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `times`: only the first so many arrivals of this very request go wrong, so that a retry succeeds. Default: all. */
export type Fault = (StatusFault | Delivery) & { readonly times?: number };

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

export interface ToolResultSeen {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly content: unknown;
  readonly isError: boolean;
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

/** Steps of a list are counted by the assistant messages of the request, so concurrent conversations do not mix. */
export function toScript(option: ScriptOption): Script {
  if (typeof option === 'function') return option;
  if (option.length === 0) throw new TypeError('anthropic.script: a list needs at least one entry');
  return (call) => {
    const entry = option[Math.min(answersSoFar(call), option.length - 1)];
    if (typeof entry === 'function') return entry(call);
    return entry ?? { content: [] };
  };
}

function answersSoFar({ body }: ScriptCall): number {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  return messages.filter((message) => message?.role === 'assistant').length;
}
