/** A loop in which a user connects one more tool while the agent is at work. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: Messages = [{ role: 'user', content: TASK }];
const tools = TOOLS.slice(0, 3);

for (;;) {
  const response = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools,
    messages,
  });
  messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
  // WRONG: the reasoning is tied to the tools as they were. Refused.
  tools.push(...TOOLS.slice(tools.length));
  // RIGHT: declare it from the start with `defer_loading: true`, or add it by a `tool_addition` block.
}
