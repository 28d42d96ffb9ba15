/** A loop that chains its requests, until it is restarted in the middle of its task. */
import type OpenAI from 'openai';
import { type Input, openai, runTools, SYSTEM, TASK, TOOLS } from '../responses-world.ts';

/** What the agent keeps for itself: what was asked, called and returned. */
const log: Input = [{ role: 'user', content: TASK }];
let previous: string | null = null;
let news: Input = log;

for (let step = 1; ; step++) {
  const response: OpenAI.Responses.Response = await openai.responses.create({
    model: 'gpt-6.2-sol',
    instructions: SYSTEM,
    tools: TOOLS,
    previous_response_id: previous,
    input: news,
  });
  const results = runTools(response.output);
  if (results.length === 0) break;
  for (const item of response.output) {
    if (item.type !== 'function_call') continue;
    log.push({ type: 'function_call', call_id: item.call_id, name: item.name, arguments: item.arguments });
  }
  log.push(...results);
  previous = response.id;
  news = results;
  if (step === 2) {
    // WRONG: the log tells what was done, not what was thought. The chain begins anew without it.
    previous = null;
    news = [...log];
    // RIGHT: keep `response.id` beside the log, and go on from it.
  }
}
