/** What the harnesses of Chat Completions share: the client of a host that gives `reasoning_content`, and the tools. */
import OpenAI from 'openai';
import { PARAMETERS, resultOf, TASK_TOOLS } from './task.ts';

export { SYSTEM, TASK } from './task.ts';

/** The demo points both at the simulator, which plays the host here. */
export const deepseek = new OpenAI({
  baseURL: process.env.DEEPSEEK_BASE_URL,
  apiKey: process.env.DEEPSEEK_API_KEY,
});

export type Messages = OpenAI.ChatCompletionMessageParam[];

export const TOOLS = TASK_TOOLS.map(
  ({ name, description }): OpenAI.ChatCompletionFunctionTool => ({
    type: 'function',
    function: { name, description, parameters: PARAMETERS },
  }),
);

/** The same with what they do, as the SDK's own runner wants them. */
export const RUNNABLE_TOOLS = TASK_TOOLS.map(({ name, description, result }) => ({
  type: 'function' as const,
  function: {
    name,
    description,
    parameters: PARAMETERS,
    parse: JSON.parse,
    function: (_input: { invoice: string }): string => result,
  },
}));

/** Runs the tools that an answer calls: one result for each call, in order; none where the answer is the last one. */
export function runTools({
  tool_calls: calls = [],
}: OpenAI.ChatCompletionMessage): OpenAI.ChatCompletionToolMessageParam[] {
  return calls
    .filter((call) => call.type === 'function')
    .map((call) => ({ role: 'tool', tool_call_id: call.id, content: resultOf(call.function.name) }));
}
