import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import type { Conversation } from './conversation.ts';
import type { IssuedSteps } from './issued-steps.ts';
import { walkPrefix } from './prefix.ts';
import type { MessagesRequest, PlacedBlock } from './request.ts';
import type { Sealer } from './seal.ts';

const DEFAULT_TRIGGER_TOKENS = 150_000;

export interface CompactionEdit {
  readonly trigger: number;
  readonly pauses: boolean;
}

/** The threshold compaction a request asks for. https://platform.claude.com/docs/en/build-with-claude/compaction */
export function compactionEdit(management: unknown): CompactionEdit | undefined {
  const edits = isWire(management) ? asList(management.edits).filter(isWire) : [];
  const edit = edits.find(({ type }) => type === 'compact_20260112');
  if (!edit) return undefined;
  const trigger = isWire(edit.trigger) ? Number(edit.trigger.value) : DEFAULT_TRIGGER_TOKENS;
  return { trigger, pauses: edit.pause_after_compaction === true };
}

export interface CompactionInput {
  readonly request: MessagesRequest;
  readonly conversation: Conversation;
  readonly sealer: Sealer;
  readonly response: string;
  readonly kind: 'threshold' | 'on_demand';
  /** Null for a compaction that failed. */
  readonly summary: string | null;
}

export function defaultSummary({ messages }: Conversation): string {
  return `Summary of ${messages.length} messages: the task, what was tried, and what is still open.`;
}

/** The block that stands for everything before it. Only a signed (on-demand) block lets kept turns go on. */
export function compactionBlock(input: CompactionInput): Wire {
  const { request, conversation, sealer, response, kind, summary } = input;
  if (summary === null) return { type: 'compaction', content: null, encrypted_content: null };
  const { walk, messages } = conversation;
  const states = messages.map((_, index) => [walk.at(index).state, ...walk.keptStates(index)]);
  const seal = sealer.seal({
    kind: 'compaction',
    model: request.model.id,
    account: request.account.id,
    mode: 'off',
    response,
    run: 0,
    at: 0,
    of: 1,
    predecessor: null,
    prefix: walk.at(messages.length),
    text: '',
    shown: summary,
    tokens: 0,
    ...(kind === 'on_demand' && { plan: { preserved: request.model.prefixCheck !== 'none' }, states }),
  });
  return kind === 'on_demand'
    ? { type: 'compaction', content: summary, encrypted_content: null, signature: seal, tool_changes: [] }
    : { type: 'compaction', content: summary, encrypted_content: seal };
}

/** An on-demand compaction takes any history but one that ends on an unfinished answer. */
export function checkCompactionRequest(request: MessagesRequest, issued: IssuedSteps): ApiFailure | undefined {
  const last = request.messages.at(-1);
  if (last?.role !== 'assistant') return undefined;
  const unfinished = issued.isUnfinished(last.blocks) || last.blocks.some(({ type }) => type === 'tool_use');
  if (!unfinished || last.blocks.every(({ type }) => type === 'compaction')) return undefined;
  return invalid('compaction: the conversation ends on an unfinished answer', 'compaction_incomplete_turn');
}

/** What the answer after a threshold compaction sees: the summary alone. */
export function compactedConversation(request: MessagesRequest, block: Wire): Conversation {
  const placed: PlacedBlock = { block, type: 'compaction', path: 'compaction' };
  const messages = [{ role: 'assistant' as const, blocks: [placed] }];
  return {
    messages,
    compaction: { placed },
    returned: [],
    compacted: [],
    walk: walkPrefix({ system: request.system, tools: request.tools, messages }),
  };
}
