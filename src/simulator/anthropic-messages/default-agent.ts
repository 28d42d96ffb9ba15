import { isWire } from '../json.ts';
import { type CallableTool, planningAgent } from '../planning-agent.ts';
import type { Answer, ScriptCall } from './script.ts';

/** The planning agent, asked through the Messages API. A paused answer is gone on with. */
export function defaultAgent(call: ScriptCall): Answer {
  const open = call.openServerTools[0];
  if (open) {
    return {
      content: [
        { block: { type: `${open.name}_tool_result`, tool_use_id: open.id, content: [] } },
        { text: 'The search brought nothing new; going on with what is known.' },
      ],
    };
  }
  const { output_config: output, output_format, tool_choice: choice } = call.body;
  const format = (isWire(output) && isWire(output.format) && output.format) || output_format;
  return planningAgent({
    tools: callable(call),
    step: call.step,
    results: call.results.length,
    mustCall: isWire(choice) && (choice.type === 'any' || choice.type === 'tool'),
    ...(isWire(format) && { format: format.schema ?? {} }),
    random: call.random,
    turnRandom: call.turnRandom,
  });
}

function callable({ tools, body }: ScriptCall): CallableTool[] {
  if (isWire(body.tool_choice) && body.tool_choice.type === 'none') return [];
  const named = isWire(body.tool_choice) && body.tool_choice.type === 'tool' ? body.tool_choice.name : undefined;
  return tools
    .filter(
      (tool) =>
        (tool.type === undefined || tool.type === null || tool.type === 'custom') &&
        tool.defer_loading !== true &&
        (named === undefined || tool.name === named),
    )
    .map((tool) => ({ name: String(tool.name), schema: tool.input_schema }));
}
