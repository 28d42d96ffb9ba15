/** A loop that forwards the block types it knows. `redacted_thinking` is not among them. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: Messages = [{ role: 'user', content: `${TASK} Check the bank account on it as well.` }];
const KNOWN = ['thinking', 'text', 'tool_use'];

for (;;) {
  const response = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools: TOOLS,
    messages,
  });
  // WRONG: a block that cannot be read is part of the reasoning like any other. Refused: the rest is now incomplete.
  messages.push({ role: 'assistant', content: response.content.filter((block) => KNOWN.includes(block.type)) });
  // RIGHT: messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
