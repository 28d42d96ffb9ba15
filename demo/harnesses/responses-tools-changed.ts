/** A loop in which one more tool is connected while the agent is at work. This model checks what stood before. */
import { type Input, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

const input: Input = [{ role: 'user', content: TASK }];
const tools = TOOLS.slice(0, 3);

for (;;) {
  const response = await openai.responses.create({
    model: 'gpt-6.2-sol',
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: SYSTEM,
    tools,
    input,
  });
  input.push(...(response.output as Input));
  const results = runTools(response.output);
  if (results.length === 0) break;
  input.push(...results);
  // WRONG: the reasoning is tied to the tools as they were; with others the provider leaves it out, quietly.
  tools.push(...TOOLS.slice(tools.length));
  // RIGHT: declare all tools at the start; `tool_choice: { type: 'allowed_tools', … }` narrows them from step to step.
}
