/** A Converse loop as it should be: the message goes back as it came, signatures and bytes untouched. */
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
  messages.push({ role: 'assistant', content });
  const results = runTools(content);
  if (results.length === 0) break;
  messages.push({ role: 'user', content: results });
}
