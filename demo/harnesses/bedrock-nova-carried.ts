/** The sound loop of Claude, with another model's id: one that gives its reasoning and refuses to take it back. */
import { bedrock, type Message, NOVA, runTools, SYSTEM, TASK, TOOLS } from '../bedrock-world.ts';

const messages: Message[] = [{ role: 'user', content: [{ text: TASK }] }];

for (;;) {
  const { output } = await bedrock.converse({
    modelId: NOVA,
    additionalModelRequestFields: { reasoningConfig: { type: 'enabled' } },
    system: [{ text: SYSTEM }],
    toolConfig: TOOLS,
    messages,
  });
  const content = output?.message?.content ?? [];
  // WRONG here, and right with Claude.
  messages.push({ role: 'assistant', content });
  // RIGHT: messages.push({ role: 'assistant', content: content.filter((block) => !block.reasoningContent) });
  const results = runTools(content);
  if (results.length === 0) break;
  messages.push({ role: 'user', content: results });
}
