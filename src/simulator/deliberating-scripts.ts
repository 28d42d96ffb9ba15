import type { Script } from './anthropic-messages/script.ts';
import { deliberatingAgent } from './deliberating-agent.ts';
import { isWire, type Wire } from './json.ts';
import type { OpenAiScript } from './openai/script.ts';
import type { CallableTool } from './planning-agent.ts';
import { callsOfChat, callsOfInput, callsOfMessages } from './visible-calls.ts';

/** Functions stand flat in a Responses request and nested in a Chat one. */
const callable = (tool: Wire): CallableTool => {
  const { name, input_schema, parameters } = isWire(tool.function) ? tool.function : tool;
  return { name: String(name), schema: input_schema ?? parameters };
};

/** The deliberating agent behind the Messages API. */
export const deliberatingScript: Script = ({ model, userText, tools, body, plan, random }) =>
  deliberatingAgent({ model, userText, tools: tools.map(callable), made: callsOfMessages(body), plan, random });

/** The same mind behind the APIs of OpenAI and of those who took them over. */
export const deliberatingOpenAiScript: OpenAiScript = ({ api, model, userText, tools, body, plan, random }) =>
  deliberatingAgent({
    model,
    userText,
    tools: tools.map(callable),
    made: api === 'openai-chat' ? callsOfChat(body) : callsOfInput(body),
    plan,
    random,
  });
