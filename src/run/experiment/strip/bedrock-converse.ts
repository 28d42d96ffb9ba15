import { isJson, type Json, objectsOf } from '../json.ts';
import type { Wire } from './wire.ts';

export const BEDROCK_CONVERSE: Wire = {
  api: 'bedrock.converse',

  strip(body) {
    let blocks = 0;
    const messages = objectsOf(body.messages).flatMap((message) => {
      if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message];
      const kept = message.content.filter((block) => !isJson(block) || block.reasoningContent === undefined);
      if (kept.length === message.content.length) return [message];
      blocks += message.content.length - kept.length;
      return kept.length === 0 ? [] : [{ ...message, content: kept }];
    });
    if (blocks === 0) return { body, blocks };
    const stripped = { ...body, messages };
    const off = isOpen(messages) ? thinkingOff(stripped) : undefined;
    return off === undefined ? { body: stripped, blocks } : { body: off, blocks, thinkingOff: true };
  },

  calls: ({ messages }) =>
    objectsOf(messages)
      .flatMap(({ content }) => objectsOf(content))
      .flatMap(({ toolUse, toolResult }) => {
        if (isJson(toolUse)) return { id: String(toolUse.toolUseId), name: String(toolUse.name), input: toolUse.input };
        return isJson(toolResult) ? { id: String(toolResult.toolUseId) } : [];
      }),
};

const isOpen = (messages: readonly Json[]): boolean =>
  objectsOf(messages.at(-1)?.content).some(({ toolResult }) => toolResult !== undefined);

/** Claude with a manual budget: as on its own API. */
function thinkingOff(body: Json): Json | undefined {
  const fields = body.additionalModelRequestFields;
  if (!isJson(fields) || !isJson(fields.thinking) || fields.thinking.type !== 'enabled') return undefined;
  return { ...body, additionalModelRequestFields: { ...fields, thinking: { type: 'disabled' } } };
}
