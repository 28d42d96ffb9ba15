export type { ReasoningOptions } from './config.ts';
export type { InstrumentClientOptions, ReasoningInstrumentationConfig } from './intercept/config.ts';
export { instrumentClient } from './intercept/instrument-client.ts';
export { ReasoningInstrumentation } from './intercept/reasoning-instrumentation.ts';
