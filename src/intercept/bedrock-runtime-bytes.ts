import { isObject } from './shapes.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * The input of Converse as it will be on the wire, where those differ: the SDK takes a text in the place of bytes for
 * text, and encodes it, though it be base64 already (`toBase64` of Smithy). Messages without such a text stay the objects
 * that they are.
 */
export function asSent(input: Fields): Fields {
  if (!Array.isArray(input.messages)) return input;
  let changed = false;
  const messages = input.messages.map((message: unknown) => {
    if (!isObject(message) || !Array.isArray(message.content) || !message.content.some(hasTextForBytes)) return message;
    changed = true;
    return { ...message, content: message.content.map(encoded) };
  });
  return changed ? { ...input, messages } : input;
}

function hasTextForBytes(block: unknown): block is { readonly reasoningContent: { readonly redactedContent: string } } {
  const content = isObject(block) ? block.reasoningContent : undefined;
  return isObject(content) && typeof content.redactedContent === 'string';
}

function encoded(block: unknown): unknown {
  if (!hasTextForBytes(block)) return block;
  const redactedContent = Buffer.from(block.reasoningContent.redactedContent).toString('base64');
  return { reasoningContent: { redactedContent } };
}
