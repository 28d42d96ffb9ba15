/** A streaming loop that takes each item from the first event that shows it. */
import { type Input, type Item, type Output, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

const input: Input = [{ role: 'user', content: TASK }];

for (;;) {
  const stream = await openai.responses.create({
    model: 'gpt-6.2-sol',
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: SYSTEM,
    tools: TOOLS,
    input,
    stream: true,
  });
  let output: Output = [];
  for await (const event of stream) {
    // WRONG: an item that has only been added is not finished, and what it has of its ciphertext cannot be read. Refused.
    if (event.type === 'response.output_item.added' && event.item.type === 'reasoning') input.push(event.item);
    if (event.type === 'response.output_item.done' && event.item.type !== 'reasoning') input.push(event.item as Item);
    // RIGHT: if (event.type === 'response.output_item.done') input.push(event.item);
    if (event.type === 'response.completed') output = event.response.output;
  }
  const results = runTools(output);
  if (results.length === 0) break;
  input.push(...results);
}
