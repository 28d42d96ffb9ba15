/** What the harnesses of the OpenAI Responses API share: the client and the tools. */
import OpenAI from 'openai';
import { PARAMETERS, resultOf, TASK_TOOLS } from './task.ts';

export { SYSTEM, TASK } from './task.ts';

/** Takes OPENAI_BASE_URL and OPENAI_API_KEY from the environment, which the demo points at the simulator. */
export const openai = new OpenAI();

/** Items that come back are accepted as input; the SDK's types of the two differ in members that no agent touches. */
export type Item = OpenAI.Responses.ResponseInputItem;
export type Input = Item[];
export type Output = readonly OpenAI.Responses.ResponseOutputItem[];
export type Result = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

export const TOOLS = TASK_TOOLS.map(
  ({ name, description }): OpenAI.Responses.FunctionTool => ({
    type: 'function',
    name,
    description,
    parameters: PARAMETERS,
    strict: false,
  }),
);

/** Runs the tools that an answer calls: one result for each call, in order; none where the answer is the last one. */
export function runTools(output: Output): Result[] {
  return output
    .filter((item) => item.type === 'function_call')
    .map((call) => ({ type: 'function_call_output', call_id: call.call_id, output: resultOf(call.name) }));
}
