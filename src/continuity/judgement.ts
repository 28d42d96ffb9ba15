import type {
  AssertionResult,
  Certainty,
  Continuity,
  Culprit,
  CycleState,
  DropReason,
  Expectation,
  FindingKind,
  PrefixChange,
  Remark,
  Severity,
  Source,
  Survival,
  SwitchDirection,
  Verdict,
  Visibility,
} from './vocabulary.ts';

/** Where the step that produced a block stands in its trace. Plain data, so that continuity needs no OpenTelemetry. */
export interface ProducerRef {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** One thing wrong with one request (`loss`), or worth a line (`note`). Never holds text or a seal. */
export interface Finding {
  readonly kind: FindingKind;
  /** Units of the kind (blocks, copies, surplus messages …), at least 1. */
  readonly count: number;
  readonly source: Source;
  /** Present where blocks went missing or were taken away. */
  readonly reason?: DropReason;
  /** Where in the request as sent, `messages.3.content.0`; the nearest container for what is absent. */
  readonly path: string;
  readonly cycle: CycleState;
  readonly severity: Severity;
  readonly certainty: Certainty;
  /** The step that issued the (first) damaged block, where known. */
  readonly producer?: ProducerRef;
  /** Where the source is the client and it is known whose code it was. */
  readonly culprit?: Culprit;
  /** Of what was carried for nothing: its reasoning tokens, an estimate. Absent where the provider reports none. */
  readonly tokens?: number;
}

/** Counts that describe one request, in blocks. `expected = returned + dropped + damaged`. */
export interface BlockCounts {
  /** Blocks that the response to this request delivered. */
  readonly issued: number;
  readonly expected: number;
  readonly returned: number;
  /** Unplanned: left out by the client, or removed by the provider. */
  readonly dropped: number;
  /** Present, but not as issued or not readable there. */
  readonly damaged: number;
  /** Dropped here for the first time in the process. */
  readonly newlyDropped: number;
}

export interface ReasonCount {
  readonly reason: DropReason;
  readonly source: Source;
  readonly count: number;
}

export interface KindCount {
  readonly kind: FindingKind;
  readonly source: Source;
  readonly count: number;
}

/** What metrics add up: each block counted once in its life, at the first request that shows it. */
export interface FirstSeen {
  readonly expected: number;
  readonly returned: number;
  readonly dropped: readonly ReasonCount[];
  /** Planned losses, and drops that are only a note. */
  readonly released: readonly ReasonCount[];
  readonly findings: readonly KindCount[];
}

export interface ModelSwitch {
  readonly direction: SwitchDirection;
  readonly from: string;
  readonly to: string;
  readonly survives: Survival;
}

/**
 * Reasoning tokens that this request sends again, in tokens. An estimate: no provider
 * reports it. `open` + `closed` = `cached` + `fresh` = `resent`.
 */
export interface ResentTokens {
  readonly resent: number;
  readonly openCached: number;
  readonly openFresh: number;
  readonly closedCached: number;
  readonly closedFresh: number;
}

export interface ToolCallSeen {
  readonly name: string;
  /** Same name and equal canonical arguments as an earlier call of the run. */
  readonly repeated: boolean;
}

/** Everything that is known of one request, with its own response or error once that has arrived. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly continuity: Continuity;
  readonly findings: readonly Finding[];
  readonly blocks: BlockCounts;
  readonly firstSeen: FirstSeen;
  /** Of the turn that the request continues. `step`: calls of this cycle so far, this one included, from 1. */
  readonly cycle: { readonly state: CycleState; readonly step: number };
  readonly expectation: Expectation;
  /** Whether the response held reasoning; undefined until it has arrived. */
  readonly present?: boolean;
  readonly assertion: AssertionResult;
  readonly visibility?: Visibility;
  /** The API's own value, resolved: `adaptive`, `enabled`, `disabled` … */
  readonly mode?: string;
  readonly modelSwitch?: ModelSwitch;
  readonly prefixChanged: PrefixChange;
  /** Class of the refusal, `prefix_mismatch` …; `unclassified` for one that no row matches. Absent: not refused. */
  readonly rejection?: string;
  readonly tokens?: ResentTokens;
  /** Ours, random, inherited along the chain of steps. */
  readonly runId: string;
  /** Steps whose blocks this request re-sends, newest first, at most 8. */
  readonly producers: readonly ProducerRef[];
  /** Tool calls that the response made. */
  readonly toolCalls: readonly ToolCallSeen[];
  /** What is worth knowing and no finding; each once a run. Absent: nothing. */
  readonly remarks?: readonly Remark[];
  /** Set on the step whose response closed a cycle. */
  readonly closedCycle?: { readonly steps: number; readonly toolCalls: number };
}
