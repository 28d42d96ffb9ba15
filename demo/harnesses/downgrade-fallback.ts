/** A loop that falls back to an older model when the first choice is overloaded. */
import Anthropic from '@anthropic-ai/sdk';
import { type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const anthropic = new Anthropic({ maxRetries: 0 });
const messages: Messages = [{ role: 'user', content: TASK }];

const ask = (model: string): Promise<Anthropic.Message> =>
  anthropic.messages.create({
    model,
    max_tokens: 4000,
    thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools: TOOLS,
    messages,
  });

let model = 'claude-opus-5-5';
for (;;) {
  const response = await ask(model).catch((error: unknown) => {
    if (!(error instanceof Anthropic.APIError) || error.status !== 529) throw error;
    // WRONG: an older model cannot read the reasoning of a newer one. It is left out, without an error.
    model = 'claude-sonnet-5';
    // RIGHT: wait and ask the same model again, or start the turn anew on the other one.
    return ask(model);
  });
  messages.push({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  messages.push({ role: 'user', content: runTools(response.content) });
}
