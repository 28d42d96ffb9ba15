/** A loop that shows the model's progress updates, and throws away blocks without text: there is nothing to show. */
import { anthropic, type BetaMessages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const messages: BetaMessages = [{ role: 'user', content: `${TASK} Keep me posted.` }];

for (;;) {
  const response = await anthropic.beta.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    betas: ['thinking-display-updates-2026-08-18'],
    thinking: { type: 'adaptive', display: 'updates' },
    system: SYSTEM,
    tools: TOOLS,
    messages,
  });
  // WRONG: the text of a thinking block is empty by default; the reasoning itself is in its signature. Refused.
  const shown = response.content.filter((block) => block.type !== 'thinking' || block.thinking !== '');
  messages.push({ role: 'assistant', content: shown });
  // RIGHT: messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
