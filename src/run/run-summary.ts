import type { ReasonCount } from '../continuity/judgement.ts';
import type { AssertionResult, Continuity } from '../continuity/vocabulary.ts';
import { droppedOf, type RunFinding, type RunTotals } from '../emit/run-totals.ts';

/** What a run adds up to so far. A copy: it does not change. */
export interface RunSummary {
  /** Model calls that have ended. */
  readonly calls: number;
  /** Tool calls that their responses made. */
  readonly toolCalls: number;
  /** Of them, those that the run had made before: same name, equal arguments. */
  readonly repeatedToolCalls: number;
  /** The worst of its calls. */
  readonly continuity: Continuity;
  /** Whether reasoning that was to be expected was there: the worst of its calls. */
  readonly assertion: AssertionResult;
  /** Each block once, however many requests show it. */
  readonly blocks: {
    readonly issued: number;
    readonly expected: number;
    readonly returned: number;
    readonly dropped: number;
  };
  /** Unplanned drops by reason, most blocks first. */
  readonly drops: readonly ReasonCount[];
  /** Losses and notes of its calls, the first hundred. */
  readonly findings: readonly RunFinding[];
  /** Calls that the provider refused because of their reasoning. */
  readonly rejections: number;
  readonly tokens: {
    /** All input, cached included. */
    readonly input: number;
    /** All output, reasoning included. */
    readonly output: number;
    readonly reasoning: number;
    /** Estimate: reasoning sent again, `resentCached` + `resentFresh`. */
    readonly resent: number;
    readonly resentCached: number;
    readonly resentFresh: number;
  };
}

export function summaryOf(totals: RunTotals): RunSummary {
  const { calls, toolCalls, repeatedToolCalls, continuity, assertion, drops, findings, rejections } = totals;
  const { issued, expected, returned } = totals;
  return {
    calls,
    toolCalls,
    repeatedToolCalls,
    continuity,
    assertion,
    blocks: { issued, expected, returned, dropped: droppedOf(totals) },
    drops,
    findings: [...findings],
    rejections,
    tokens: {
      input: totals.inputTokens,
      output: totals.outputTokens,
      reasoning: totals.reasoningTokens,
      resent: totals.resent,
      resentCached: totals.resentCached,
      resentFresh: totals.resentFresh,
    },
  };
}
