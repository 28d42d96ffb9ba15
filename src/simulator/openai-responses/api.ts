import type { Exchange, Reply, SimulatedApi, SocketSession } from '../http/exchange.ts';
import { digest, isWire, type Wire } from '../json.ts';
import {
  type ApiFailure,
  errorReply,
  isFailure,
  missing,
  modelNotFound,
  NO_KEY,
  NOT_JSON,
} from '../openai/api-failure.ts';
import { findOpenAiModel } from '../openai/models.ts';
import { credentialOf, type Organization, organizationOf } from '../openai/organization.ts';
import { seeded } from '../seeded.ts';
import type { Verdict } from '../verdict.ts';
import { answerRequest, type Refused } from './answer.ts';
import { asRequestBody, compactWindow } from './compact-endpoint.ts';
import { createResponsesContext, type ResponsesContext, type ResponsesOptions } from './context.ts';
import { handleConversations } from './conversations.ts';
import { evaluate } from './evaluate.ts';
import { errorEvent } from './events.ts';
import { type Headers, jsonReply, streamReply } from './replies.ts';
import { HTTP, type ResponsesRequest, type Transport } from './request.ts';
import { checkFields } from './request-fields.ts';
import { createSocketSession } from './socket-session.ts';
import { handleStored } from './stored-responses.ts';
import { answeredVerdict, evaluatedVerdict, plainVerdict, refusedVerdict } from './verdict.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

const PATH = /\/(?:responses|conversations)(?:\/|$)/;

/** The Responses API with its WebSocket, and conversations, under any base path. */
export function createOpenAiResponses(surroundings: ApiSurroundings, options: ResponsesOptions): SimulatedApi {
  const { seed, now, onVerdict } = surroundings;
  const context = createResponsesContext(seed, now, options);
  const arrivals = new Map<string, number>();

  const caller = (exchange: Exchange): { organization: Organization; key: string } | undefined => {
    const key = credentialOf(exchange.headers);
    if (key === undefined) return undefined;
    return {
      key,
      organization: organizationOf(seed, key, options.organization ?? {}, options.organizations ?? {}),
    };
  };
  /** Names this very request, and how often it came before. */
  const arrivalOf = ({ method, path, body }: Exchange, key: string): { label: string; repeat: number } => {
    const arrival = digest(method, path, body, key);
    const repeat = arrivals.get(arrival) ?? 0;
    arrivals.set(arrival, repeat + 1);
    return { label: `${arrival} ${repeat}`, repeat };
  };

  return {
    name: 'openai-responses',
    async handle(exchange) {
      if (!PATH.test(exchange.path)) return undefined;
      const known = caller(exchange);
      const arrival = arrivalOf(exchange, known?.key ?? '');
      const headers: Headers = {
        'x-request-id': seeded(seed, `responses request ${arrival.label}`).id('req_', 32),
        ...(known && { 'openai-organization': known.organization.header, 'openai-version': '2020-10-01' }),
      };
      const refuse = (refused: Refused): Reply => {
        onVerdict(exchange, refusedVerdict(refused));
        const own = refused.fault?.kind === 'status' ? refused.fault.headers : undefined;
        return errorReply(refused.refusal, { ...headers, ...own });
      };
      if (!known) return refuse({ refusal: NO_KEY });
      const body = exchange.method === 'POST' ? jsonObject(exchange.body) : {};
      if (!body) return refuse({ refusal: NOT_JSON });
      const setting = { ...arrival, organization: known.organization, headers };
      if (exchange.method === 'POST' && /\/responses(?:\/(?:compact|input_tokens))?$/.test(exchange.path)) {
        const outcome = await handleCall(context, exchange.path, body, setting);
        if ('refusal' in outcome) return refuse(outcome);
        onVerdict(exchange, outcome.verdict);
        return outcome.reply;
      }
      const reply =
        handleStored(context, exchange, known.organization, headers) ??
        handleConversations(context, exchange, body, setting);
      if (reply === undefined) return undefined;
      if (isFailure(reply)) return refuse({ refusal: reply });
      onVerdict(exchange, plainVerdict(reply.status, 'body' in reply && isWire(reply.body) ? reply.body : {}));
      return reply;
    },
    connect(opening): SocketSession | Reply | undefined {
      if (!/\/responses$/.test(opening.path)) return undefined;
      const known = caller(opening);
      if (!known) return errorReply(NO_KEY, {});
      return createSocketSession({
        context,
        onVerdict,
        request: (body, transport) => readRequest(context, body, known.organization, transport),
        arrivalOf: (exchange) => arrivalOf(exchange, known.key),
      });
    },
  };
}

interface CallSetting {
  readonly label: string;
  readonly repeat: number;
  readonly organization: Organization;
  readonly headers: Headers;
}

/** A request that has a conversation in it: create, compact, count. */
async function handleCall(
  context: ResponsesContext,
  path: string,
  body: Wire,
  { label, repeat, organization, headers }: CallSetting,
): Promise<{ readonly reply: Reply; readonly verdict: Verdict } | Refused> {
  const creates = path.endsWith('/responses');
  const request = readRequest(context, creates ? body : asRequestBody(body), organization, HTTP);
  if (isFailure(request)) return { refusal: request };
  if (path.endsWith('/input_tokens')) {
    const evaluated = evaluate(context, request);
    if (isFailure(evaluated)) return { refusal: evaluated };
    const count = { object: 'response.input_tokens', input_tokens: evaluated.view.inputTokens };
    return {
      reply: jsonReply(count, headers),
      verdict: { ...evaluatedVerdict(evaluated), status: 200, answer: count },
    };
  }
  if (path.endsWith('/compact')) {
    const compacted = compactWindow(context, request, label);
    if (isFailure(compacted)) return { refusal: compacted };
    const verdict = { ...evaluatedVerdict(compacted.evaluated), status: 200, answer: compacted.body };
    return { reply: jsonReply(compacted.body, headers), verdict };
  }
  const streams = body.stream === true;
  const answered = await answerRequest(context, request, { label, repeat, streams, generates: true });
  if ('refusal' in answered) {
    const { refusal } = answered;
    const late = streams && refusal.code === 'invalid_encrypted_content';
    if (!late || context.conflicts.sealErrorInStream === 'status') return answered;
    const verdict = refusedVerdict(answered);
    return { reply: streamReply([errorEvent(refusal.code, refusal.message)], headers), verdict };
  }
  const { response, events, held, fault } = answered;
  const verdict = answeredVerdict(answered);
  const delivery = fault && { delivery: fault };
  if (streams) return { reply: { ...streamReply(events, headers), ...delivery }, verdict };
  const shown = held.isPending ? queued(response) : response;
  return { reply: { ...jsonReply(shown, headers), ...delivery }, verdict };
}

/** A response in the background, before anybody asks for it again. */
function queued(response: Wire): Wire {
  return { ...response, status: 'queued', output: [], usage: null, completed_at: null };
}

function readRequest(
  context: ResponsesContext,
  body: Wire,
  organization: Organization,
  transport: Transport,
): ResponsesRequest | ApiFailure {
  if (typeof body.model !== 'string') return missing('model');
  const refusal = checkFields(body);
  if (refusal) return refusal;
  const model = findOpenAiModel(body.model, context.options.models);
  if (!model) return modelNotFound(body.model);
  return {
    body,
    organization,
    model,
    transport,
    checksPrefix: true,
    stores: body.store !== false && !organization.zdr,
  };
}

function jsonObject(text: string): Wire | undefined {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
