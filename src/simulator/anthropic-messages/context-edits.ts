import { asList, isWire, type Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import type { ReturnedBlock } from './conversation.ts';
import type { JoinedMessage, PlacedBlock } from './request.ts';
import { blockTokens } from './tokens.ts';

/** What the server leaves out of its own view. The client's messages stay as they are. */
export interface ContextEdits {
  readonly clearedThinking: ReadonlySet<ReturnedBlock>;
  /** Results (and inputs) whose content the model no longer sees, with the tokens that remain of each. */
  readonly clearedBlocks: ReadonlyMap<PlacedBlock, number>;
  /** `context_management.applied_edits`, or undefined when no edit was asked for. */
  readonly applied?: readonly Wire[];
}

export interface EditInput {
  readonly config: unknown;
  readonly messages: readonly JoinedMessage[];
  /** Reasoning that would be shown if no edit were made. */
  readonly visible: readonly ReturnedBlock[];
  readonly inputTokens: number;
}

const DEFAULT_TRIGGER_TOKENS = 100_000;
const DEFAULT_KEPT_TOOL_USES = 3;
const PLACEHOLDER_TOKENS = textTokens('[cleared to save context]');

/** https://platform.claude.com/docs/en/build-with-claude/context-editing */
export function applyContextEdits(input: EditInput): ContextEdits {
  const edits = isWire(input.config) ? asList(input.config.edits).filter(isWire) : [];
  let clearedThinking: ReadonlySet<ReturnedBlock> = new Set();
  let clearedBlocks: ReadonlyMap<PlacedBlock, number> = new Map();
  const applied: Wire[] = [];
  for (const edit of edits) {
    if (edit.type === 'clear_thinking_20251015') {
      const cleared = clearThinking(edit, input);
      clearedThinking = cleared.blocks;
      if (cleared.entry) applied.push(cleared.entry);
    }
    if (edit.type === 'clear_tool_uses_20250919') {
      const cleared = clearToolUses(edit, input);
      clearedBlocks = cleared.blocks;
      if (cleared.entry) applied.push(cleared.entry);
    }
  }
  return isWire(input.config) ? { clearedThinking, clearedBlocks, applied } : { clearedThinking, clearedBlocks };
}

/** Whether the request takes the keeping of thinking into its own hands. */
export function clearsThinking(config: unknown): boolean {
  return isWire(config) && asList(config.edits).some((edit) => isWire(edit) && edit.type === 'clear_thinking_20251015');
}

function clearThinking(edit: Wire, { messages, visible }: EditInput): { blocks: Set<ReturnedBlock>; entry?: Wire } {
  const kept = keptTurns(edit.keep);
  const turnOf = turnNumbers(messages);
  const answered = new Set(turnOf.filter((_, index) => messages[index]?.role === 'assistant'));
  const newer = (turn: number): number => [...answered].filter((other) => other > turn).length;
  const blocks = new Set(visible.filter(({ message }) => newer(turnOf[message] ?? 0) >= kept));
  if (blocks.size === 0) return { blocks };
  const turns = new Set([...blocks].map(({ message }) => turnOf[message]));
  return {
    blocks,
    entry: {
      type: 'clear_thinking_20251015',
      cleared_thinking_turns: turns.size,
      cleared_input_tokens: [...blocks].reduce((sum, { sealed }) => sum + sealed.tokens, 0),
    },
  };
}

function keptTurns(keep: unknown): number {
  if (keep === 'all' || (isWire(keep) && keep.type === 'all')) return Number.POSITIVE_INFINITY;
  return isWire(keep) && typeof keep.value === 'number' ? keep.value : 1;
}

/** The number of the turn that each message belongs to, counted by real user messages. */
function turnNumbers(messages: readonly JoinedMessage[]): number[] {
  let turn = 0;
  return messages.map(({ role, blocks }) => {
    if (role === 'user' && !blocks.some(({ type }) => type === 'tool_result')) turn += 1;
    return turn;
  });
}

function clearToolUses(
  edit: Wire,
  { messages, inputTokens }: EditInput,
): { blocks: Map<PlacedBlock, number>; entry?: Wire } {
  const blocks = new Map<PlacedBlock, number>();
  const all = messages.flatMap((message) => message.blocks);
  const excluded = asList(edit.exclude_tools);
  const calls = all.filter(({ type, block }) => type === 'tool_use' && !excluded.includes(block.name));
  const keep = isWire(edit.keep) && typeof edit.keep.value === 'number' ? edit.keep.value : DEFAULT_KEPT_TOOL_USES;
  const trigger = isWire(edit.trigger) ? edit.trigger : { type: 'input_tokens', value: DEFAULT_TRIGGER_TOKENS };
  const reached = trigger.type === 'tool_uses' ? calls.length : inputTokens;
  if (reached <= Number(trigger.value)) return { blocks };
  const clearing = calls.slice(0, Math.max(0, calls.length - keep));
  let saved = 0;
  for (const call of clearing) {
    const result = all.find(({ type, block }) => type === 'tool_result' && block.tool_use_id === call.block.id);
    if (result) {
      const left = Math.min(PLACEHOLDER_TOKENS, blockTokens(result.block));
      blocks.set(result, left);
      saved += blockTokens(result.block) - left;
    }
    const inputs = edit.clear_tool_inputs;
    if (inputs === true || asList(inputs).includes(call.block.name)) {
      const left = blockTokens({ ...call.block, input: {} });
      blocks.set(call, left);
      saved += blockTokens(call.block) - left;
    }
  }
  const least = isWire(edit.clear_at_least) ? Number(edit.clear_at_least.value) : 0;
  if (blocks.size === 0 || saved < least) return { blocks: new Map() };
  return {
    blocks,
    entry: { type: 'clear_tool_uses_20250919', cleared_tool_uses: clearing.length, cleared_input_tokens: saved },
  };
}
