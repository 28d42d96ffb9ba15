import { errorReply, failure, type GeminiFailure, isFailure, NO_KEY, NOT_JSON } from '../gemini/api-failure.ts';
import { type Caller, callerOf } from '../gemini/caller.ts';
import { answeredVerdict, refusedVerdict, returnedVerdict } from '../gemini/verdict.ts';
import type { Delivery } from '../http/delivery.ts';
import type { Exchange, Reply, SimulatedApi } from '../http/exchange.ts';
import { digest, isWire, type Wire } from '../json.ts';
import { activeFault, type Fault } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import { handleCachedContents } from './cached-contents.ts';
import { checkCounts, checkParts, checkSignatures, hasUnpairedResults } from './checks.ts';
import { errorChunk, responseChunks } from './chunks.ts';
import { type Composed, composeAnswer } from './compose.ts';
import { createGeminiContext, type GeminiContext, type GeminiOptions } from './context.ts';
import { callingConfig } from './functions.ts';
import { type GenerateRequest, readRequest } from './request.ts';
import { responseObject, usageMetadata } from './response.ts';
import { readReturned } from './returned.ts';
import { scriptCall } from './script-call.ts';
import { renderView, tokensOf } from './view.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

const METHOD = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

/** `generateContent` and its kin, and context caches: of the Developer API and of Vertex. */
export function createGeminiGenerate({ seed, now, onVerdict }: ApiSurroundings, options: GeminiOptions): SimulatedApi {
  const context = createGeminiContext(seed, now, options);
  const arrivals = new Map<string, number>();
  return {
    name: 'gemini-generate',
    async handle(exchange) {
      const [, model, method] = exchange.method === 'POST' ? (METHOD.exec(exchange.path) ?? []) : [];
      const isCache = /\/cachedContents(?:\/|$)/.test(exchange.path);
      if (model === undefined && !isCache) return undefined;
      const refuse = (
        refusal: GeminiFailure,
        before?: Verdict,
        headers: Readonly<Record<string, string>> = {},
      ): Reply => {
        onVerdict(exchange, refusedVerdict(refusal, before));
        return errorReply(refusal, headers);
      };
      const caller = callerOf(exchange, options);
      if (!caller) return refuse(NO_KEY);
      const body = exchange.body === '' ? {} : jsonObject(exchange.body);
      if (!body) return refuse(NOT_JSON);
      const arrival = digest(exchange.method, exchange.path, exchange.body, caller.key);
      const repeat = arrivals.get(arrival) ?? 0;
      arrivals.set(arrival, repeat + 1);
      const label = `${arrival} ${repeat}`;
      if (model === undefined) {
        const ids = seeded(seed, `gemini cache ${label}`);
        const reply = handleCachedContents(context, { ...exchange, body }, caller, ids);
        if (reply === undefined) return undefined;
        if (isFailure(reply)) return refuse(reply);
        onVerdict(exchange, { ...NO_VERDICT, status: reply.status, answer: 'body' in reply ? reply.body : undefined });
        return reply;
      }
      if (method === 'countTokens') {
        const answer = countTokens(context, body, model, caller);
        if (isFailure(answer)) return refuse(answer);
        onVerdict(exchange, { ...NO_VERDICT, status: 200, answer });
        return { kind: 'json', status: 200, body: answer };
      }
      const streams = method === 'streamGenerateContent';
      const outcome = await generate(context, body, model, caller, { label, repeat, streams });
      if ('refusal' in outcome) return refuse(outcome.refusal, outcome.before, outcome.headers);
      onVerdict(exchange, outcome.verdict);
      const { response, delivery, request } = outcome;
      if (!streams) return { kind: 'json', status: 200, body: response, ...delivery };
      const events = responseChunks(response, {
        stream: options.stream ?? {},
        host: caller.host,
        streamsArguments: caller.host === 'vertex' && callingConfig(request.body).streamFunctionCallArguments === true,
        signature: context.conflicts.streamedSignature,
      });
      // Without `alt=sse` a stream is one JSON array.
      if (exchange.query.get('alt') !== 'sse') {
        return { kind: 'json', status: 200, body: events.map(({ data }) => data), ...delivery };
      }
      return { kind: 'stream', status: 200, framing: 'data', events, errorEvent: errorChunk, ...delivery };
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
  readonly request: GenerateRequest;
  readonly response: Wire;
  readonly verdict: Verdict;
  readonly delivery: { readonly delivery?: Delivery };
}

interface CallPlace {
  readonly label: string;
  readonly repeat: number;
  readonly streams: boolean;
}

async function generate(
  context: GeminiContext,
  sent: Wire,
  modelId: string,
  caller: Caller,
  place: CallPlace,
): Promise<Answered | Refused> {
  const request = readRequest(context, sent, modelId, caller);
  if (isFailure(request)) return { refusal: request };
  const early = checkParts(context, request) ?? checkCounts(context, request);
  if (early) return { refusal: early };
  const unsigned = checkSignatures(context, request);
  const tells = context.conflicts.missingSignature === 'finish_reason' && caller.host === 'developer';
  if (unsigned && !tells) return { refusal: unsigned };
  const returned = readReturned(context, request);
  if (isFailure(returned)) return { refusal: returned };
  const before = returnedVerdict(request.model.id, request.thinking, returned);
  const ids = seeded(context.seed, `gemini answer ${place.label}`);
  const { segments, cachedTokens } = renderView(context, request, returned);
  const use = context.cache.use(`${caller.host} ${caller.project} ${request.model.id}`, segments);
  const finish = (composed: Composed, rest: readonly Composed[] = []) => {
    const [next] = rest;
    const continuationToken = next && ids.id('', 40);
    if (continuationToken !== undefined) context.paused.set(continuationToken, rest);
    return responseObject(composed, {
      model: request.model,
      responseId: ids.id('', 22),
      usage: usageMetadata(composed, { ...use, cached: Math.max(use.cached, cachedTokens) }, caller),
      ...(continuationToken !== undefined && { continuationToken }),
    });
  };
  const answered = (composed: Composed, rest?: readonly Composed[], fault?: Fault): Answered => {
    const response = finish(composed, rest);
    const verdict = answeredVerdict(before, response, composed.finishReason, fault);
    const delivery = fault && fault.kind !== 'status' ? { delivery: fault } : {};
    return { request, response, verdict, delivery };
  };
  if (unsigned) return answered({ ...NOTHING, finishReason: 'MISSING_THOUGHT_SIGNATURE' });
  if (hasUnpairedResults(context, request)) return answered(NOTHING);
  const token = request.body.continuationToken;
  if (typeof token === 'string') {
    const [next, ...rest] = context.paused.get(token) ?? [];
    return next ? answered(next, rest) : { refusal: failure('Invalid continuation token.') };
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
  const [composed, ...rest] = composeAnswer(context, request, answer, { ...place, ids });
  return answered(composed, rest, fault);
}

/** No part, no word of what is wrong. */
const NOTHING: Composed = { parts: [], finishReason: 'STOP', candidatesTokens: 0, thoughtsTokens: 0, toolUseTokens: 0 };

function countTokens(context: GeminiContext, sent: Wire, modelId: string, caller: Caller): Wire | GeminiFailure {
  const nested = sent.generateContentRequest ?? sent.generate_content_request;
  const request = readRequest(context, isWire(nested) ? nested : sent, modelId, caller);
  if (isFailure(request)) return request;
  const returned = readReturned(context, request);
  if (isFailure(returned)) return returned;
  const { segments, cachedTokens } = renderView(context, request, returned);
  const totalTokens = tokensOf(segments);
  return {
    totalTokens,
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }],
  };
}

function jsonObject(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
