import { type ApiFailure, invalid } from './api-failure.ts';
import type { Conflicts } from './conflicts.ts';
import type { Conversation, ReturnedBlock } from './conversation.ts';
import type { IssuedSteps } from './issued-steps.ts';
import { isReasoning, type JoinedMessage, type PlacedBlock, turnStart } from './request.ts';
import type { ResolvedThinking, ThinkingMode } from './thinking-config.ts';

/** The last assistant message, and whether the turn it belongs to is still open. */
export interface LatestAssistant {
  readonly index: number;
  readonly message: JoinedMessage;
  readonly open: boolean;
}

export function latestAssistant(messages: readonly JoinedMessage[]): LatestAssistant | undefined {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const message = messages[index];
  return message && { index, message, open: index >= turnStart(messages) };
}

/**
 * Each run of consecutive reasoning blocks in the latest assistant message must be exactly what the model produced.
 * https://platform.claude.com/docs/en/api/errors
 */
export function checkLatestRuns(
  conversation: Conversation,
  latest: LatestAssistant,
  unread: ReadonlyMap<ReturnedBlock, unknown>,
  conflicts: Conflicts,
): ApiFailure | undefined {
  const byPath = new Map(conversation.returned.map((block) => [block.placed.path, block]));
  for (const run of runsOf(latest.message.blocks)) {
    const blocks = run.map(({ path }) => byPath.get(path)).filter((block) => block !== undefined);
    if (blocks.some((block) => unread.has(block))) continue;
    const [head] = blocks;
    if (!head) continue;
    const whole =
      head.sealed.at === 0 &&
      blocks.length === head.sealed.of &&
      blocks.every(
        ({ sealed }, index) =>
          sealed.at === index && sealed.run === head.sealed.run && sealed.response === head.sealed.response,
      );
    const edited = blocks.find(isEdited);
    if (whole && !(edited && conflicts.editedText === 'error')) continue;
    return invalid(
      `${(edited ?? head).placed.path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message ` +
        'cannot be modified. These blocks must remain as they were in the original response.',
    );
  }
  return undefined;
}

/** An empty text is what omitted display sends, and text added to an omitted block is ignored: neither is an edit. */
function isEdited({ placed, sealed }: ReturnedBlock): boolean {
  const text = placed.block.thinking;
  return placed.type === 'thinking' && text !== '' && sealed.shown !== '' && text !== sealed.shown;
}

function runsOf(blocks: readonly PlacedBlock[]): PlacedBlock[][] {
  const runs: PlacedBlock[][] = [];
  for (const [index, block] of blocks.entries()) {
    if (!isReasoning(block)) continue;
    const before = blocks[index - 1];
    if (before && isReasoning(before)) runs.at(-1)?.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** Manual thinking: the latest assistant message of an open turn begins with the thinking it was issued with. */
export function checkLeadingThinking(
  { message, open, index }: LatestAssistant,
  messages: readonly JoinedMessage[],
  thinking: ResolvedThinking,
  issued: IssuedSteps,
  conflicts: Conflicts,
): ApiFailure | undefined {
  if (conflicts.missingLeadingThinking === 'accept') return undefined;
  const first = message.blocks.find(({ type }) => type !== 'fallback');
  if (thinking.mode !== 'enabled' || !open || !first) return undefined;
  if (isReasoning(first) || first.type === 'compaction') return undefined;
  const known = issued.of(message.blocks);
  // A history this server never issued: without interleaving only the turn's first message begins with thinking.
  const expected = known
    ? known.mode === 'enabled' && known.leadsWithThinking
    : thinking.interleaved || index === turnStart(messages);
  if (!expected) return undefined;
  return invalid(
    `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When ` +
      '`thinking` is enabled, a final `assistant` message must start with a thinking block.',
  );
}

/** The mode under which the open turn's first answer was made; undefined for a closed turn or an unknown history. */
export function openingMode(conversation: Conversation, issued: IssuedSteps): ThinkingMode | undefined {
  const { messages, returned } = conversation;
  for (let index = turnStart(messages); index < messages.length; index++) {
    const message = messages[index];
    if (message?.role !== 'assistant') continue;
    const mode =
      issued.of(message.blocks)?.mode ?? returned.find((block) => block.message === index)?.sealed.mode ?? undefined;
    if (mode) return mode;
  }
  return undefined;
}

/** Thinking off while the open turn's final assistant message holds thinking: refused, or stripped in silence. */
export function checkThinkingOff(
  { returned }: Conversation,
  { index, open }: LatestAssistant,
  thinking: ResolvedThinking,
  unread: ReadonlyMap<ReturnedBlock, unknown>,
  conflicts: Conflicts,
): ApiFailure | undefined {
  if (thinking.mode !== 'off' || !open || conflicts.thinkingOffWithBlocks === 'strip') return undefined;
  const block = returned.find((candidate) => candidate.message === index && !unread.has(candidate));
  return (
    block &&
    invalid(
      `${block.placed.path}: When thinking is disabled, an assistant message in the final position cannot contain ` +
        'thinking',
    )
  );
}
