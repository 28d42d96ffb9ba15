import { isWire, type Wire } from '../json.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import { compactedConversation, compactionBlock, compactionEdit, defaultSummary } from './compaction.ts';
import { type Composed, compose } from './compose.ts';
import type { ApiContext } from './context.ts';
import type { Conversation } from './conversation.ts';
import type { Evaluated } from './evaluate.ts';
import type { PrefixRecord } from './prefix.ts';
import type { CacheUse } from './prompt-cache.ts';
import { type MessagesRequest, turnStart } from './request.ts';
import type { Answer } from './script.ts';
import { type CallPlace, scriptCall } from './script-call.ts';
import { iteration } from './usage.ts';
import type { Segment } from './view.ts';

export interface Attempt {
  readonly evaluated: Evaluated;
  readonly answer: Answer;
  readonly composed: Composed;
  readonly input: CacheUse;
  /** What stands before the model's own content: a compaction. */
  readonly lead: readonly Wire[];
  readonly iterations: readonly Wire[];
}

export interface AttemptPlace extends Omit<CallPlace, 'seed'> {
  readonly response: string;
  readonly ids: Seeded;
}

/** One model's try: the script is asked, a due compaction is made, the prompt is billed, the answer is sealed. */
export async function runAttempt(context: ApiContext, evaluated: Evaluated, place: AttemptPlace): Promise<Attempt> {
  const { request, thinking, conversation, view } = evaluated;
  const answer = await context.script(scriptCall(evaluated, { ...place, seed: context.seed }));
  const cache = (segments: readonly Segment[]): CacheUse => billInput(context, request, segments);
  const edit = compactionEdit(request.body.context_management);
  let seen: Conversation = conversation;
  let input: CacheUse;
  const lead: Wire[] = [];
  const iterations: Wire[] = [];
  if (edit && view.inputTokens >= edit.trigger) {
    const summary = answer.summary === undefined ? defaultSummary(conversation) : answer.summary;
    const block = compactionBlock({
      ...context,
      request,
      conversation,
      response: place.response,
      kind: 'threshold',
      summary,
    });
    lead.push(block);
    iterations.push(iteration('compaction', undefined, cache(view.segments), textTokens(summary ?? '')));
    if (edit.pauses) {
      const composed = {
        content: [],
        stop: 'compaction',
        outputTokens: 1,
        thinkingTokens: 0,
        lastReasoning: null,
      } as const;
      return { evaluated, answer, composed, input: NO_INPUT, lead, iterations };
    }
    if (summary !== null) {
      seen = compactedConversation(request, block);
      input = { ...NO_INPUT, fresh: fixedTokens(view.segments, conversation) + textTokens(summary) };
    } else input = cache(view.segments);
  } else input = cache(view.segments);

  const composed = compose({
    request,
    thinking,
    answer,
    response: `${place.response} ${place.attempt}`,
    ids: place.ids,
    sealer: context.sealer,
    prefix: answerPrefix(seen),
    predecessor: seen.returned.at(-1)?.id ?? null,
    opensTurn: seen !== conversation || !hasOpenAnswer(conversation),
    maxTokens: request.maxTokens,
  });
  return { evaluated, answer, composed, input, lead, iterations };
}

export const NO_INPUT: CacheUse = { fresh: 0, read: 0, written5m: 0, written1h: 0 };

/** Tokens of tools and system, which a compaction leaves in place. */
function fixedTokens(segments: readonly Segment[], { messages }: Conversation): number {
  const blocks = messages.reduce((count, message) => count + message.blocks.length, 0);
  return segments.slice(0, Math.max(0, segments.length - blocks)).reduce((sum, { tokens }) => sum + tokens, 0);
}

function hasOpenAnswer({ messages }: Conversation): boolean {
  return messages.slice(turnStart(messages)).some(({ role }) => role === 'assistant');
}

/** An answer that resumes the model's own last message stands in that message, not after it. */
function answerPrefix({ messages, walk, compaction }: Conversation): PrefixRecord {
  const resumes = messages.at(-1)?.role === 'assistant' && !(compaction && messages.length === 1);
  return walk.at(resumes ? messages.length - 1 : messages.length);
}

/** Reads from and writes to the prompt cache what the model is shown. */
export function billInput(context: ApiContext, request: MessagesRequest, segments: readonly Segment[]): CacheUse {
  return context.cache.use(`${request.account.id} ${request.model.id}`, marked(request, context, segments));
}

function marked(request: MessagesRequest, context: ApiContext, segments: readonly Segment[]): readonly Segment[] {
  const control = request.body.cache_control;
  if (!isWire(control) && context.options.caching !== 'automatic') return segments;
  const last = segments.at(-1);
  if (!last) return segments;
  return [...segments.slice(0, -1), { ...last, marker: isWire(control) && control.ttl === '1h' ? '1h' : '5m' }];
}
