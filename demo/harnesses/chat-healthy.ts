/** A Chat loop as it should be: the message goes back as it came, with the member that the SDK has no type for. */
import { deepseek, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../chat-world.ts';

const messages: Messages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: TASK },
];

for (;;) {
  const completion = await deepseek.chat.completions.create({ model: 'deepseek-v4-pro', tools: TOOLS, messages });
  const message = completion.choices[0]?.message;
  if (!message) break;
  messages.push(message);
  const results = runTools(message);
  if (results.length === 0) break;
  messages.push(...results);
}
