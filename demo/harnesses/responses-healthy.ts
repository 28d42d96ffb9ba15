/** A stateless loop as it should be: every output item goes back as it came, the encrypted reasoning among them. */
import { type Input, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

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
  input.push(...(response.output as Input));
  const results = runTools(response.output);
  if (results.length === 0) break;
  input.push(...results);
}
