import type { StreamEvent } from '../http/exchange.ts';
import { isWire, type Wire } from '../json.ts';

export interface StreamOptions {
  /** What `message_start` says: a fallback in mid-answer still shows the requested model there. */
  readonly startModel?: string;
  readonly omittedDelta: 'empty' | 'none';
  /** Adds `estimated_tokens` to thinking deltas. */
  readonly countTokens: boolean;
  /** Repeats `input_transformations` on the last `message_delta`, as after a fallback in mid-answer. */
  readonly repeatTransformations: boolean;
  /** What `message_start` reports instead, when the list changes in mid-answer. */
  readonly startTransformations?: readonly Wire[];
}

/** The events a finished message would have arrived as. https://platform.claude.com/docs/en/build-with-claude/streaming */
export function messageEvents(message: Wire, options: StreamOptions): StreamEvent[] {
  const { content, stop_reason, stop_sequence, stop_details, context_management, usage, ...head } = message;
  const { output_tokens_details: _, iterations: __, ...startUsage } = isWire(usage) ? usage : {};
  const start: Wire = {
    ...head,
    ...(options.startModel !== undefined && { model: options.startModel }),
    ...(options.startTransformations && { input_transformations: options.startTransformations }),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...startUsage, output_tokens: 1 },
  };
  const events: StreamEvent[] = [event('message_start', { message: start })];
  const blocks = Array.isArray(content) ? content.filter(isWire) : [];
  for (const [index, block] of blocks.entries()) {
    const { begin, deltas } = blockEvents(block, options);
    events.push(event('content_block_start', { index, content_block: begin }));
    if (index === 0) events.push(event('ping', {}));
    for (const delta of deltas) events.push(event('content_block_delta', { index, delta }));
    events.push(event('content_block_stop', { index }));
  }
  const { cache_creation: ___, service_tier: ____, ...deltaUsage } = isWire(usage) ? usage : {};
  events.push(
    event('message_delta', {
      delta: { stop_reason, stop_sequence, stop_details: stop_details ?? null },
      usage: deltaUsage,
      ...(context_management !== undefined && { context_management }),
      ...(options.repeatTransformations && { input_transformations: message.input_transformations }),
    }),
    event('message_stop', {}),
  );
  return events;
}

function event(type: string, data: Wire): StreamEvent {
  return { event: type, data: { type, ...data } };
}

/** Blocks of every other type arrive whole in `content_block_start`. */
function blockEvents(block: Wire, options: StreamOptions): { begin: Wire; deltas: readonly Wire[] } {
  switch (block.type) {
    case 'thinking':
      return {
        begin: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...thinkingDeltas(String(block.thinking), options),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'text':
      return {
        begin: { ...block, text: '' },
        deltas: pieces(String(block.text)).map((text) => ({ type: 'text_delta', text })),
      };
    case 'tool_use':
    case 'server_tool_use': {
      const json = pieces(JSON.stringify(block.input ?? {}));
      return {
        begin: { ...block, input: {} },
        deltas: ['', ...json].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      };
    }
    case 'compaction': {
      const { content, encrypted_content } = block;
      return {
        begin: { ...block, content: null, encrypted_content: null },
        deltas: [{ type: 'compaction_delta', content, encrypted_content: encrypted_content ?? null }],
      };
    }
    default:
      return { begin: block, deltas: [] };
  }
}

function thinkingDeltas(text: string, { omittedDelta, countTokens }: StreamOptions): Wire[] {
  const texts = text === '' ? (omittedDelta === 'empty' ? [''] : []) : pieces(text);
  return texts.map((thinking) => ({
    type: 'thinking_delta',
    thinking,
    ...(countTokens && { estimated_tokens: text === '' ? 50 : null }),
  }));
}

/** Roughly word-sized pieces, so that consumers have something to put together. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
