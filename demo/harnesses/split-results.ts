/** A loop that answers parallel tool calls one by one. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: Messages = [{ role: 'user', content: TASK }];

for (;;) {
  const response = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools: TOOLS,
    messages,
  });
  messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  // WRONG: the history now tells of calls made one at a time, and the model learns to make them so.
  for (const result of runTools(response.content)) messages.push({ role: 'user', content: [result] });
  // RIGHT: messages.push({ role: 'user', content: runTools(response.content) });
}
