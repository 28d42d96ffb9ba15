import { asList, isWire, type Wire } from '../json.ts';

/**
 * A message of Anthropic's API as Converse answers it.
 * @param paths `additionalModelResponseFieldPaths`: what of the model's own answer is handed on, as JSON pointers.
 */
export function fromMessage(message: Wire, paths: unknown): Wire {
  const usage = isWire(message.usage) ? message.usage : {};
  const fields = pickFields(message, paths);
  return {
    output: { message: { role: 'assistant', content: asList(message.content).filter(isWire).flatMap(fromBlock) } },
    stopReason: STOP_REASONS[String(message.stop_reason)] ?? message.stop_reason,
    usage: usageOf(usage),
    metrics: { latencyMs: 1 },
    ...(fields && { additionalModelResponseFields: fields }),
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = { refusal: 'content_filtered', pause_turn: 'end_turn' };

function fromBlock(block: Wire): Wire[] {
  switch (block.type) {
    case 'thinking':
      return [{ reasoningContent: { reasoningText: { text: block.thinking, signature: block.signature } } }];
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: block.data } }];
    case 'text':
      return [{ text: block.text }];
    case 'tool_use':
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    default:
      // Converse has no member for it.
      return [];
  }
}

/** `inputTokens` leaves cached input out, as Anthropic's own does. Reasoning has no field: it is inside the output. */
function usageOf(usage: Wire): Wire {
  const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  const [read, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + read + written,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
  };
}

function pickFields(message: Wire, paths: unknown): Wire | undefined {
  const picked: Record<string, unknown> = {};
  for (const path of asList(paths)) {
    const name = typeof path === 'string' ? path.split('/')[1] : undefined;
    if (name !== undefined && message[name] !== undefined) picked[name] = message[name];
  }
  return Object.keys(picked).length > 0 ? picked : undefined;
}
