import type { Delivery } from './http/delivery.ts';
import type { Wire } from './json.ts';

/** Reasoning. Left out of the answer where the request does not let the model think. */
export interface ThinkPart {
  /** The reasoning itself. Where the provider seals reasoning, only the seal carries it. */
  readonly think: string;
  /** What a summary shows; by default the first sentence. */
  readonly summary?: string;
  /** By default estimated from the text. */
  readonly tokens?: number;
  /** Any JSON value. A later call reads it only if this block comes back intact and the model is shown it. */
  readonly plan?: unknown;
  /** Anthropic only: a redacted block. */
  readonly redacted?: boolean;
}

export interface TextPart {
  readonly text: string;
}

export interface ToolPart {
  readonly tool: string;
  readonly input?: Wire;
}

/** A tool that the provider runs. */
export interface ServerToolPart {
  readonly serverTool: string;
  readonly input?: Wire;
  /** Anthropic: without a result the answer pauses, and the result begins the next one. */
  readonly result?: unknown;
}

/** Any block or item as it stands, for types this vocabulary lacks. */
export interface BlockPart {
  readonly block: Wire;
}

/** An HTTP error instead of an answer, before any event. */
export interface StatusFault {
  readonly kind: 'status';
  readonly status: number;
  readonly message?: string;
  /** Anthropic: `error.details.error_code`; OpenAI: `error.code`. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `times`: only the first so many arrivals of this very request go wrong, so that a retry succeeds. Default: all. */
export type Fault = (StatusFault | Delivery) & { readonly times?: number };

export function activeFault(fault: Fault | undefined, repeat: number): Fault | undefined {
  return fault && repeat < (fault.times ?? Number.POSITIVE_INFINITY) ? fault : undefined;
}

export interface ToolResultSeen {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly content: unknown;
  readonly isError: boolean;
}

/**
 * A list as a script: one entry for each answer that the conversation already holds, the last one again when they run
 * out. Counted from the request, so concurrent conversations do not mix.
 */
export function scriptOf<Call, Answer>(
  option: ((call: Call) => Answer | Promise<Answer>) | readonly (Answer | ((call: Call) => Answer | Promise<Answer>))[],
  name: string,
  answersSoFar: (call: Call) => number,
): (call: Call) => Answer | Promise<Answer> {
  if (typeof option === 'function') return option;
  const entries = option;
  const [first] = entries;
  if (first === undefined) throw new TypeError(`${name}: a list needs at least one entry`);
  return (call) => {
    const entry = entries[Math.min(answersSoFar(call), entries.length - 1)] ?? first;
    return typeof entry === 'function' ? (entry as (call: Call) => Answer | Promise<Answer>)(call) : entry;
  };
}
