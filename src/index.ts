export type { ReasoningOptions } from './config.ts';
export type { InstrumentClientOptions, ReasoningInstrumentationConfig } from './intercept/config.ts';
export { instrumentClient } from './intercept/instrument-client.ts';
export { ReasoningInstrumentation } from './intercept/reasoning-instrumentation.ts';
export type { Run, RunOptions } from './run/bracket.ts';
export type { RunSummary } from './run/run-summary.ts';
export { withRun } from './run/with-run.ts';
