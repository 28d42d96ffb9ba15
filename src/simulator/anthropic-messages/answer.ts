import { isWire, type Wire } from '../json.ts';
import { seeded } from '../seeded.ts';
import { type ApiFailure, invalid, isFailure } from './api-failure.ts';
import { BETAS } from './betas.ts';
import type { Transformation } from './binding.ts';
import { compactedConversation, compactionBlock, compactionEdit, defaultSummary } from './compaction.ts';
import { type Composed, compose } from './compose.ts';
import type { ApiContext } from './context.ts';
import type { Conversation } from './conversation.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { type FallbackEntry, fallbackRequest, readFallbacks } from './fallback.ts';
import type { PrefixRecord } from './prefix.ts';
import type { CacheUse } from './prompt-cache.ts';
import { type MessagesRequest, turnStart } from './request.ts';
import type { Answer, Fault } from './script.ts';
import { type CallPlace, scriptCall } from './script-call.ts';
import { textTokens } from './tokens.ts';
import { inputWire, iteration, usageWire } from './usage.ts';
import type { Segment } from './view.ts';

/** A finished answer, before it is put on a wire. */
export interface Answered {
  readonly message: Wire;
  /** The evaluation for the model that answered. */
  readonly evaluated: Evaluated;
  readonly fault?: Fault;
  /** Set where a fallback took over in mid-answer: what the stream's start still says. */
  readonly midAnswer?: { readonly model: string; readonly transformations: readonly Transformation[] };
}

export interface AnswerPlace extends Omit<CallPlace, 'attempt' | 'seed'> {
  readonly stream: boolean;
}

interface Attempt {
  readonly evaluated: Evaluated;
  readonly answer: Answer;
  readonly composed: Composed;
  readonly input: CacheUse;
  readonly lead: readonly Wire[];
  readonly iterations: readonly Wire[];
}

const DEFAULT_FALLBACK = 'claude-opus-4-8';

/** Lets the script answer, on the requested model and then on its fallbacks, and makes a message of it. */
export async function answerRequest(
  context: ApiContext,
  requested: Evaluated,
  place: AnswerPlace,
): Promise<Answered | ApiFailure> {
  const { request } = requested;
  const { options } = context;
  const entries = readFallbacks(request, options.defaultFallback ?? DEFAULT_FALLBACK, options.models ?? []);
  if (isFailure(entries)) return entries;
  const ids = seeded(context.seed, `answer ${place.label}`);
  const response = ids.id('msg_01');
  if (isWire(request.body.compaction)) return compactOnDemand(context, requested, response, place);

  const iterations: Wire[] = [];
  const content: Wire[] = [];
  const sticky = options.stickyRouting === false ? undefined : context.sticky.get(request);
  const chain: readonly (FallbackEntry | undefined)[] = [undefined, ...entries];
  const begin = Math.max(
    0,
    chain.findIndex((entry) => entry !== undefined && entry.model.id === sticky),
  );
  let declined: Attempt | undefined;
  for (const [index, entry] of chain.entries()) {
    if (index < begin) continue;
    const evaluated = entry ? evaluate(context, fallbackRequest(request, entry)) : requested;
    // A fallback that cannot take the request is one that was not made; the refusal before it stands.
    if (isFailure(evaluated)) continue;
    const attempt = await runAttempt(context, evaluated, { ...place, attempt: index, response, ids });
    const { answer, composed } = attempt;
    iterations.push(...attempt.iterations);
    const last = index === chain.length - 1;
    if (answer.stop === 'refusal' && !last && !answer.fault) {
      declined = attempt;
      iterations.push(iteration('message', evaluated.request.model.id, attempt.input, composed.outputTokens));
      // Without a stream the declined model's partial output is left out.
      if (place.stream) content.push(...composed.content);
      content.push(
        fallbackMarker(index === 0 ? request.modelAsSent : evaluated.request.model.id, chain[index + 1], answer),
      );
      continue;
    }
    const fellBack = index > 0;
    if (fellBack) context.sticky.set(request, evaluated.request.model.id);
    if (iterations.length > 0 || fellBack || entries.length > 0) {
      const type = fellBack ? 'fallback_message' : 'message';
      iterations.push(iteration(type, evaluated.request.model.id, attempt.input, composed.outputTokens));
    }
    return finish(context, attempt, { requested, response, content, iterations, declined, stream: place.stream });
  }
  if (!declined) return invalid('fallbacks: no attempt could be made');
  return finish(context, declined, {
    requested,
    response,
    content: content.slice(0, -1),
    iterations,
    declined: undefined,
    stream: place.stream,
  });
}

function fallbackMarker(from: string, next: FallbackEntry | undefined, answer: Answer): Wire {
  return {
    type: 'fallback',
    from: { model: from },
    to: { model: next?.model.id },
    trigger: { type: 'refusal', category: answer.refusal?.category ?? null },
  };
}

interface AttemptPlace extends CallPlaceOfAttempt {
  readonly response: string;
  readonly ids: ReturnType<typeof seeded>;
}
type CallPlaceOfAttempt = Omit<CallPlace, 'seed'>;

async function runAttempt(context: ApiContext, evaluated: Evaluated, place: AttemptPlace): Promise<Attempt> {
  const { request, thinking, conversation, view } = evaluated;
  const answer = await context.script(scriptCall(evaluated, { ...place, seed: context.seed }));
  const cache = (segments: readonly Segment[]): CacheUse =>
    context.cache.use(`${request.account.id} ${request.model.id}`, marked(request, context, segments));
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
      return { evaluated, answer, composed, input: nothing, lead, iterations };
    }
    if (summary !== null) {
      seen = compactedConversation(request, block);
      input = { ...nothing, fresh: fixedTokens(view.segments, conversation) + textTokens(summary) };
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

const nothing: CacheUse = { fresh: 0, read: 0, written5m: 0, written1h: 0 };

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

function marked(request: MessagesRequest, context: ApiContext, segments: readonly Segment[]): readonly Segment[] {
  const control = request.body.cache_control;
  if (!isWire(control) && context.options.caching !== 'automatic') return segments;
  const last = segments.at(-1);
  if (!last) return segments;
  return [...segments.slice(0, -1), { ...last, marker: isWire(control) && control.ttl === '1h' ? '1h' : '5m' }];
}

interface FinishInput {
  readonly requested: Evaluated;
  readonly response: string;
  /** What declined models left, each followed by its marker. */
  readonly content: readonly Wire[];
  readonly iterations: readonly Wire[];
  readonly declined: Attempt | undefined;
  readonly stream: boolean;
}

function finish(context: ApiContext, attempt: Attempt, input: FinishInput): Answered {
  const { evaluated, answer, composed } = attempt;
  const { request, binding, view } = evaluated;
  const content = [...input.content, ...attempt.lead, ...composed.content];
  context.issued.remember(content, input.requested.configured.mode, composed.stop);
  const reports = request.betas.has(BETAS.bindingControls);
  const fellBack = input.declined !== undefined;
  const model = fellBack || request !== input.requested.request ? request.model.id : request.modelAsSent;
  const message: Wire = {
    id: input.response,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: composed.stop,
    stop_sequence: answer.stopSequence ?? null,
    stop_details: composed.stop === 'refusal' ? refusalDetails(answer) : null,
    ...(view.edits.applied && { context_management: { applied_edits: view.edits.applied } }),
    ...(reports && { input_transformations: binding.transformations }),
    usage: usageWire({
      input: attempt.input,
      outputTokens: composed.outputTokens,
      thinkingTokens: composed.thinkingTokens,
      batch: request.batch,
      ...(input.iterations.length > 0 && { iterations: input.iterations }),
    }),
  };
  const midAnswer = input.stream && input.declined !== undefined && input.declined.composed.content.length > 0;
  return {
    message,
    evaluated,
    ...(answer.fault && { fault: answer.fault }),
    ...(midAnswer && {
      midAnswer: {
        model: input.requested.request.modelAsSent,
        transformations: input.requested.binding.transformations,
      },
    }),
  };
}

function refusalDetails(answer: Answer): Wire {
  return {
    type: 'refusal',
    category: answer.refusal?.category ?? null,
    explanation: answer.refusal?.explanation ?? null,
    fallback_credit_token: null,
    fallback_has_prefill_claim: null,
    recommended_model: null,
  };
}

/** `compaction: {type: "summarize"}`: the answer is one signed block and nothing is sampled after it. */
async function compactOnDemand(
  context: ApiContext,
  evaluated: Evaluated,
  response: string,
  place: AnswerPlace,
): Promise<Answered | ApiFailure> {
  const { request, conversation, view } = evaluated;
  const { messages } = conversation;
  if (messages.every(({ blocks }) => blocks.every(({ type }) => type === 'compaction'))) {
    return invalid('compaction: there is nothing to summarize', 'compaction_nothing_to_summarize');
  }
  const answer = await context.script(scriptCall(evaluated, { ...place, seed: context.seed, attempt: 0 }));
  const summary = answer.summary ?? defaultSummary(conversation);
  const block = compactionBlock({ ...context, request, conversation, response, kind: 'on_demand', summary });
  const input = context.cache.use(`${request.account.id} ${request.model.id}`, marked(request, context, view.segments));
  const outputTokens = textTokens(summary);
  context.issued.remember([block], evaluated.configured.mode, 'compaction');
  const message: Wire = {
    id: response,
    type: 'message',
    role: 'assistant',
    model: request.modelAsSent,
    content: [block],
    stop_reason: 'compaction',
    stop_sequence: null,
    stop_details: null,
    usage: {
      ...inputWire(nothing),
      output_tokens: 0,
      output_tokens_details: { thinking_tokens: 0 },
      iterations: [iteration('compaction', undefined, input, outputTokens)],
      service_tier: 'standard',
    },
  };
  return { message, evaluated, ...(answer.fault && { fault: answer.fault }) };
}
