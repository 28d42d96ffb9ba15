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
export type { ConverseConflicts } from './bedrock-converse/conflicts.ts';
export type { ConverseOptions } from './bedrock-converse/context.ts';
export type {
  ConverseAnswer,
  ConversePart,
  ConverseScript,
  ConverseScriptCall,
  ConverseScriptOption,
} from './bedrock-converse/script.ts';
export { deliberatingOpenAiScript, deliberatingScript } from './deliberating-scripts.ts';
export type { ProjectOptions } from './gemini/caller.ts';
export { defaultGeminiAgent } from './gemini/default-agent.ts';
export type { GeminiModelRow, ThinkingLevel } from './gemini/models.ts';
export type {
  GeminiAnswer,
  GeminiCallPart,
  GeminiPart,
  GeminiScript,
  GeminiScriptCall,
  GeminiScriptOption,
} from './gemini/script.ts';
export type { GeminiConflicts } from './gemini-generate/conflicts.ts';
export type { GeminiOptions, GeminiStreamOptions } from './gemini-generate/context.ts';
export type { InteractionsConflicts } from './gemini-interactions/conflicts.ts';
export type { InteractionsOptions } from './gemini-interactions/context.ts';
export type { Delivery, StreamPlace } from './http/delivery.ts';
export { defaultOpenAiAgent } from './openai/default-agent.ts';
export type { OpenAiModelRow } from './openai/models.ts';
export type { OrganizationOptions } from './openai/organization.ts';
export type {
  CallPart,
  MessagePart,
  OpenAiAnswer,
  OpenAiPart,
  OpenAiScript,
  OpenAiScriptCall,
  OpenAiScriptOption,
  RefusalPart,
} from './openai/script.ts';
export type { ChatConflicts } from './openai-chat/conflicts.ts';
export type { ChatOptions } from './openai-chat/context.ts';
export type { ChatProfile, HostRequest, Member, Requirement, Upstream } from './openai-chat/profile.ts';
export type { ResponsesConflicts } from './openai-responses/conflicts.ts';
export type { ResponsesOptions } from './openai-responses/context.ts';
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
