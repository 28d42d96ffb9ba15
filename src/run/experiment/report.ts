import type { Interval } from './statistics/interval.ts';

/** One run of one task in one arm. */
export interface ExperimentRun {
  readonly task: string;
  readonly arm: string;
  readonly completed: boolean;
  readonly toolCalls: number;
  /** Same name and equal arguments as an earlier call of the run. */
  readonly repeatedCalls: number;
  /** Requests that the run made. */
  readonly requests: number;
  /** What the agent threw: name and message. Such a run counts as not completed. */
  readonly error?: string;
}

/** A difference between the arms, the second minus the first, over pairs of runs of one task. */
export interface Difference extends Interval {
  /** Two-sided, exact. */
  readonly p: number;
  /** `p` below 0.05. */
  readonly significant: boolean;
}

export interface ArmReport {
  readonly name: string;
  /** Whether reasoning was left out of its requests. */
  readonly strips: boolean;
  readonly runs: number;
  readonly completed: number;
  readonly completionRate: Interval;
  readonly toolCalls: number;
  readonly toolCallsPerTask: Interval;
  readonly repeatedCalls: number;
  readonly repeatedCallsPerTask: Interval;
  readonly errors: number;
  /** Pieces of reasoning left out, each counted in every request that lacked it. */
  readonly leftOut: number;
}

/** What an experiment found. Plain data: `JSON.stringify` is its JSON form. */
export interface ExperimentReport {
  /** What the caller calls it. */
  readonly title?: string;
  readonly seed: string;
  readonly tasks: number;
  /** Of all intervals. */
  readonly confidence: number;
  readonly arms: readonly [ArmReport, ArmReport];
  readonly difference: {
    readonly toolCallsPerTask: Difference & { readonly test: 'paired permutation' };
    readonly repeatedCallsPerTask: Difference & { readonly test: 'paired permutation' };
    readonly completionRate: Difference & { readonly test: 'McNemar, exact' };
  };
  /** What makes these numbers worth less than they look. */
  readonly warnings: readonly string[];
  /** In the order of the tasks, the first arm before the second. */
  readonly runs: readonly ExperimentRun[];
}
