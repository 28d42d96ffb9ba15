import { createAnthropicMessages } from './anthropic-messages/index.ts';
import { createBedrockConverse } from './bedrock-converse/index.ts';
import type { ApiName, Dialect } from './dialect.ts';
import { createGeminiGenerate } from './gemini-generate/index.ts';
import { createGeminiInteractions } from './gemini-interactions/index.ts';
import { createOpenaiChat } from './openai-chat/index.ts';
import { createOpenaiResponses } from './openai-responses/index.ts';

const messages = createAnthropicMessages();

/** The dialects that are built, by the name of their API. */
export const dialects: Partial<Record<ApiName, Dialect>> = {
  'anthropic.messages': messages,
  'bedrock.converse': createBedrockConverse(messages),
  'gemini.generateContent': createGeminiGenerate(),
  'gemini.interactions': createGeminiInteractions(),
  'openai.chat': createOpenaiChat(),
  'openai.responses': createOpenaiResponses(),
};
