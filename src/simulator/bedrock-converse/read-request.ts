import { asList, isWire, type Wire } from '../json.ts';
import type { CallableTool } from '../planning-agent.ts';
import type { ConverseConflicts } from './conflicts.ts';
import { invalid, isRefusal, type Refusal } from './refusal.ts';

/** A content block: a union with one member, and where it stands. */
export interface PlacedBlock {
  readonly member: string;
  readonly value: unknown;
  /** `messages.1.content.0`. */
  readonly path: string;
}

export interface PlacedMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly PlacedBlock[];
}

/** A Converse request whose shape is sound. */
export interface ConverseRequest {
  readonly modelId: string;
  readonly body: Wire;
  readonly messages: readonly PlacedMessage[];
  readonly tools: readonly CallableTool[];
  /** `additionalModelRequestFields`. */
  readonly extra: Wire;
  /** The one member of `toolChoice`. */
  readonly toolChoice: string | undefined;
}

/** Everything that Converse itself refuses, before any model is asked. */
export function readRequest(body: Wire, modelId: string, conflicts: ConverseConflicts): ConverseRequest | Refusal {
  const messages: PlacedMessage[] = [];
  for (const [m, message] of asList(body.messages).entries()) {
    const placed = placeMessage(message, `messages.${m}`, conflicts);
    if (isRefusal(placed)) return placed;
    messages.push(placed);
  }
  if (messages.length === 0) return invalid('A conversation must start with a user message. Try again.');
  if (messages[0]?.role !== 'user') {
    return invalid(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  }
  const config = isWire(body.toolConfig) ? body.toolConfig : undefined;
  const uses = messages.some(({ blocks }) =>
    blocks.some(({ member }) => member === 'toolUse' || member === 'toolResult'),
  );
  if (uses && !config) {
    return invalid('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
  const choice = isWire(config?.toolChoice) ? Object.keys(config.toolChoice)[0] : undefined;
  return (
    checkPairs(messages) ?? {
      modelId,
      body,
      messages,
      tools: asList(config?.tools).flatMap(toTool),
      extra: isWire(body.additionalModelRequestFields) ? body.additionalModelRequestFields : {},
      toolChoice: choice,
    }
  );
}

function placeMessage(message: unknown, path: string, conflicts: ConverseConflicts): PlacedMessage | Refusal {
  if (!isWire(message) || !Array.isArray(message.content)) return invalid(`${path}.content: must not be null`);
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') return invalid(`${path}.role: must be one of: [user, assistant]`);
  const blocks: PlacedBlock[] = [];
  for (const [at, block] of message.content.entries()) {
    const place = `${path}.content.${at}`;
    const members = isWire(block) ? Object.entries(block) : [];
    const [first] = members;
    if (!first) return invalid(`${place}: a content block needs one member`);
    if (members.length > 1 && conflicts.twoMembers === 'error') {
      return invalid(`${place}: a content block may have one member only`);
    }
    const [member, value] = first;
    if (member === 'reasoningContent' && hasNoBytes(value)) {
      // A blob is a string of base64 in JSON, and nothing else.
      return {
        status: 400,
        type: 'SerializationException',
        message: `${place}.reasoningContent.redactedContent: not a string`,
      };
    }
    blocks.push({ member, value, path: place });
  }
  return { role, blocks };
}

function hasNoBytes(value: unknown): boolean {
  return isWire(value) && value.redactedContent !== undefined && typeof value.redactedContent !== 'string';
}

/** Every call of the message before is answered, and nothing else is. */
function checkPairs(messages: readonly PlacedMessage[]): Refusal | undefined {
  for (const [m, { role, blocks }] of messages.entries()) {
    if (role !== 'user') continue;
    const before = messages[m - 1];
    const calls = before?.role === 'assistant' ? idsOf(before.blocks, 'toolUse') : [];
    const results = idsOf(blocks, 'toolResult');
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return invalid(
        `Expected toolResult blocks at messages.${m}.content for the following Ids: ${missing.join(', ')}`,
      );
    }
    if (results.length > calls.length) {
      return invalid(
        `The number of toolResult blocks at messages.${m}.content exceeds the number of toolUse blocks of previous turn.`,
      );
    }
  }
  return undefined;
}

function idsOf(blocks: readonly PlacedBlock[], member: string): string[] {
  return blocks
    .filter((block) => block.member === member)
    .map(({ value }) => String(isWire(value) ? value.toolUseId : undefined));
}

function toTool(tool: unknown): CallableTool[] {
  const spec = isWire(tool) && isWire(tool.toolSpec) ? tool.toolSpec : undefined;
  if (!spec) return [];
  const schema = isWire(spec.inputSchema) ? spec.inputSchema.json : undefined;
  return [{ name: String(spec.name), schema }];
}
