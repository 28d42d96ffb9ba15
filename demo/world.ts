/** What the harnesses of the Anthropic Messages API share: the client and the tools. The loops are in harnesses/. */
import Anthropic from '@anthropic-ai/sdk';
import { PARAMETERS, resultOf, TASK_TOOLS } from './task.ts';

export { SYSTEM, TASK } from './task.ts';

/** Takes ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY from the environment, which the demo points at the simulator. */
export const anthropic = new Anthropic();

export type Messages = Anthropic.MessageParam[];
export type BetaMessages = Anthropic.Beta.BetaMessageParam[];

export const TOOLS = TASK_TOOLS.map(
  ({ name, description }): Anthropic.Tool => ({ name, description, input_schema: PARAMETERS }),
);

/** Runs the tools that an answer calls: one result for each call, in order. */
export function runTools(
  content: readonly (Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock)[],
): Anthropic.ToolResultBlockParam[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: resultOf(call.name) }));
}
