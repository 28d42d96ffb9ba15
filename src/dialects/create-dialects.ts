import { createAnthropicMessages } from './anthropic-messages/index.ts';
import { readModelRows as readAnthropicRows } from './anthropic-messages/model-rows.ts';
import type { ApiName, Dialect } from './dialect.ts';
import { createGeminiGenerate } from './gemini-generate/index.ts';
import { readModelRows as readGeminiRows } from './gemini-generate/model-rows.ts';
import { dialects } from './index.ts';
import { readChatRows } from './openai-chat/chat-rows.ts';
import { createOpenaiChat } from './openai-chat/index.ts';
import { createOpenaiResponses } from './openai-responses/index.ts';
import { readModelRows as readResponsesRows } from './openai-responses/model-rows.ts';

type Rows = Readonly<Record<string, unknown>>;

/** Dialects whose tables a user can add to, by API. */
const EXTENSIBLE: Partial<Record<ApiName, (rows: unknown, report: (problem: string) => void) => Dialect>> = {
  'anthropic.messages': (rows, report) => createAnthropicMessages(readAnthropicRows(rows, report)),
  'gemini.generateContent': (rows, report) => createGeminiGenerate(readGeminiRows(rows, report)),
  'openai.chat': (rows, report) => createOpenaiChat(readChatRows(rows, report)),
  'openai.responses': (rows, report) => createOpenaiResponses(readResponsesRows(rows, report)),
};

/**
 * The dialects, with a user's own model rows in their tables: `{ "anthropic.messages": { "<model>": { … } } }`.
 * @param report is told what cannot be used, one line each; the rest is.
 */
export function createDialects(
  rows: Rows | undefined,
  report: (problem: string) => void,
): Partial<Record<ApiName, Dialect>> {
  if (rows === undefined) return dialects;
  const made = { ...dialects };
  for (const [api, own] of Object.entries(rows)) {
    const create = EXTENSIBLE[api as ApiName];
    if (create === undefined)
      report(`${api}: no API with a model table (there are: ${Object.keys(EXTENSIBLE).join(', ')})`);
    else made[api as ApiName] = create(own, (problem) => report(`${api}.${problem}`));
  }
  return made;
}
