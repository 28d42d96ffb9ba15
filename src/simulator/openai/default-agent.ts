import { asList, isWire, type Wire } from '../json.ts';
import { type CallableTool, planningAgent } from '../planning-agent.ts';
import type { OpenAiAnswer, OpenAiScriptCall } from './script.ts';

/** The planning agent, asked through an OpenAI API. */
export function defaultOpenAiAgent(call: OpenAiScriptCall): OpenAiAnswer {
  const { tool_choice: choice } = call.body;
  return planningAgent({
    tools: callable(call),
    step: call.step,
    results: call.results.length,
    mustCall: choice === 'required' || (isWire(choice) && choice.type !== 'allowed_tools'),
    ...answerFormat(call.body),
    random: call.random,
    turnRandom: call.turnRandom,
  });
}

/** Functions stand flat in a Responses request and nested in a Chat one; `allowed_tools` as well. */
function callable({ tools, body }: OpenAiScriptCall): CallableTool[] {
  const choice = body.tool_choice;
  if (choice === 'none') return [];
  const functions = tools
    .filter(({ type }) => type === 'function' || type === 'custom')
    .map((tool) => (isWire(tool.function) ? tool.function : isWire(tool.custom) ? tool.custom : tool))
    .map(({ name, parameters }) => ({ name: String(name), schema: parameters }));
  const names = isWire(choice) ? namesOf(choice) : undefined;
  return names ? functions.filter(({ name }) => names.includes(name)) : functions;
}

function namesOf(choice: Wire): string[] | undefined {
  if (choice.type === 'allowed_tools') {
    const allowed = isWire(choice.allowed_tools) ? choice.allowed_tools : choice;
    return asList(allowed.tools)
      .filter(isWire)
      .flatMap(({ name, function: nested }) => String(name ?? (isWire(nested) ? nested.name : '')));
  }
  const named = [choice.function, choice.custom].find(isWire) ?? choice;
  return named.name === undefined ? undefined : [String(named.name)];
}

/** `text.format` of a Responses request, `response_format` of a Chat one. */
function answerFormat({ text, response_format: response }: Wire): { format?: unknown } {
  const format = isWire(text) ? text.format : response;
  if (!isWire(format) || format.type === 'text') return {};
  const nested = isWire(format.json_schema) ? format.json_schema : format;
  return { format: nested.schema ?? { type: 'object' } };
}
