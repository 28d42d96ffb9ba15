/** A loop that maps calls to a type of its own, which has no item id, and passes everything else on as it came. */
import { type Input, type Item, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

const input: Input = [{ role: 'user', content: TASK }];

for (;;) {
  const response = await openai.responses.create({
    model: 'gpt-6.2-sol',
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: SYSTEM,
    tools: TOOLS,
    input,
  });
  for (const item of response.output) {
    // WRONG: reasoning that has its id must be followed by the item that it led to, by that item's id. Refused.
    if (item.type === 'function_call') {
      const { call_id, name, arguments: args } = item;
      input.push({ type: 'function_call', call_id, name, arguments: args });
    } else input.push(item as Item);
    // RIGHT: ids on both or on neither; simplest is input.push(...response.output);
  }
  const results = runTools(response.output);
  if (results.length === 0) break;
  input.push(...results);
}
