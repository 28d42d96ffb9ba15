import { asArray, asObject, asString, type Json } from '../json.ts';

/** A content block of Converse, a union with one member, as the block of the Messages API that it stands for. */
export function toBlock(block: unknown): Json {
  const union = asObject(block) ?? {};
  for (const [member, convert] of Object.entries(MEMBERS))
    if (union[member] !== undefined) return convert(union[member]);
  const [member, value] = Object.entries(union)[0] ?? ['unknown', undefined];
  return { type: member, value };
}

const MEMBERS: Readonly<Record<string, (value: unknown) => Json>> = {
  reasoningContent: toReasoning,
  toolUse(value) {
    const { toolUseId, ...rest } = asObject(value) ?? {};
    return { type: 'tool_use', id: toolUseId, ...rest };
  },
  toolResult(value) {
    const { toolUseId, status, content } = asObject(value) ?? {};
    return {
      type: 'tool_result',
      tool_use_id: toolUseId,
      content: asArray(content)?.map(toBlock),
      is_error: status === 'error',
    };
  },
  text: (value) => ({ type: 'text', text: value }),
  // Keeps its place and says nothing: whether moving one is a change of the prefix is not documented.
  cachePoint: () => ({ type: 'text', text: '' }),
};

function toReasoning(value: unknown): Json {
  const content = asObject(value) ?? {};
  if (content.redactedContent !== undefined) {
    return { type: 'redacted_thinking', data: toBase64(content.redactedContent) };
  }
  const { signature, ...unsigned } = content;
  const text = asObject(content.reasoningText) ?? (signature === undefined ? unsigned : undefined);
  // Text and signature one level too high are not the block, whatever they hold; without the signature it is a block
  // that has lost its seal (NousResearch/hermes-agent#105119).
  if (text === undefined) return { type: 'reasoning', ...content };
  return {
    type: 'thinking',
    ...('text' in text ? { thinking: text.text } : {}),
    ...('signature' in text ? { signature: text.signature } : {}),
  };
}

/**
 * Bytes are base64 on the wire. A Buffer that went through JSON, or an object of numbered bytes, goes out as such an
 * object: the same bytes, and not the block any more.
 */
export function toBase64(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'string') return value;
  const object = asObject(value);
  const bytes = asArray(object?.data) ?? (object === undefined ? asArray(value) : Object.values(object));
  if (bytes?.every((byte) => typeof byte === 'number')) {
    return `json:${Buffer.from(bytes as readonly number[]).toString('base64')}`;
  }
  return asString(value);
}
