export type { AccountOptions } from './anthropic-messages/account.ts';
export type { Conflicts } from './anthropic-messages/conflicts.ts';
export type { AnthropicOptions } from './anthropic-messages/context.ts';
export { defaultAgent } from './anthropic-messages/default-agent.ts';
export type { ModelRow } from './anthropic-messages/models.ts';
export type {
  Answer,
  Part,
  ProgressPart,
  Script,
  ScriptCall,
  ScriptOption,
  StopReason,
  ToolPart,
} from './anthropic-messages/script.ts';
export type { Delivery, StreamPlace } from './http/delivery.ts';
export type {
  BlockPart,
  Fault,
  ServerToolPart,
  StatusFault,
  TextPart,
  ThinkPart,
  ToolResultSeen,
} from './script-parts.ts';
export type { Seeded } from './seeded.ts';
export { type RecordedRequest, type Simulator, type SimulatorOptions, startSimulator } from './start-simulator.ts';
export type { Verdict } from './verdict.ts';
