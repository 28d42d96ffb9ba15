import { isEmptyList, isJson, type Json, objectsOf, without } from '../json.ts';
import { GEMINI_BYPASS } from './gemini-bypass.ts';
import type { Wire } from './wire.ts';

/** Every member in which some host hands reasoning out. */
const MEMBERS: ReadonlySet<string> = new Set([
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'reasoning_opaque',
  'reasoning_details',
  'thinking',
  'thinking_blocks',
]);
/** LiteLLM keeps a second copy of them here. */
const SPECIFIC = 'provider_specific_fields';
const TAGS = /^\s*<think>[\s\S]*?<\/think>\s*/;

/**
 * Models whose own hosts refuse a message that lacks `reasoning_content` (api-docs.deepseek.com thinking_mode;
 * platform.moonshot.ai; MiMo). Clients that have lost it put a few words in its place, which pass.
 */
const REQUIRES_TEXT = /deepseek|kimi|moonshot|mimo/i;
const IN_ITS_PLACE = '(left out)';

export const OPENAI_CHAT: Wire = {
  api: 'openai.chat',

  strip(body) {
    const needsText = REQUIRES_TEXT.test(String(body.model));
    let blocks = 0;
    let last = -1;
    const messages = objectsOf(body.messages).map((message, at) => {
      if (message.role !== 'assistant') return message;
      const bare = bareMessage(message);
      if (bare === message) return message;
      blocks++;
      last = at;
      const { reasoning_content: text } = message;
      if (!needsText || typeof text !== 'string') return bare;
      // What came empty has to come back empty.
      return { ...bare, reasoning_content: text === '' ? '' : IN_ITS_PLACE };
    });
    if (blocks === 0) return { body, blocks };
    const stripped = { ...body, messages };
    const isOpen = last > messages.findLastIndex(({ role }) => role === 'user');
    const off = isOpen && /claude/i.test(String(body.model)) ? switchedOff(stripped) : undefined;
    return off === undefined ? { body: stripped, blocks } : { body: off, blocks, thinkingOff: true };
  },

  calls: ({ messages }) =>
    objectsOf(messages).flatMap((message) => {
      if (message.role === 'tool') return [{ id: String(message.tool_call_id) }];
      return objectsOf(message.tool_calls).map((call) => {
        const made = [call.function, call.custom].find(isJson) ?? {};
        return { id: String(call.id), name: String(made.name), input: made.arguments ?? made.input };
      });
    }),
};

function bareMessage(message: Json): Json {
  const members: Record<string, unknown> = { ...without(message, MEMBERS) };
  let changed = Object.keys(members).length < Object.keys(message).length;
  const set = (member: string, value: unknown): void => {
    if (value === members[member]) return;
    members[member] = value;
    changed = true;
  };
  for (const member of [SPECIFIC, 'extra_content']) {
    const value = members[member];
    if (isJson(value)) set(member, bareExtra(value));
  }
  set('content', bareContent(members.content));
  if (Array.isArray(members.tool_calls)) {
    const calls = members.tool_calls.map((call: unknown) => (isJson(call) ? bareCall(call) : call));
    if (calls.some((call, at) => call !== (members.tool_calls as unknown[])[at])) set('tool_calls', calls);
  }
  return changed ? members : message;
}

/** Tags in the text (MiniMax, open weights), or chunks of a list (Mistral). */
function bareContent(content: unknown): unknown {
  if (typeof content === 'string') return TAGS.test(content) ? content.replace(TAGS, '') : content;
  if (!Array.isArray(content)) return content;
  const kept = content.filter((chunk) => !isJson(chunk) || chunk.type !== 'thinking');
  if (kept.length === content.length) return content;
  return isEmptyList(kept) ? '' : kept;
}

const SIGNATURE: ReadonlySet<string> = new Set(['thought_signature', 'thought_signatures']);

/** A signature that Gemini's compatible endpoint asks for is replaced by the value that passes and carries nothing. */
function bareExtra(extra: Json): Json {
  const bare = without(without(extra, MEMBERS), SIGNATURE);
  const { google } = bare;
  if (!isJson(google) || google.thought_signature === undefined) return bare;
  return { ...bare, google: { ...google, thought_signature: GEMINI_BYPASS } };
}

function bareCall(call: Json): Json {
  const extra = call.extra_content;
  const bare = isJson(extra) ? bareExtra(extra) : undefined;
  return bare === undefined || bare === extra ? call : { ...call, extra_content: bare };
}

/** How gateways are told to have Claude not think, which refuses an open loop that lost its thinking (see Messages). */
function switchedOff(body: Json): Json | undefined {
  const changes = {
    ...(isJson(body.thinking) && body.thinking.type === 'enabled' && { thinking: { type: 'disabled' } }),
    ...(isJson(body.reasoning) && { reasoning: { enabled: false } }),
    ...(typeof body.reasoning_effort === 'string' && { reasoning_effort: 'none' }),
  };
  return Object.keys(changes).length === 0 ? undefined : { ...body, ...changes };
}
