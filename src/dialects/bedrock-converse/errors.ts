import type { CallError } from '../dialect.ts';

export const REASONING_REFUSED = 'reasoning_refused';

/** Refusals that Converse itself gives, before any model's own; the classes of the Messages API stand for the same there. */
const REFUSALS: readonly (readonly [fragment: string, rejection: string])[] = [
  // Nova and DeepSeek: github.com/can1357/oh-my-pi/issues/9086, github.com/langchain-ai/langchain-aws/issues/401.
  ['cannot contain reasoning content', REASONING_REFUSED],
  // `Unknown parameter in messages[1].content[0].reasoningContent`: NousResearch/hermes-agent#105119.
  ['].reasoningContent', 'malformed'],
  ['Thinking may not be enabled when tool_choice forces tool use', 'tool_choice_forced'],
  ['Expected toolResult blocks at', 'tool_result_missing'],
  ['exceeds the number of toolUse blocks of previous turn', 'tool_result_orphan'],
];

/** Class of a refusal that is no model's; undefined for any other. */
export function classifyRefusal({ type, message = '' }: CallError): string | undefined {
  // A value that is no base64 where bytes belong: bytes that went through JSON.
  if (type === 'SerializationException') return 'malformed';
  return REFUSALS.find(([fragment]) => message.includes(fragment))?.[1];
}
