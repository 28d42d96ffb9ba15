import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { joinMessages, type PlacedBlock, type PlacedMessage } from './request.ts';

/**
 * Every call is answered in the next single user message, results first, and every result answers a call.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/troubleshooting-tool-use
 */
export function checkToolResults(
  messages: readonly PlacedMessage[],
  splitResults: 'error' | 'accept',
): ApiFailure | undefined {
  const sent: readonly Turn[] = splitResults === 'accept' ? joined(messages) : withJoinedAnswers(messages);
  for (const [index, message] of sent.entries()) {
    const calls = message.role === 'assistant' ? message.blocks.filter(({ type }) => type === 'tool_use') : [];
    if (calls.length > 0) {
      const answered = leadingResults(sent[index + 1]);
      const missing = calls.map(({ block }) => String(block.id)).filter((id) => !answered.includes(id));
      if (missing.length > 0) {
        return invalid(
          `${message.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
            `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the ` +
            'next message.',
        );
      }
    }
    const refusal = message.role === 'user' ? checkResults(message, sent[index - 1]) : undefined;
    if (refusal) return refusal;
  }
  return undefined;
}

interface Turn {
  readonly role: PlacedMessage['role'];
  readonly path: string;
  readonly blocks: readonly PlacedBlock[];
}

function joined(messages: readonly PlacedMessage[]): Turn[] {
  return joinMessages(messages).map(({ role, blocks }) => ({ role, blocks, path: messagePath(blocks) }));
}

/** Assistant messages are joined in either reading; only user messages are disputed. */
function withJoinedAnswers(messages: readonly PlacedMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') {
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...message.blocks] };
    } else turns.push(message);
  }
  return turns;
}

function messagePath(blocks: readonly PlacedBlock[]): string {
  return blocks[0]?.path.replace(/\.content\.\d+$/, '') ?? 'messages';
}

function leadingResults(message: Turn | undefined): string[] {
  if (message?.role !== 'user') return [];
  const end = message.blocks.findIndex(({ type }) => type !== 'tool_result');
  const results = end < 0 ? message.blocks : message.blocks.slice(0, end);
  return results.map(({ block }) => String(block.tool_use_id));
}

function checkResults(message: Turn, before: Turn | undefined): ApiFailure | undefined {
  const calls = new Map(
    before?.role === 'assistant' ? before.blocks.map(({ block }) => [String(block.id), block] as const) : [],
  );
  const seen = new Set<string>();
  for (const { type, block, path } of message.blocks) {
    if (type !== 'tool_result') continue;
    const id = String(block.tool_use_id);
    const call = calls.get(id);
    if (call?.type !== 'tool_use') {
      return invalid(
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must ` +
          'have a corresponding `tool_use` block in the previous message.',
      );
    }
    if (seen.has(id)) {
      return invalid(
        `${path}: each \`tool_use\` must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    }
    if (call.toolset_name != null && block.toolset_name !== call.toolset_name) {
      return invalid(`${path}.tool_result.toolset_name: must repeat the \`toolset_name\` of its \`tool_use\` block`);
    }
    seen.add(id);
  }
  return undefined;
}

/** Server tools that wait for their result, and calls that code execution made. */
export function checkServerTools(
  messages: readonly PlacedMessage[],
  body: Wire,
  tools: readonly Wire[],
): ApiFailure | undefined {
  const all = joinMessages(messages);
  for (const [index, message] of all.entries()) {
    for (const placed of message.blocks) {
      if (placed.type !== 'server_tool_use') continue;
      const { id, name } = placed.block;
      const later = all.slice(index).flatMap(({ role, blocks }) => (role === 'assistant' ? blocks : []));
      if (later.some(({ block }) => block.tool_use_id === id)) continue;
      const next = all[index + 1];
      const continues = next === undefined || next.blocks.every(({ type }) => type === 'tool_result');
      if (!continues) {
        return invalid(
          `${placed.path}: \`${name}\` tool use with id \`${id}\` was found without a corresponding ` +
            `\`${name}_tool_result\` block`,
        );
      }
      if (!tools.some((tool) => tool.name === name || String(tool.type).startsWith(String(name)))) {
        return invalid(
          `${placed.path}: \`${name}\` tool use with id \`${id}\` is pending, but no \`${name}\` tool was provided`,
        );
      }
    }
  }
  const last = all.at(-1);
  const caller = all.at(-2);
  const programmatic = caller?.blocks.some(({ type, block }) => type === 'tool_use' && isProgrammatic(block));
  if (last?.role !== 'user' || caller?.role !== 'assistant' || !programmatic) return undefined;
  const other = last.blocks.find(({ type }) => type !== 'tool_result');
  if (other) return invalid(`${other.path}: only \`tool_result\` blocks may answer calls made by code execution`);
  if (body.container == null) {
    return invalid('container_id is required when there are pending tool uses generated by code execution with tools.');
  }
  return undefined;
}

function isProgrammatic(block: Wire): boolean {
  return isWire(block.caller) && String(block.caller.type).startsWith('code_execution_');
}
