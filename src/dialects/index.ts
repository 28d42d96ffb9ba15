import { createAnthropicMessages } from './anthropic-messages/index.ts';
import type { ApiName, Dialect } from './dialect.ts';
import { createOpenaiResponses } from './openai-responses/index.ts';

/** The dialects that are built, by the name of their API. */
export const dialects: Partial<Record<ApiName, Dialect>> = {
  'anthropic.messages': createAnthropicMessages(),
  'openai.responses': createOpenaiResponses(),
};
