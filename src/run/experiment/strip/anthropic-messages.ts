import { experimentError } from '../experiment-error.ts';
import { isJson, type Json, objectsOf } from '../json.ts';
import type { Stripped, Wire } from './wire.ts';

const REASONING = new Set<unknown>(['thinking', 'redacted_thinking']);

const isReasoning = (block: Json): boolean => REASONING.has(block.type);

export const ANTHROPIC_MESSAGES: Wire = {
  api: 'anthropic.messages',

  strip(body) {
    if (isJson(body.thread)) {
      throw experimentError(
        'anthropic.messages: the provider holds the history (thread): send it as messages; toolRunner() does with thread: false',
      );
    }
    let blocks = 0;
    const messages = objectsOf(body.messages).flatMap((message) => {
      if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message];
      const kept = message.content.filter((block) => !isJson(block) || !isReasoning(block));
      if (kept.length === message.content.length) return [message];
      blocks += message.content.length - kept.length;
      // A message without content is refused.
      return kept.length === 0 ? [] : [{ ...message, content: kept }];
    });
    if (blocks === 0) return { body, blocks };
    return legal({ ...body, messages }, blocks);
  },

  calls: ({ messages }) =>
    objectsOf(messages)
      .flatMap(({ content }) => objectsOf(content))
      .flatMap(({ type, id, name, input, tool_use_id }) => {
        if (type === 'tool_use') return { id: String(id), name: String(name), input };
        return type === 'tool_result' ? { id: String(tool_use_id) } : [];
      }),
};

/**
 * With a manual budget, the answer whose calls are still open has to begin with thinking, else: "Expected `thinking` or
 * `redacted_thinking`, but found `tool_use`". The page that says so names the way out, `disabled`
 * (platform.claude.com build-with-claude/extended-thinking). Adaptive thinking misses nothing.
 */
function legal(body: Json, blocks: number): Stripped {
  const isManual = isJson(body.thinking) && body.thinking.type === 'enabled';
  if (!isManual || !isOpen(objectsOf(body.messages))) return { body, blocks };
  return { body: { ...withoutClearing(body), thinking: { type: 'disabled' } }, blocks, thinkingOff: true };
}

/** Results come last: the model is in the middle of its turn. */
function isOpen(messages: readonly Json[]): boolean {
  const last = messages.findLast(({ role }) => role !== 'system');
  return last?.role === 'user' && objectsOf(last.content).some(({ type }) => type === 'tool_result');
}

/** `clear_thinking` is refused where thinking is off (platform.claude.com build-with-claude/context-editing). */
function withoutClearing(body: Json): Json {
  const { context_management: management } = body;
  if (!isJson(management)) return body;
  const edits = objectsOf(management.edits).filter(({ type }) => !String(type).startsWith('clear_thinking'));
  return { ...body, context_management: { ...management, edits } };
}
