/** A loop that saves on reasoning: the model may think before it calls a tool, not about the result. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: Messages = [{ role: 'user', content: TASK }];

for (;;) {
  const first = messages.length === 1;
  const response = await anthropic.messages.create({
    model: 'claude-opus-4-8',
    max_tokens: 4000,
    // WRONG: the tool loop is one turn. Switched off inside it, thinking is off for the rest, without an error.
    thinking: first ? { type: 'adaptive' } : { type: 'disabled' },
    // RIGHT: thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools: TOOLS,
    messages,
  });
  messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
