import { digest, isWire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { BETAS } from './betas.ts';
import type { Conflicts } from './conflicts.ts';
import type { ApiContext } from './context.ts';
import type { Conversation, ReturnedBlock } from './conversation.ts';
import { findModel } from './models.ts';
import { type PrefixDifference, prefixDifference } from './prefix.ts';
import { mayRead } from './readers.ts';
import { isReasoning, type MessagesRequest } from './request.ts';
import type { ResolvedThinking } from './thinking-config.ts';

/** In order of precedence: a block that fails several checks reports the first. */
export type DropReason =
  | 'organization_binding_mismatch'
  | 'end_user_binding_mismatch'
  | 'model_binding_mismatch'
  | 'prefix_binding_mismatch';

/** One entry of `input_transformations`, in the API's own words. */
export interface Transformation {
  readonly type: 'thinking_dropped' | 'thinking_mismatch_allowed';
  readonly path: string;
  readonly reason: DropReason;
}

export interface Binding {
  readonly transformations: readonly Transformation[];
  readonly dropped: ReadonlySet<ReturnedBlock>;
}

type Mismatch = PrefixDifference | 'predecessor_missing' | 'predecessor_reordered';

/** Reader, account and end user: never an error, whatever `prefix_mismatch_behavior` says. */
export function unreadable(
  request: MessagesRequest,
  conversation: Conversation,
  { conflicts, options }: Pick<ApiContext, 'conflicts' | 'options'>,
): ReadonlyMap<ReturnedBlock, DropReason> {
  const reasons = new Map<ReturnedBlock, DropReason>();
  const user = endUserOf(request.body.metadata);
  for (const block of conversation.returned) {
    const { account, model, endUser } = block.sealed;
    const { linked, id } = request.account;
    const bound = findModel(model, options.models)?.accountBound === true;
    if (bound && account !== id && !linked.includes(account)) reasons.set(block, 'organization_binding_mismatch');
    else if (conflicts.endUserBinding === 'on' && endUser !== user) reasons.set(block, 'end_user_binding_mismatch');
    else if (!mayRead(request.model.id, model, request.platform, conflicts)) {
      reasons.set(block, 'model_binding_mismatch');
    }
  }
  return reasons;
}

export function endUserOf(metadata: unknown): string | undefined {
  return isWire(metadata) && metadata.user_id != null ? digest('user', String(metadata.user_id)) : undefined;
}

/** What an unset or set `prefix_mismatch_behavior` comes to for this model, account and endpoint. */
function prefixEnforcement(
  request: MessagesRequest,
  thinking: ResolvedThinking,
  conflicts: Conflicts,
): 'error' | 'drop_block' | 'allow' | 'not_checked' {
  const { prefixCheck } = request.model;
  const check = prefixCheck === 'conflict_mythos_5_1' ? conflicts.mythos51PrefixCheck : prefixCheck;
  if (check === 'none') return 'not_checked';
  if (thinking.prefixBehavior) return thinking.prefixBehavior;
  if (request.batch) return 'drop_block';
  return check === 'every_account' || request.account.isNew ? 'error' : 'allow';
}

/** Runs the conversation check on the blocks that the model may read. */
export function bind(
  request: MessagesRequest,
  thinking: ResolvedThinking,
  conversation: Conversation,
  unread: ReadonlyMap<ReturnedBlock, DropReason>,
  conflicts: Conflicts,
): Binding | ApiFailure {
  const reasons = new Map(unread);
  const enforcement = prefixEnforcement(request, thinking, conflicts);
  const mismatches = enforcement === 'not_checked' ? new Map() : findMismatches(conversation, unread);
  const [first] = mismatches;
  if (first && enforcement === 'error') return prefixFailure(request, first[0], first[1]);

  const allowed: ReturnedBlock[] = [];
  if (enforcement === 'allow') allowed.push(...mismatches.keys());
  if (enforcement === 'drop_block') {
    for (const block of withExtent(conversation, mismatches, conflicts.dropExtent)) {
      if (!reasons.has(block)) reasons.set(block, 'prefix_binding_mismatch');
    }
  }
  const transformations = conversation.returned.flatMap((block): Transformation[] => {
    const { path } = block.placed;
    const reason = reasons.get(block);
    if (reason) return [{ type: 'thinking_dropped', path, reason }];
    if (!allowed.includes(block)) return [];
    return [{ type: 'thinking_mismatch_allowed', path, reason: 'prefix_binding_mismatch' }];
  });
  return { transformations, dropped: new Set(reasons.keys()) };
}

/** Blocks that fail on their own, in request order. */
function findMismatches(
  { returned, walk }: Conversation,
  unreadableBlocks: ReadonlyMap<ReturnedBlock, DropReason>,
): Map<ReturnedBlock, Mismatch> {
  const mismatches = new Map<ReturnedBlock, Mismatch>();
  const present = new Set(returned.map(({ id }) => id));
  for (const [index, block] of returned.entries()) {
    if (unreadableBlocks.has(block)) continue;
    const { prefix, predecessor } = block.sealed;
    const now = walk.at(block.message);
    const difference = prefixDifference(prefix, now);
    const kept =
      prefix.system === now.system &&
      prefix.tools === now.tools &&
      walk.keptStates(block.message).includes(prefix.state);
    if (difference && !kept) {
      mismatches.set(block, difference);
      continue;
    }
    // Compared as sent: a block the model cannot read still counts as the one before. Missing from the front is fine.
    const before = returned[index - 1];
    if (before && before.id !== predecessor) {
      const there = predecessor !== null && present.has(predecessor);
      mismatches.set(block, there ? 'predecessor_reordered' : 'predecessor_missing');
    }
  }
  return mismatches;
}

function withExtent(
  { returned, messages }: Conversation,
  mismatches: ReadonlyMap<ReturnedBlock, Mismatch>,
  extent: Conflicts['dropExtent'],
): ReturnedBlock[] {
  if (extent === 'failing_block') return [...mismatches.keys()];
  const firstFailing = returned.findIndex((block) => mismatches.has(block));
  if (firstFailing < 0) return [];
  if (extent === 'every_later_block') return returned.slice(firstFailing);
  const out: ReturnedBlock[] = [];
  let failing = false;
  for (const [index, block] of returned.entries()) {
    const before = returned[index - 1];
    const sameRun = before?.message === block.message && adjacent(messages[block.message]?.blocks ?? [], before, block);
    failing = mismatches.has(block) || (failing && sameRun);
    if (failing) out.push(block);
  }
  return out;
}

function adjacent(
  blocks: readonly { readonly path: string; readonly type: string }[],
  before: ReturnedBlock,
  block: ReturnedBlock,
): boolean {
  const from = blocks.findIndex(({ path }) => path === before.placed.path);
  const to = blocks.findIndex(({ path }) => path === block.placed.path);
  return blocks.slice(from, to).every(isReasoning);
}

const DETAIL: Readonly<Record<Mismatch, string>> = {
  system: 'The system prompt differs from the one this block was created with.',
  tools: 'The tools differ from those this block was created with.',
  first_message: 'Content that preceded this block when it was created was changed.',
  missing: 'Content that preceded this block when it was created is missing.',
  added: 'Content now precedes this block that was not there when it was created.',
  changed: 'Content that preceded this block when it was created was changed.',
  predecessor_missing: 'The thinking block that came before this one is missing.',
  predecessor_reordered: 'An earlier thinking block is out of order.',
};

/** Kinds and patterns seen in the wild; the header is undocumented and not to be relied on. */
const DIAGNOSIS: Readonly<Record<Mismatch, readonly [kind: string, pattern: string]>> = {
  system: ['blocks_modified', 'system_block_rerendered'],
  tools: ['blocks_modified', 'unknown'],
  first_message: ['blocks_modified', 'first_message_rewritten'],
  missing: ['blocks_removed', 'history_block_stripped'],
  added: ['blocks_inserted', 'block_inserted'],
  changed: ['blocks_modified', 'unknown'],
  predecessor_missing: ['predecessor_missing', 'unknown'],
  predecessor_reordered: ['predecessor_reordered', 'unknown'],
};

function prefixFailure(request: MessagesRequest, { placed }: ReturnedBlock, mismatch: Mismatch): ApiFailure {
  const hint = request.betas.has(BETAS.bindingControls)
    ? ''
    : ` To drop such blocks instead, send the beta header \`${BETAS.bindingControls}\` and set ` +
      '`thinking.block_binding.prefix_mismatch_behavior`.';
  const [kind, pattern] = DIAGNOSIS[mismatch];
  return {
    ...invalid(
      `${placed.path}: Invalid \`signature\` in \`${placed.type}\` block: the block is bound to a different ` +
        `conversation.${hint} ${DETAIL[mismatch]}`,
    ),
    headers: { 'anthropic-thinking-prefix-mismatch': `block=${placed.path};kind=${kind};pattern=${pattern}` },
  };
}
