import { isWire, type Wire } from '../json.ts';
import { seeded } from '../seeded.ts';
import { type ApiFailure, invalid, isFailure } from './api-failure.ts';
import { type Attempt, runAttempt } from './attempt.ts';
import { BETAS } from './betas.ts';
import type { Transformation } from './binding.ts';
import { compactOnDemand } from './compact-on-demand.ts';
import type { ApiContext } from './context.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { type FallbackEntry, fallbackRequest, readFallbacks } from './fallback.ts';
import type { Answer, Fault } from './script.ts';
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
    const evaluated = entry ? evaluate(asFallback(context), fallbackRequest(request, entry)) : requested;
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
    if (fellBack && composed.stop !== 'refusal') context.sticky.set(request, evaluated.request.model.id);
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
  const model = request === input.requested.request ? request.modelAsSent : request.model.id;
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
