/** A loop that keeps its history short: what is older is replaced by a summary. */
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

let messages: Messages = [{ role: 'user', content: TASK }];

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
  if (messages.length > 3) {
    // WRONG: the reasoning that is kept is tied to the messages that were in front of it. Refused.
    messages = [{ role: 'user', content: `${TASK} So far: the invoice is read.` }, ...messages.slice(-2)];
    // RIGHT: let the provider do it, by compaction or `context_management`.
  }
}
