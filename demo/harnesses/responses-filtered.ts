/** A stateless loop from before there was reasoning: only what it knows of a call goes back. */
import { type Input, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

const input: Input = [{ role: 'user', content: TASK }];

for (;;) {
  const response = await openai.responses.create({
    model: 'gpt-6.2-sol',
    store: false,
    instructions: SYSTEM,
    tools: TOOLS,
    input,
  });
  const results = runTools(response.output);
  if (results.length === 0) break;
  // WRONG: the reasoning that led to the calls is gone. Calls without their ids are taken alone, and nobody says so.
  for (const item of response.output) {
    if (item.type !== 'function_call') continue;
    const { call_id, name, arguments: args } = item;
    input.push({ type: 'function_call', call_id, name, arguments: args });
  }
  // RIGHT: input.push(...response.output);
  input.push(...results);
}
