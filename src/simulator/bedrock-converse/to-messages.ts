import { asList, isWire, type Wire } from '../json.ts';
import type { ConverseRequest, PlacedBlock } from './read-request.ts';

/** A Converse request as Anthropic's API gets it on Bedrock, and how the places of one are called in the other. */
export interface MessagesCall {
  readonly body: Wire;
  /** Puts the places of a Messages request in a text into those of the Converse request. */
  readonly toConversePaths: (text: string) => string;
}

const DEFAULT_MAX_TOKENS = 32_000;

/**
 * What stands in a block of its own in Converse, and in the block before it in the Messages API. Its place is not told
 * in any source: here Converse's own counting goes on.
 */
const MARKER = 'cachePoint';

export function toMessagesCall({ body, messages, extra }: ConverseRequest): MessagesCall {
  const places: number[][] = [];
  const translated = messages.map(({ role, blocks }) => {
    const own: number[] = [];
    const content: Wire[] = [];
    for (const [at, block] of blocks.entries()) {
      if (block.member === MARKER) {
        const last = content.pop();
        if (last) content.push({ ...last, cache_control: cacheControl(block.value) });
        continue;
      }
      own.push(at);
      content.push(toBlock(block));
    }
    places.push(own);
    return { role, content };
  });
  const inference = isWire(body.inferenceConfig) ? body.inferenceConfig : {};
  const tools = toolsOf(body);
  const choice = toolChoiceOf(body);
  const members = {
    system: systemOf(body.system),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: choice,
    temperature: inference.temperature,
    top_p: inference.topP,
    stop_sequences: inference.stopSequences,
    output_config: body.outputConfig,
  };
  return {
    body: {
      ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: inference.maxTokens ?? DEFAULT_MAX_TOKENS,
      messages: translated,
      ...extra,
    },
    toConversePaths: (text) =>
      text.replace(/messages\.(\d+)\.content\.(\d+)/g, (path, m: string, at: string) => {
        const place = places[Number(m)]?.[Number(at)];
        return place === undefined ? path : `messages.${m}.content.${place}`;
      }),
  };
}

function toBlock({ member, value }: PlacedBlock): Wire {
  const content = isWire(value) ? value : {};
  switch (member) {
    case 'text':
      return { type: 'text', text: value };
    case 'reasoningContent':
      return toReasoning(content);
    case 'toolUse':
      return { type: 'tool_use', id: content.toolUseId, name: content.name, input: content.input };
    case 'toolResult':
      return {
        type: 'tool_result',
        tool_use_id: content.toolUseId,
        content: asList(content.content).filter(isWire).map(toResultPart),
        ...(content.status === 'error' && { is_error: true }),
      };
    default:
      return { type: member, value };
  }
}

function toReasoning({ reasoningText, redactedContent }: Wire): Wire {
  if (redactedContent !== undefined) return { type: 'redacted_thinking', data: redactedContent };
  const { text, signature } = isWire(reasoningText) ? reasoningText : ({} as Wire);
  return {
    type: 'thinking',
    ...(text !== undefined && { thinking: text }),
    // An empty one counts as missing on Bedrock.
    ...(signature !== undefined && signature !== '' && { signature }),
  };
}

function toResultPart(part: Wire): Wire {
  if (typeof part.text === 'string') return { type: 'text', text: part.text };
  return { type: 'text', text: JSON.stringify(part.json ?? part) };
}

function cacheControl(value: unknown): Wire {
  return { type: 'ephemeral', ...(isWire(value) && value.ttl === '1h' && { ttl: '1h' }) };
}

function systemOf(system: unknown): readonly Wire[] | undefined {
  const blocks: Wire[] = [];
  for (const block of asList(system).filter(isWire)) {
    const last = MARKER in block ? blocks.pop() : undefined;
    if (last) blocks.push({ ...last, cache_control: cacheControl(block.cachePoint) });
    else if (typeof block.text === 'string') blocks.push({ type: 'text', text: block.text });
  }
  return blocks.length > 0 ? blocks : undefined;
}

function toolsOf({ toolConfig }: Wire): Wire[] {
  const tools: Wire[] = [];
  for (const tool of asList(isWire(toolConfig) ? toolConfig.tools : undefined).filter(isWire)) {
    const last = MARKER in tool ? tools.pop() : undefined;
    if (last) tools.push({ ...last, cache_control: cacheControl(tool.cachePoint) });
    const spec = isWire(tool.toolSpec) ? tool.toolSpec : undefined;
    if (!spec) continue;
    tools.push({
      name: spec.name,
      ...(spec.description !== undefined && { description: spec.description }),
      input_schema: isWire(spec.inputSchema) ? spec.inputSchema.json : {},
    });
  }
  return tools;
}

function toolChoiceOf({ toolConfig }: Wire): Wire | undefined {
  const choice = isWire(toolConfig) && isWire(toolConfig.toolChoice) ? toolConfig.toolChoice : undefined;
  const [type] = Object.keys(choice ?? {});
  if (type === undefined) return undefined;
  const named = choice?.tool;
  return { type, ...(isWire(named) && { name: named.name }) };
}
