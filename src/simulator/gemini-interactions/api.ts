import { errorReply, failure, type GeminiFailure, isFailure, NO_KEY, NOT_JSON } from '../gemini/api-failure.ts';
import { type Caller, callerOf } from '../gemini/caller.ts';
import { versionOf } from '../gemini/models.ts';
import { answeredVerdict, refusedVerdict, returnedVerdict } from '../gemini/verdict.ts';
import type { Exchange, Reply, SimulatedApi, StreamEvent } from '../http/exchange.ts';
import { digest, isWire, type Wire } from '../json.ts';
import { activeFault, type Fault } from '../script-parts.ts';
import { type Seeded, seeded } from '../seeded.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import { checkResults, checkThoughts } from './checks.ts';
import { type Composed, composeAnswer } from './compose.ts';
import { createInteractionsContext, type InteractionsContext, type InteractionsOptions } from './context.ts';
import { errorEvent, interactionEvents } from './events.ts';
import { type InteractionRequest, readRequest } from './request.ts';
import { readReturned } from './returned.ts';
import { scriptCall } from './script-call.ts';
import { LIFETIME_MS } from './store.ts';
import { handleStored } from './stored-interactions.ts';
import { renderSegments } from './view.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

/** The Interactions API: of the Developer API and of Vertex, which name it alike. */
export function createGeminiInteractions(surroundings: ApiSurroundings, options: InteractionsOptions): SimulatedApi {
  const { seed, now, onVerdict } = surroundings;
  const context = createInteractionsContext(seed, now, options);
  const arrivals = new Map<string, number>();
  return {
    name: 'gemini-interactions',
    async handle(exchange) {
      if (!/\/interactions(?:\/[^/]+(?:\/cancel)?)?$/.test(exchange.path)) return undefined;
      const refuse = ({ refusal, before, headers = {} }: Refused): Reply => {
        onVerdict(exchange, refusedVerdict(refusal, before));
        return errorReply(refusal, headers);
      };
      const caller = callerOf(exchange, options);
      if (!caller) return refuse({ refusal: NO_KEY });
      if (exchange.method !== 'POST' || !exchange.path.endsWith('/interactions')) {
        const reply = handleStored(context, exchange, caller);
        if (isFailure(reply)) return refuse({ refusal: reply });
        onVerdict(exchange, { ...NO_VERDICT, status: reply.status, ...('body' in reply && { answer: reply.body }) });
        return reply;
      }
      const body = jsonObject(exchange.body);
      if (!body) return refuse({ refusal: NOT_JSON });
      const arrival = digest(exchange.path, exchange.body, caller.key);
      const repeat = arrivals.get(arrival) ?? 0;
      arrivals.set(arrival, repeat + 1);
      const outcome = await interact(context, body, caller, { label: `${arrival} ${repeat}`, repeat });
      if ('refusal' in outcome) return refuse(outcome);
      const { interaction, events, verdict, fault } = outcome;
      onVerdict(exchange, verdict);
      const delivery = fault && fault.kind !== 'status' ? { delivery: fault } : {};
      if (body.stream === true) {
        return { kind: 'stream', status: 200, framing: 'sse', events, errorEvent, ...delivery };
      }
      return {
        kind: 'json',
        status: 200,
        body: body.background === true ? pending(interaction) : interaction,
        ...delivery,
      };
    },
  };
}

interface Refused {
  readonly refusal: GeminiFailure;
  /** What the request came to, if it got that far. */
  readonly before?: Verdict;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answered {
  readonly interaction: Wire;
  readonly events: readonly StreamEvent[];
  readonly verdict: Verdict;
  readonly fault?: Fault;
}

/** In the background it is finished as soon as it is asked for. */
function pending({ steps: _, usage: __, ...interaction }: Wire): Wire {
  return { ...interaction, status: 'in_progress' };
}

async function interact(
  context: InteractionsContext,
  body: Wire,
  caller: Caller,
  place: { readonly label: string; readonly repeat: number },
): Promise<Answered | Refused> {
  const request = readRequest(context, body, caller);
  if (isFailure(request)) return { refusal: request };
  const token = body.continuation_token;
  const refusal = typeof token === 'string' ? undefined : (checkResults(request) ?? checkThoughts(context, request));
  if (refusal) return { refusal };
  const returned = readReturned(context, request);
  if (isFailure(returned)) return { refusal: returned };
  const before = returnedVerdict(request.model.id, request.thinking, returned);
  const ids = seeded(context.seed, `interaction ${place.label}`);
  const use = context.cache.use(`${caller.project} ${request.model.id}`, renderSegments(context, request, returned));
  const answered = ([composed, ...rest]: readonly [Composed, ...Composed[]], fault?: Fault): Answered => {
    const { interaction, events } = finish(context, request, composed, rest, { ids, use });
    const verdict = answeredVerdict(before, interaction, composed.status, fault);
    return { interaction, events, verdict, ...(fault && { fault }) };
  };
  if (typeof token === 'string') {
    const [next, ...rest] = context.paused.get(token) ?? [];
    return next ? answered([next, ...rest]) : { refusal: failure('Invalid continuation token.') };
  }
  const answer = await context.script(scriptCall(context, request, returned, place));
  const fault = activeFault(answer.fault, place.repeat);
  if (fault?.kind === 'status') {
    const { status, message = 'Simulated failure', code, headers } = fault;
    return {
      refusal: failure(message, status, code),
      before: { ...before, fault: 'status' },
      ...(headers && { headers }),
    };
  }
  return answered(composeAnswer(context, request, answer, { label: place.label, ids }), fault);
}

/** The interaction as it is told, and kept where it is to be kept. */
function finish(
  context: InteractionsContext,
  { body, model, caller, steps, stores }: InteractionRequest,
  composed: Composed,
  rest: readonly Composed[],
  { ids, use }: { readonly ids: Seeded; readonly use: { readonly total: number; readonly cached: number } },
) {
  const id = ids.id('v1_', 40);
  const time = context.now();
  const continuation = rest.length > 0 ? ids.id('', 40) : undefined;
  if (continuation !== undefined) context.paused.set(continuation, rest);
  const { outputTokens, thoughtTokens, toolUseTokens } = composed;
  const interaction: Wire = {
    id,
    object: 'interaction',
    model: versionOf(model),
    status: composed.status,
    created: new Date(time).toISOString(),
    updated: new Date(time).toISOString(),
    ...(typeof body.previous_interaction_id === 'string' && {
      previous_interaction_id: body.previous_interaction_id,
    }),
    ...(continuation !== undefined && { continuation_token: continuation }),
    steps: composed.steps,
    usage: {
      total_input_tokens: use.total,
      total_cached_tokens: use.cached,
      total_output_tokens: outputTokens,
      total_thought_tokens: thoughtTokens,
      total_tool_use_tokens: toolUseTokens,
      total_tokens: use.total + outputTokens + thoughtTokens + toolUseTokens,
    },
  };
  const events = interactionEvents(interaction, context.conflicts.completedSteps);
  if (stores) {
    context.store.keep({
      id,
      project: caller.project,
      steps: [...steps.map(({ step }) => step), ...composed.steps],
      interaction,
      events,
      expires: time + LIFETIME_MS[caller.tier],
    });
  }
  return { interaction, events };
}

function jsonObject(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
