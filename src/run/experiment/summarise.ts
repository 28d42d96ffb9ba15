import type { ArmPlan } from './arms.ts';
import type { ArmReport, Difference, ExperimentReport, ExperimentRun } from './report.ts';
import { CONFIDENCE } from './statistics/interval.ts';
import { meanInterval } from './statistics/mean-interval.ts';
import { permutationTest } from './statistics/permutation-test.ts';
import { rateDifferenceInterval, rateInterval } from './statistics/rate-interval.ts';

/** A run, and what only the warnings want to know. */
export interface FinishedRun {
  readonly run: ExperimentRun;
  readonly leftOut: number;
  readonly thinkingOff: number;
  /** Blocks that went missing though nobody meant them to. 0 without the instrumentation, which alone can tell. */
  readonly dropped: number;
}

/** Both runs of one task, in the order of the arms. */
export type Pair = readonly [FinishedRun, FinishedRun];

export interface Outcome {
  readonly title?: string;
  readonly seed: string;
  readonly arms: readonly [ArmPlan, ArmPlan];
  readonly pairs: readonly Pair[];
}

const SIGNIFICANT = 0.05;

const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);

type Count = 'toolCalls' | 'repeatedCalls';

export function summarise({ title, seed, arms, pairs }: Outcome): ExperimentReport {
  const [first, second] = arms;

  const difference = (count: Count): Difference => {
    const differences = pairs.map(([one, other]) => other.run[count] - one.run[count]);
    return { ...meanInterval(differences, `${seed} ${count} difference`), ...tested(differences) };
  };
  const outcomes = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const [one, other] of pairs) outcomes[outcomeOf(one.run.completed, other.run.completed)]++;
  const changes = pairs.map(([one, other]) => Number(other.run.completed) - Number(one.run.completed));

  const reports = [0, 1].map((at) => armReport(arms[at] as ArmPlan, pairs, at as 0 | 1, seed));
  return {
    ...(title !== undefined && { title }),
    seed,
    tasks: pairs.length,
    confidence: CONFIDENCE,
    arms: reports as [ArmReport, ArmReport],
    difference: {
      toolCallsPerTask: { ...difference('toolCalls'), test: 'paired permutation' },
      repeatedCallsPerTask: { ...difference('repeatedCalls'), test: 'paired permutation' },
      completionRate: { ...rateDifferenceInterval(outcomes), ...tested(changes), test: 'McNemar, exact' },
    },
    warnings: [first, second].flatMap((arm, at) =>
      warningsOf(
        arm,
        pairs.map((pair) => pair[at as 0 | 1]),
      ),
    ),
    runs: pairs.flatMap(([one, other]) => [one.run, other.run]),
  };
}

function tested(differences: readonly number[]): Pick<Difference, 'p' | 'significant'> {
  const p = permutationTest(differences);
  return { p, significant: p < SIGNIFICANT };
}

function outcomeOf(first: boolean, second: boolean): 'both' | 'onlyFirst' | 'onlySecond' | 'neither' {
  if (first) return second ? 'both' : 'onlyFirst';
  return second ? 'onlySecond' : 'neither';
}

function armReport({ name, strips }: ArmPlan, pairs: readonly Pair[], at: 0 | 1, seed: string): ArmReport {
  const runs = pairs.map((pair) => pair[at]);
  const values = (count: Count): number[] => runs.map(({ run }) => run[count]);
  const completed = runs.filter(({ run }) => run.completed).length;
  return {
    name,
    strips,
    runs: runs.length,
    completed,
    completionRate: rateInterval(completed, runs.length),
    toolCalls: sum(values('toolCalls')),
    toolCallsPerTask: meanInterval(values('toolCalls'), `${seed} toolCalls ${at}`),
    repeatedCalls: sum(values('repeatedCalls')),
    repeatedCallsPerTask: meanInterval(values('repeatedCalls'), `${seed} repeatedCalls ${at}`),
    errors: runs.filter(({ run }) => run.error !== undefined).length,
    leftOut: sum(runs.map(({ leftOut }) => leftOut)),
  };
}

function warningsOf({ name, strips }: ArmPlan, runs: readonly FinishedRun[]): string[] {
  const failed = runs.filter(({ run }) => run.error !== undefined);
  const off = sum(runs.map(({ thinkingOff }) => thinkingOff));
  const leftOut = sum(runs.map((one) => one.leftOut));
  const dropped = sum(runs.map((one) => one.dropped));
  return [
    ...(failed.length === 0
      ? []
      : [`${name}: ${failed.length} of ${runs.length} runs ended in an error, the first with ${failed[0]?.run.error}`]),
    ...(dropped === 0
      ? []
      : [`${name}: reasoning was lost that was meant to be carried (blocks: ${dropped}): mend that first`]),
    ...(off === 0
      ? []
      : [`${name}: thinking was switched off for ${off} requests, which the provider refuses with it on`]),
    ...(strips && leftOut === 0
      ? [
          `${name}: there was no reasoning to leave out, so that nothing was compared: does the agent think, and send it back?`,
        ]
      : []),
  ];
}
