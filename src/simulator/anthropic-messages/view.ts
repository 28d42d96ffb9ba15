import { asList, digest, isWire, stableJson, type Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import type { Binding } from './binding.ts';
import { applyContextEdits, type ContextEdits, clearsThinking } from './context-edits.ts';
import type { Conversation, ReturnedBlock } from './conversation.ts';
import { isReasoning, type MessagesRequest, type PlacedBlock, turnStart } from './request.ts';
import type { ResolvedThinking } from './thinking-config.ts';
import { blockTokens } from './tokens.ts';

/** Why the server itself left reasoning out; the client did nothing wrong. */
export type StripReason = 'turn_boundary' | 'context_edit' | 'compaction' | 'thinking_off';

export interface Stripped {
  readonly path: string;
  readonly reason: StripReason;
}

/** A piece of the rendered prompt, for billing and for the prompt cache. */
export interface Segment {
  readonly hash: string;
  readonly tokens: number;
  readonly marker?: '5m' | '1h';
}

/** What the model reads of a request. */
export interface View {
  readonly segments: readonly Segment[];
  readonly inputTokens: number;
  /** Reasoning that the model is shown, in order. */
  readonly shown: readonly ReturnedBlock[];
  readonly stripped: readonly Stripped[];
  readonly edits: ContextEdits;
  /** Tokens before any context edit. */
  readonly originalTokens: number;
}

export function renderView(
  request: MessagesRequest,
  conversation: Conversation,
  binding: Binding,
  thinking: ResolvedThinking,
): View {
  const { messages, returned, compacted } = conversation;
  const { context_management: management } = request.body;
  const stripped = new Map<ReturnedBlock, StripReason>();
  const thisTurn = turnStart(messages);
  const stripsClosedTurns = request.model.keeps === 'last_turn' && !clearsThinking(management);
  for (const block of returned) {
    if (binding.dropped.has(block)) continue;
    if (thinking.mode === 'off') stripped.set(block, 'thinking_off');
    else if (stripsClosedTurns && block.message < thisTurn) stripped.set(block, 'turn_boundary');
  }
  const visible = returned.filter((block) => !binding.dropped.has(block) && !stripped.has(block));
  const before = render(request, conversation, thinking, new Set(visible), new Map());
  const originalTokens = totalTokens(before);
  const edits = applyContextEdits({ config: management, messages, visible, inputTokens: originalTokens });
  for (const block of edits.clearedThinking) stripped.set(block, 'context_edit');
  const shown = visible.filter((block) => !edits.clearedThinking.has(block));
  const segments = render(request, conversation, thinking, new Set(shown), edits.clearedBlocks);
  return {
    segments,
    inputTokens: totalTokens(segments),
    originalTokens,
    shown,
    edits,
    stripped: [
      ...compacted.map(({ path }) => ({ path, reason: 'compaction' as const })),
      ...returned.flatMap((block) => {
        const reason = stripped.get(block);
        return reason ? [{ path: block.placed.path, reason }] : [];
      }),
    ],
  };
}

function totalTokens(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Tools, then system, then messages: the order in which the cache sees a prompt. */
function render(
  request: MessagesRequest,
  { messages, returned }: Conversation,
  thinking: ResolvedThinking,
  shown: ReadonlySet<ReturnedBlock>,
  cleared: ReadonlyMap<PlacedBlock, number>,
): Segment[] {
  const segments: Segment[] = request.tools.map((tool) =>
    segment(tool, tool.defer_loading === true ? 0 : textTokens(unmarked(tool))),
  );
  const system = typeof request.system === 'string' ? [{ type: 'text', text: request.system }] : asList(request.system);
  for (const block of system.filter(isWire)) segments.push(segment(block, blockTokens(block)));
  // A change of thinking or effort restarts the messages; a value that equals the default changes nothing.
  segments.push({ hash: digest(thinking.mode, String(thinking.budget ?? ''), thinking.effort), tokens: 0 });

  const byPath = new Map(returned.map((block) => [block.placed.path, block]));
  for (const [index, message] of messages.entries()) {
    if (isClearedSystem(request, message.blocks, index < turnStart(messages))) continue;
    for (const placed of message.blocks) {
      if (placed.type === 'fallback') continue;
      if (!isReasoning(placed)) {
        const left = cleared.get(placed);
        segments.push(segment(placed.block, left ?? blockTokens(placed.block), left === undefined ? '' : 'cleared'));
        continue;
      }
      const block = byPath.get(placed.path);
      if (block && shown.has(block))
        segments.push({ hash: digest('reasoning', block.id), tokens: block.sealed.tokens });
    }
  }
  return segments;
}

/** A system message with `clear_at: "next_user_message"` is gone from the view once the next turn begins. */
function isClearedSystem(request: MessagesRequest, blocks: readonly PlacedBlock[], past: boolean): boolean {
  const path = blocks[0]?.path;
  if (!past || path === undefined) return false;
  const message = request.messages.find((candidate) => candidate.blocks[0]?.path === path);
  return message?.role === 'system' && message.wire.clear_at === 'next_user_message';
}

function segment(block: Wire, tokens: number, note = ''): Segment {
  const control = block.cache_control;
  const hash = digest(unmarked(block), note);
  if (!isWire(control)) return { hash, tokens };
  return { hash, tokens, marker: control.ttl === '1h' ? '1h' : '5m' };
}

function unmarked({ cache_control: _, ...block }: Wire): string {
  return stableJson(block);
}
