export type { ReasoningOptions } from './config.ts';
export type { Finding } from './continuity/judgement.ts';
export type { ApiName } from './dialects/dialect.ts';
export type { RunFinding } from './emit/run-totals.ts';
export type { InstrumentClientOptions, ReasoningInstrumentationConfig } from './intercept/config.ts';
export { instrumentClient } from './intercept/instrument-client.ts';
export { ReasoningInstrumentation } from './intercept/reasoning-instrumentation.ts';
export { ReasoningContinuityError } from './observe/continuity-error.ts';
export type { Run, RunOptions } from './run/bracket.ts';
export type { Arm } from './run/experiment/arm.ts';
export type { ArmKind } from './run/experiment/arms.ts';
export type { ArmReport, Difference, ExperimentReport, ExperimentRun } from './run/experiment/report.ts';
export { experimentText } from './run/experiment/report-text.ts';
export {
  type ExperimentOptions,
  type ExperimentProgress,
  type ExperimentTask,
  runExperiment,
} from './run/experiment/run-experiment.ts';
export type { Interval } from './run/experiment/statistics/interval.ts';
export { type FlushOptions, flush } from './run/flush.ts';
export type { RunSummary } from './run/run-summary.ts';
export { withRun } from './run/with-run.ts';
