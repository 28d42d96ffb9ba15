import type { Json } from '../json.ts';

/** Members of the wire that are written in two ways. */
const SNAKE = {
  thoughtSignature: 'thought_signature',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  inlineData: 'inline_data',
  fileData: 'file_data',
  executableCode: 'executable_code',
  codeExecutionResult: 'code_execution_result',
  toolCall: 'tool_call',
  toolResponse: 'tool_response',
  willContinue: 'will_continue',
  partialArgs: 'partial_args',
  systemInstruction: 'system_instruction',
  generationConfig: 'generation_config',
  thinkingConfig: 'thinking_config',
  thinkingBudget: 'thinking_budget',
  thinkingLevel: 'thinking_level',
  includeThoughts: 'include_thoughts',
  cachedContent: 'cached_content',
  continuationToken: 'continuation_token',
  maxOutputTokens: 'max_output_tokens',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop_sequences',
  finishReason: 'finish_reason',
  modelVersion: 'model_version',
  responseId: 'response_id',
  promptFeedback: 'prompt_feedback',
  usageMetadata: 'usage_metadata',
  promptTokenCount: 'prompt_token_count',
  cachedContentTokenCount: 'cached_content_token_count',
  candidatesTokenCount: 'candidates_token_count',
  thoughtsTokenCount: 'thoughts_token_count',
  toolUsePromptTokenCount: 'tool_use_prompt_token_count',
} as const;

export type MemberName = keyof typeof SNAKE;

/** A member in either spelling: the API takes both (ai.google.dev REST reference; protobuf JSON mapping). */
export function member(value: Json | undefined, name: MemberName): unknown {
  if (value === undefined) return undefined;
  const camel = value[name];
  return camel === undefined ? value[SNAKE[name]] : camel;
}
