/** A chain that is restarted in the middle of its task. */
import type { Interactions } from '@google/genai';
import { FUNCTIONS, gemini, SYSTEM, TASK } from '../gemini-world.ts';
import { resultOf } from '../task.ts';

/** What the agent keeps for itself: what was asked, called and returned. */
const log: Interactions.Step[] = [{ type: 'user_input', content: [{ type: 'text', text: TASK }] }];
let input: Interactions.Step[] = log;
let previous: string | undefined;

for (let turn = 1; ; turn++) {
  const interaction: Interactions.Interaction = await gemini.interactions.create({
    model: 'gemini-3.8-flash',
    system_instruction: SYSTEM,
    tools: FUNCTIONS,
    input,
    ...(previous !== undefined && { previous_interaction_id: previous }),
  });
  const calls = (interaction.steps ?? []).filter((step) => step.type === 'function_call');
  if (calls.length === 0) break;
  const results = calls.map(
    ({ id, name }): Interactions.Step => ({ type: 'function_result', call_id: id, name, result: resultOf(name) }),
  );
  log.push(...calls, ...results);
  previous = interaction.id;
  input = results;
  if (turn === 2) {
    // WRONG: the log tells what was done, not what was thought. The chain begins anew without it.
    previous = undefined;
    input = [...log];
    // RIGHT: keep `interaction.id` beside the log, and go on from it.
  }
}
