import type { Wire } from '../json.ts';
import { type CallableTool, planningAgent } from '../planning-agent.ts';
import type { Fault, TextPart, ThinkPart, ToolResultSeen } from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';

export type ConversePart = ThinkPart | TextPart | { readonly tool: string; readonly input?: Wire };

export interface ConverseAnswer {
  readonly content: readonly ConversePart[];
  /** `stopReason`; by default what the content implies: `tool_use` or `end_turn`. */
  readonly stop?: string;
  readonly fault?: Fault;
}

/** What a script of a model other than Claude sees: the request as sent, and of its reasoning what the model is shown. */
export interface ConverseScriptCall {
  readonly api: 'bedrock-converse';
  /** As the request names it. */
  readonly model: string;
  readonly family: string;
  /** Real user messages so far, from 1. */
  readonly turn: number;
  /** Answers already given in this turn, from 0. */
  readonly step: number;
  /** Answers in the whole history. */
  readonly answers: number;
  readonly repeat: number;
  readonly body: Wire;
  readonly tools: readonly CallableTool[];
  readonly mustCall: boolean;
  readonly userText: string;
  readonly results: readonly ToolResultSeen[];
  readonly shown: readonly { readonly text: string; readonly plan?: unknown }[];
  readonly plan: unknown;
  readonly random: Seeded;
  readonly turnRandom: Seeded;
}

export type ConverseScript = (call: ConverseScriptCall) => ConverseAnswer | Promise<ConverseAnswer>;

/** A list: one entry for each answer that the history holds, the last one again when they run out. */
export type ConverseScriptOption = ConverseScript | readonly (ConverseAnswer | ConverseScript)[];

export function defaultConverseAgent(call: ConverseScriptCall): ConverseAnswer {
  return planningAgent({ ...call, results: call.results.length });
}
