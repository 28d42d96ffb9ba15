import { asArray, asObject, asString, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { toBlock } from './to-block.ts';

const rememberMessage = createMemory((message) => {
  const { role, content } = message as Json;
  return { role, content: (asArray(content) ?? []).map(toBlock) };
});
const rememberTools = createMemory((tools) => (tools as readonly unknown[]).flatMap(toTool));
const rememberSystem = createMemory((system) => (system as readonly unknown[]).map(toBlock));

/**
 * A Converse request in the shape of a Messages request. Every content block stays in its place, so that paths mean the
 * same in both (docs.aws.amazon.com bedrock API_runtime_Converse).
 * @returns undefined for a body that is no Converse request.
 */
export function toRequest(body: unknown): Json | undefined {
  const input = asObject(body);
  const model = asString(input?.modelId);
  const messages = asArray(input?.messages);
  if (input === undefined || model === undefined || messages === undefined) return undefined;
  const extra = asObject(input.additionalModelRequestFields);
  const inference = asObject(input.inferenceConfig);
  const tools = asObject(input.toolConfig)?.tools;
  return {
    ...extra,
    model,
    messages: messages.map((message) => (asObject(message) ? rememberMessage(message as object) : message)),
    ...(Array.isArray(input.system) ? { system: rememberSystem(input.system) } : {}),
    ...(Array.isArray(tools) ? { tools: rememberTools(tools) } : {}),
    output_config: extra?.output_config ?? input.outputConfig,
    max_tokens: inference?.maxTokens,
    temperature: inference?.temperature,
    top_p: inference?.topP,
    stop_sequences: inference?.stopSequences,
    // No member of the API, where the path says it: interception puts it here.
    stream: input.stream,
  };
}

function toTool(tool: unknown): Json[] {
  const spec = asObject(asObject(tool)?.toolSpec);
  if (spec === undefined) {
    // A cache point is no tool.
    const own = asObject(tool);
    return own === undefined || 'cachePoint' in own ? [] : [own];
  }
  const { inputSchema, ...rest } = spec;
  return [{ ...rest, input_schema: asObject(inputSchema)?.json ?? inputSchema }];
}
