import type { Wire } from '../json.ts';
import type { ChatConflicts } from './conflicts.ts';

/** Where reasoning can stand on an assistant message. */
export type Member =
  | 'reasoning_content'
  | 'reasoning'
  | 'reasoning_details'
  | 'thinking_blocks'
  /** Chunks of type `thinking` in a `content` list. */
  | 'thinking_chunks'
  /** `<think>…</think>` at the start of `content`. */
  | 'think_tags'
  /** `tool_calls[0].extra_content.google.thought_signature`. */
  | 'thought_signature';

/** What a rule may depend on. */
export interface HostRequest {
  readonly body: Wire;
  readonly model: string;
  readonly path: string;
  readonly conflicts: ChatConflicts;
}

/** Which assistant messages must carry their reasoning, and what is said where one does not. */
export interface Requirement {
  readonly of:
    | 'every_message'
    | 'tool_messages'
    /** Tool messages of turns in which a tool was called. */
    | 'messages_of_tool_turns'
    | 'open_tool_messages';
  /** Only what is known to have been issued with reasoning is missed. */
  readonly onlyIssued?: boolean;
  readonly message: (index: number, call: string) => string;
  /** Instead of a refusal the model stops thinking, in silence. */
  readonly switchesOff?: boolean;
}

/** Those who run the model: what the model's own API does with reasoning that comes back. */
export interface Upstream {
  /** As a gateway names it. */
  readonly provider: string;
  /**
   * How reasoning is made verifiable: not at all, by a signature over its text, as an opaque payload beside a summary,
   * or by a signature on the first call.
   */
  readonly seals: 'nothing' | 'text' | 'payload' | 'call';
  /** `format` of a gateway's `reasoning_details`. */
  readonly format: string;
  thinks(request: HostRequest): boolean;
  /** Whose reasoning is read: all, that of the turn under way, or none. */
  turns(request: HostRequest): 'all' | 'open_turn' | 'none';
  requires?(request: HostRequest): Requirement | undefined;
  /** What is said of a seal that does not verify. Absent: such a block is passed over in silence. */
  readonly sealFailure?: string;
  /** What is said where the blocks of the newest answer are not all there, in order. */
  readonly runFailure?: string;
  /** Strings that pass for a seal and carry nothing. */
  readonly bypasses?: readonly string[];
  /** A request may not end with an answer of the model. */
  readonly refusesPrefill?: string;
}

/** A host of Chat Completions: the wire that it puts around an upstream. */
export interface ChatProfile {
  readonly id: string;
  upstream(request: HostRequest): Upstream;
  /** Members that carry the reasoning of an answer. None: only its tokens are told. */
  delivers(request: HostRequest): readonly Member[];
  /** Members that are looked at when a message comes back, best first. */
  reads(request: HostRequest): readonly Member[];
  /** A gateway's own switch, in place of the upstream's. */
  thinks?(request: HostRequest): boolean;
  /** Members that are refused on an assistant message. */
  refuses?(request: HostRequest): readonly Member[];
  readonly refusal?: (index: number, member: Member) => string;
  /** An answer without a thought has the member all the same, empty, and must come back with it. */
  readonly deliversEmpty?: boolean;
  /** What else may be wrong with a request. */
  check?(request: HostRequest): string | undefined;
  readonly envelope?: 'openai' | 'openrouter' | 'google' | 'litellm' | 'mimo';
  readonly usage?: 'openai' | 'deepseek' | 'kimi';
  /** Streams tell usage unasked. */
  readonly alwaysStreamsUsage?: boolean;
  readonly idPrefix?: string;
  /** Whether answers name the upstream. */
  readonly namesProvider?: boolean;
}
