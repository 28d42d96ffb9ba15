import { isWire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { type PrefixWalk, walkPrefix } from './prefix.ts';
import {
  isReasoning,
  type JoinedMessage,
  joinMessages,
  type MessagesRequest,
  type PlacedBlock,
  sealOf,
} from './request.ts';
import { type Sealed, type Sealer, sealId } from './seal.ts';

/** A reasoning block that came back, with what its seal says. */
export interface ReturnedBlock {
  readonly placed: PlacedBlock;
  readonly sealed: Sealed;
  readonly id: string;
  /** Index of its message in `Conversation.messages`. */
  readonly message: number;
}

/** The conversation as the API reads it: from the latest compaction on, same-role messages joined. */
export interface Conversation {
  readonly messages: readonly JoinedMessage[];
  readonly compaction?: { readonly placed: PlacedBlock; readonly sealed?: Sealed };
  readonly returned: readonly ReturnedBlock[];
  /** Reasoning before the compaction, which is not looked at. */
  readonly compacted: readonly PlacedBlock[];
  readonly walk: PrefixWalk;
}

export function readConversation(request: MessagesRequest, sealer: Sealer): Conversation | ApiFailure {
  const all = request.messages.flatMap(({ role, blocks }) => blocks.map((placed) => ({ role, placed })));
  const restart = all.findLastIndex(({ placed }) => isEffectiveCompaction(placed));
  const refusal = checkCompactions(request, sealer);
  if (refusal) return refusal;

  const first = all[restart];
  let messages = joinMessages(request.messages);
  let compaction: Conversation['compaction'];
  if (first) {
    const sealed = compactionSeal(first.placed, sealer);
    compaction = sealed ? { placed: first.placed, sealed } : { placed: first.placed };
    const rest = joinMessages(all.slice(restart + 1).map(({ role, placed }) => ({ role, blocks: [placed] })));
    messages = [{ role: first.role, blocks: [first.placed] }, ...rest];
  }
  const returned: ReturnedBlock[] = [];
  for (const [index, message] of messages.entries()) {
    for (const placed of message.blocks) {
      if (!isReasoning(placed)) continue;
      const opened = openBlock(placed, sealer);
      if ('status' in opened) return opened;
      returned.push({ placed, sealed: opened, id: sealId(sealOf(placed)), message: index });
    }
  }
  const kept = keptStates(compaction?.sealed, messages);
  return {
    messages,
    ...(compaction && { compaction }),
    returned,
    compacted: all.slice(0, Math.max(restart, 0)).flatMap(({ placed }) => (isReasoning(placed) ? [placed] : [])),
    walk: walkPrefix({ system: request.system, tools: request.tools, messages, ...(kept && { kept }) }),
  };
}

function openBlock(placed: PlacedBlock, sealer: Sealer): Sealed | ApiFailure {
  const seal = sealOf(placed);
  if (placed.type === 'thinking' && seal === '' && placed.block.thinking === '') {
    return invalid(`${placed.path}.thinking: each thinking block must contain thinking`);
  }
  const sealed = sealer.open(seal);
  if (sealed?.kind === placed.type) return sealed;
  return invalid(`${placed.path}: Invalid \`signature\` in \`${placed.type}\` block`);
}

/** `content: null` marks a compaction that failed; the API reads over it. */
function isEffectiveCompaction({ type, block }: PlacedBlock): boolean {
  return type === 'compaction' && block.content != null;
}

function compactionSeal({ block }: PlacedBlock, sealer: Sealer): Sealed | undefined {
  const token = block.signature ?? block.encrypted_content;
  const sealed = typeof token === 'string' ? sealer.open(token) : undefined;
  return sealed?.kind === 'compaction' ? sealed : undefined;
}

/** On-demand blocks are signed, stand first and alone; every token must be ours and fit its summary. */
function checkCompactions(request: MessagesRequest, sealer: Sealer): ApiFailure | undefined {
  let signed = 0;
  for (const { blocks } of request.messages) {
    for (const placed of blocks) {
      if (placed.type !== 'compaction' || placed.block.content == null) continue;
      const { path, block } = placed;
      if (block.content === '') return invalid(`${path}.compaction.content: content must not be empty`);
      if (block.signature == null && block.encrypted_content == null) continue;
      const sealed = compactionSeal(placed, sealer);
      if (!sealed) {
        return invalid(`${path}: Invalid \`signature\` in \`compaction\` block`, 'compaction_signature_invalid');
      }
      if (sealed.shown !== block.content) {
        return invalid(`${path}: \`compaction\` block content was changed`, 'compaction_content_mismatch');
      }
      if (block.signature == null) continue;
      signed += 1;
      if (signed > 1) return invalid(`${path}: more than one \`compaction\` block`, 'compaction_block_ambiguous');
      if (path !== `${request.messages[0]?.path}.content.0`) {
        return invalid(`${path}: the \`compaction\` block must come first`, 'compaction_block_misplaced');
      }
      if (!isEmptyList(block.tool_changes)) {
        return invalid(`${path}: \`tool_changes\` was changed`, 'compaction_tool_changes_mismatch');
      }
    }
  }
  return undefined;
}

function isEmptyList(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.length === 0);
}

/**
 * Thinking of turns kept behind an on-demand compaction stays valid if a model with preserved thinking compacted and
 * the first kept message has another role.
 * https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks
 */
function keptStates(sealed: Sealed | undefined, messages: readonly JoinedMessage[]): Sealed['states'] {
  if (!sealed?.states || !isWire(sealed.plan) || sealed.plan.preserved !== true) return undefined;
  return messages[1]?.role === 'user' ? sealed.states : undefined;
}
