/** A loop that keeps its history in a store made for chats: what the store has no column for is lost. */
import type Anthropic from '@anthropic-ai/sdk';
import { anthropic, type Messages, runTools, SYSTEM, TASK, TOOLS } from '../world.ts';

const rows: string[] = [];

// WRONG: the columns are those that somebody knew of. `signature` is not among them.
const COLUMNS = ['role', 'content', 'type', 'text', 'thinking', 'id', 'name', 'input', 'invoice', 'tool_use_id'];
const save = (message: Anthropic.MessageParam): void => {
  rows.push(JSON.stringify(message, COLUMNS));
};
// RIGHT: rows.push(JSON.stringify(message));

const load = (): Messages => rows.map((row) => JSON.parse(row));

save({ role: 'user', content: TASK });
for (;;) {
  const response = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 4000,
    thinking: { type: 'adaptive' },
    system: SYSTEM,
    tools: TOOLS,
    messages: load(),
  });
  save({ role: 'assistant', content: response.content });
  if (response.stop_reason !== 'tool_use') break;
  save({ role: 'user', content: runTools(response.content) });
}
