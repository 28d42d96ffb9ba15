/** A Converse loop that keeps its history as JSON. What cannot be read comes as bytes, and JSON knows none. */
import { bedrock, CLAUDE, type Message, runTools, SYSTEM, TASK, TOOLS } from '../bedrock-world.ts';

const rows: string[] = [];

// WRONG: a Uint8Array becomes an object of numbers, and so it is sent. Refused, since bytes are base64 on the wire.
const save = (message: Message): void => void rows.push(JSON.stringify(message));
// RIGHT: keep them as base64, and make a Uint8Array of that again before the message is sent.

const load = (): Message[] => rows.map((row) => JSON.parse(row));

save({ role: 'user', content: [{ text: `${TASK} Check the bank account on it as well.` }] });
for (;;) {
  const { output } = await bedrock.converse({
    modelId: CLAUDE,
    additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    system: [{ text: SYSTEM }],
    toolConfig: TOOLS,
    messages: load(),
  });
  const content = output?.message?.content ?? [];
  save({ role: 'assistant', content });
  const results = runTools(content);
  if (results.length === 0) break;
  save({ role: 'user', content: results });
}
