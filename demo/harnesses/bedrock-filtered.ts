/** A Converse loop that sends back what it shows: text and tool calls. */
import { bedrock, CLAUDE, type Message, runTools, SYSTEM, TASK, TOOLS } from '../bedrock-world.ts';

const messages: Message[] = [{ role: 'user', content: [{ text: TASK }] }];

for (;;) {
  const { output } = await bedrock.converse({
    modelId: CLAUDE,
    additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    system: [{ text: SYSTEM }],
    toolConfig: TOOLS,
    messages,
  });
  const content = output?.message?.content ?? [];
  // WRONG: `reasoningContent` is what the calls follow from. Nobody refuses, and the model begins to repeat itself.
  messages.push({ role: 'assistant', content: content.filter(({ text, toolUse }) => text !== undefined || toolUse) });
  // RIGHT: messages.push({ role: 'assistant', content });
  const results = runTools(content);
  if (results.length === 0) break;
  messages.push({ role: 'user', content: results });
}
