/** A loop from before there was reasoning: it picks out the tool calls and throws the rest away. */
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
  if (response.stop_reason !== 'tool_use') break;
  // WRONG: the thinking that led to the calls is gone, and nobody says so. The model begins to repeat itself.
  messages.push({ role: 'assistant', content: response.content.filter((block) => block.type === 'tool_use') });
  // RIGHT: messages.push({ role: 'assistant', content: response.content });
  messages.push({ role: 'user', content: runTools(response.content) });
}
