import { asArray, asNumber, asObject, asString, type Json } from '../json.ts';
import { toBase64, toBlock } from './to-block.ts';

/** A Converse response in the shape of a Messages response. */
export function toResponse(value: unknown, model: string): Json | undefined {
  const response = asObject(value);
  const message = asObject(asObject(response?.output)?.message);
  if (response === undefined || message === undefined) return undefined;
  return {
    model,
    role: 'assistant',
    content: (asArray(message.content) ?? []).map(toBlock),
    stop_reason: response.stopReason,
    usage: toUsage(response.usage),
    ...reportOf(response),
  };
}

function toUsage(value: unknown): Json {
  const usage = asObject(value);
  return {
    input_tokens: asNumber(usage?.inputTokens),
    output_tokens: asNumber(usage?.outputTokens),
    cache_read_input_tokens: asNumber(usage?.cacheReadInputTokens),
    cache_creation_input_tokens: asNumber(usage?.cacheWriteInputTokens),
  };
}

/** What was asked for with `additionalModelResponseFieldPaths`. */
function reportOf(value: Json): Json {
  const list = asObject(value.additionalModelResponseFields)?.input_transformations;
  return Array.isArray(list) ? { input_transformations: list } : {};
}

/**
 * Turns the events of ConverseStream into those of a Messages stream. Reasoning and text have no start event: the first
 * delta opens their block (API_runtime_ContentBlockStartEvent).
 */
export function createEventTranslator(model: string): (event: unknown) => readonly Json[] {
  const open = new Set<number>();
  return (value) => {
    const event = asObject(value) ?? {};
    const delta = asObject(event.contentBlockDelta);
    const start = asObject(event.contentBlockStart);
    const stop = asObject(event.contentBlockStop);
    const end = asObject(event.messageStop);
    const metadata = asObject(event.metadata);
    if (event.messageStart !== undefined)
      return [{ type: 'message_start', message: { model, role: 'assistant', content: [] } }];
    if (start !== undefined) {
      const index = asNumber(start.contentBlockIndex) ?? 0;
      open.add(index);
      return [{ type: 'content_block_start', index, content_block: toBlock(start.start) }];
    }
    if (delta !== undefined) return translateDelta(delta, open);
    if (stop !== undefined) return [{ type: 'content_block_stop', index: asNumber(stop.contentBlockIndex) ?? 0 }];
    if (end !== undefined) {
      return [
        { type: 'message_delta', delta: { stop_reason: end.stopReason }, ...reportOf(end) },
        { type: 'message_stop' },
      ];
    }
    return metadata === undefined ? [] : [{ type: 'message_delta', usage: toUsage(metadata.usage) }];
  };
}

function translateDelta(event: Json, open: Set<number>): readonly Json[] {
  const index = asNumber(event.contentBlockIndex) ?? 0;
  const delta = asObject(event.delta) ?? {};
  const reasoning = asObject(delta.reasoningContent);
  const [block, ours] = readDelta(delta, reasoning);
  if (ours === undefined) return [];
  if (open.has(index)) return [{ type: 'content_block_delta', index, delta: ours }];
  open.add(index);
  return [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_delta', index, delta: ours },
  ];
}

function readDelta(delta: Json, reasoning: Json | undefined): readonly [Json, Json | undefined] {
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  if (reasoning?.redactedContent !== undefined) {
    return [
      { type: 'redacted_thinking', data: '' },
      { type: 'data_delta', data: toBase64(reasoning.redactedContent) },
    ];
  }
  if (typeof reasoning?.text === 'string') return [thinking, { type: 'thinking_delta', thinking: reasoning.text }];
  if (typeof reasoning?.signature === 'string') {
    return [thinking, { type: 'signature_delta', signature: reasoning.signature }];
  }
  const text = asString(delta.text);
  if (text !== undefined)
    return [
      { type: 'text', text: '' },
      { type: 'text_delta', text },
    ];
  const input = asString(asObject(delta.toolUse)?.input);
  return [{ type: 'tool_use' }, input === undefined ? undefined : { type: 'input_json_delta', partial_json: input }];
}
