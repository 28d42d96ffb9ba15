/** A chain as it should be: each request names the interaction before it, and the server keeps the thoughts. */
import type { Interactions } from '@google/genai';
import { FUNCTIONS, gemini, SYSTEM, TASK } from '../gemini-world.ts';
import { resultOf } from '../task.ts';

let input: string | Interactions.Step[] = TASK;
let previous: string | undefined;

for (;;) {
  const interaction: Interactions.Interaction = await gemini.interactions.create({
    model: 'gemini-3.8-flash',
    system_instruction: SYSTEM,
    tools: FUNCTIONS,
    input,
    ...(previous !== undefined && { previous_interaction_id: previous }),
  });
  const results: Interactions.Step[] = [];
  for (const step of interaction.steps ?? []) {
    if (step.type !== 'function_call') continue;
    results.push({ type: 'function_result', call_id: step.id, name: step.name, result: resultOf(step.name) });
  }
  if (results.length === 0) break;
  previous = interaction.id;
  input = results;
}
