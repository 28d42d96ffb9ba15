import type { ApiName } from '../../../dialects/dialect.ts';
import { ANTHROPIC_MESSAGES } from './anthropic-messages.ts';
import { BEDROCK_CONVERSE } from './bedrock-converse.ts';
import { GEMINI_GENERATE } from './gemini-generate.ts';
import { GEMINI_INTERACTIONS } from './gemini-interactions.ts';
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';
import type { Wire } from './wire.ts';

export const WIRES: Readonly<Record<ApiName, Wire>> = {
  'anthropic.messages': ANTHROPIC_MESSAGES,
  'openai.responses': OPENAI_RESPONSES,
  'openai.chat': OPENAI_CHAT,
  'gemini.generateContent': GEMINI_GENERATE,
  'gemini.interactions': GEMINI_INTERACTIONS,
  'bedrock.converse': BEDROCK_CONVERSE,
};
