import { isWire, type Wire } from '../json.ts';
import type { Fault } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { type ApiFailure, invalid, isFailure } from './api-failure.ts';
import { type Attempt, runAttempt } from './attempt.ts';
import { BETAS } from './betas.ts';
import type { Transformation } from './binding.ts';
import { compactOnDemand } from './compact-on-demand.ts';
import type { ApiContext } from './context.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { type FallbackEntry, fallbackRequest, readFallbacks } from './fallback.ts';
import type { Credit } from './fallback-credit.ts';
import type { MessagesRequest } from './request.ts';
import type { Answer } from './script.ts';
import type { CallPlace } from './script-call.ts';
import { iteration, usageWire } from './usage.ts';

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

const DEFAULT_FALLBACK = 'claude-opus-5';

/** The provider's own switch of models is not refused for what the caller's configuration does not fit. */
function asFallback(context: ApiContext): ApiContext {
  const conflicts = { ...context.conflicts, thinkingOffWithBlocks: 'strip', missingLeadingThinking: 'accept' } as const;
  return { ...context, conflicts };
}

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
  const hops: Hop[] = [];
  const sticky = options.stickyRouting === false ? undefined : context.sticky.get(request);
  const chain: readonly (FallbackEntry | undefined)[] = [undefined, ...entries];
  const begin = Math.max(
    0,
    chain.findIndex((entry) => entry !== undefined && entry.model.id === sticky),
  );
  for (const [index, entry] of chain.entries()) {
    if (index < begin) continue;
    const evaluated = entry ? evaluate(asFallback(context), fallbackRequest(request, entry)) : requested;
    // A fallback that cannot take the request is one that was not made; the refusal before it stands.
    if (isFailure(evaluated)) continue;
    const attempt = await runAttempt(context, evaluated, { ...place, attempt: index, response, ids });
    const { answer, composed } = attempt;
    iterations.push(...attempt.iterations);
    const last = index === chain.length - 1;
    if (answer.stop === 'refusal' && !last && !answer.fault) {
      iterations.push(iteration('message', evaluated.request.model.id, attempt.input, composed.outputTokens));
      const from = index === 0 ? request.modelAsSent : evaluated.request.model.id;
      hops.push({ declined: attempt, marker: fallbackMarker(from, chain[index + 1], answer) });
      continue;
    }
    const fellBack = index > 0;
    if (fellBack && composed.stop !== 'refusal') context.sticky.set(request, evaluated.request.model.id);
    if (iterations.length > 0 || fellBack || entries.length > 0) {
      const type = fellBack ? 'fallback_message' : 'message';
      iterations.push(iteration(type, evaluated.request.model.id, attempt.input, composed.outputTokens));
    }
    return finish(context, attempt, { requested, response, hops, iterations, stream: place.stream });
  }
  const refused = hops.pop();
  if (!refused) return invalid('fallbacks: no attempt could be made');
  return finish(context, refused.declined, { requested, response, hops, iterations, stream: place.stream });
}

/** A model that declined, and the marker that stands behind what it had written. */
interface Hop {
  readonly declined: Attempt;
  readonly marker: Wire;
}

function fallbackMarker(from: string, next: FallbackEntry | undefined, answer: Answer): Wire {
  return {
    type: 'fallback',
    from: { model: from },
    to: { model: next?.model.id },
    trigger: { type: 'refusal', category: answer.refusal?.category ?? null },
  };
}

interface FinishInput {
  readonly requested: Evaluated;
  readonly response: string;
  readonly hops: readonly Hop[];
  readonly iterations: readonly Wire[];
  readonly stream: boolean;
}

function finish(context: ApiContext, attempt: Attempt, input: FinishInput): Answered {
  const { evaluated, answer, composed } = attempt;
  const { request, binding, view } = evaluated;
  // Without a stream the partial output of a model that declined is left out.
  const before = input.hops.flatMap(({ declined, marker }) =>
    input.stream ? [...declined.lead, ...declined.composed.content, marker] : [marker],
  );
  const content = [...before, ...attempt.lead, ...composed.content];
  context.issued.remember(content, input.requested.configured.mode, composed.stop);
  const reports = request.betas.has(BETAS.bindingControls);
  const model = answeringModel(request, input.requested.request);
  const message: Wire = {
    id: input.response,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: composed.stop,
    stop_sequence: answer.stopSequence ?? null,
    stop_details: composed.stop === 'refusal' ? refusalDetails(answer, context.credits.mint(request, content)) : null,
    ...(view.edits.applied && { context_management: { applied_edits: view.edits.applied } }),
    ...(reports && { input_transformations: binding.transformations }),
    usage: usageWire({
      input: attempt.input,
      outputTokens: composed.outputTokens,
      thinkingTokens: composed.thinkingTokens,
      batch: request.batch,
      ...(input.iterations.length > 0 && { iterations: input.iterations }),
      redeemed: request.body.fallback_credit_token != null,
    }),
  };
  const midAnswer = input.stream && input.hops.some(({ declined }) => declined.composed.content.length > 0);
  return {
    message,
    evaluated,
    ...(answer.fault && { fault: answer.fault }),
    ...(midAnswer && {
      midAnswer: {
        model: answeringModel(input.requested.request, input.requested.request),
        transformations: input.requested.binding.transformations,
      },
    }),
  };
}

/** The first-party API repeats the caller's spelling; the platforms, and a fallback, give the canonical id. */
function answeringModel(request: MessagesRequest, requested: MessagesRequest): string {
  return request === requested && request.platform === 'claude' ? request.modelAsSent : request.model.id;
}

function refusalDetails(answer: Answer, credit: Credit | undefined): Wire {
  return {
    type: 'refusal',
    category: answer.refusal?.category ?? null,
    explanation: answer.refusal?.explanation ?? null,
    fallback_credit_token: credit?.token ?? null,
    fallback_has_prefill_claim: credit?.continues ?? null,
    recommended_model: null,
  };
}
