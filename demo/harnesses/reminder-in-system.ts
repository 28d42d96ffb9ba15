/** A loop that keeps the model informed by its system prompt. It has asked for broken reasoning to be dropped. */
import { anthropic, type BetaMessages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: BetaMessages = [{ role: 'user', content: TASK }];

for (let stepsLeft = 8; stepsLeft > 0; stepsLeft--) {
  const response = await anthropic.beta.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    betas: ['thinking-binding-controls-2026-08-01'],
    thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    // WRONG: the reasoning is tied to the system prompt as it was; with another one the provider drops it, quietly.
    system: `${SYSTEM} You have ${stepsLeft} steps left.`,
    // RIGHT: system: SYSTEM, and after the results
    //   messages.push({ role: 'system', content: `You have ${stepsLeft} steps left.` });
    tools: TOOLS,
    messages,
  });
  messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
