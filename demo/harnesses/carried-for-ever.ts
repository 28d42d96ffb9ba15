/** A conversation of several tasks that carries all reasoning of all of them along. Nothing is lost; it is paid for. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: Messages = [];

for (const task of [TASK, 'Thank you. Now invoice 8842.']) {
  messages.push({ role: 'user', content: task });
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
    messages.push({ role: 'user', content: runTools(response.content) });
  }
  // COSTLY: this model reads the reasoning of finished turns, so each later request pays for it as input again.
  // CHEAPER: a new conversation for a new task, or `context_management` with `clear_thinking_20251015`.
}
