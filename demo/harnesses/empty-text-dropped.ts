/** A loop that tidies up: blocks without text are thrown away. Thinking comes without text by default. */
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
  // WRONG: the text is empty because of display "omitted"; the reasoning itself is in the signature.
  const tidy = response.content.filter((block) => block.type !== 'thinking' || block.thinking !== '');
  messages.push({ role: 'assistant', content: tidy });
  // RIGHT: messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
