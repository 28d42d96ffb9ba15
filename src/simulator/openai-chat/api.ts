import type { Exchange, Reply, SimulatedApi } from '../http/exchange.ts';
import { digest, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, isFailure, NO_KEY, NOT_JSON } from '../openai/api-failure.ts';
import { credentialOf, organizationOf } from '../openai/organization.ts';
import { activeFault } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import type { Verdict } from '../verdict.ts';
import { completionChunks } from './chunks.ts';
import { completionObject, usageObject } from './completion.ts';
import { composeAnswer, issuedThoughts } from './compose.ts';
import { type ChatContext, type ChatOptions, createChatContext } from './context.ts';
import { type Envelope, envelopeOf, errorChunk, refusalReply } from './error-envelope.ts';
import type { ChatProfile } from './profile.ts';
import { findChatProfile } from './profiles.ts';
import { type ChatRequest, readRequest } from './request.ts';
import { type Returned, readReturned } from './returned.ts';
import { scriptCall } from './script-call.ts';
import { answeredVerdict, refusedVerdict, returnedVerdict } from './verdict.ts';
import { renderSegments } from './view.ts';
import { writeMessage } from './write-message.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

/** Chat Completions, of OpenAI and of those who took over its shape. The first part of a path may name the host. */
export function createOpenAiChat({ seed, now, onVerdict }: ApiSurroundings, options: ChatOptions): SimulatedApi {
  const context = createChatContext(seed, now, options);
  const arrivals = new Map<string, number>();
  const hostOf = (path: string): ChatProfile | undefined =>
    findChatProfile(path.split('/')[1], options.profiles) ??
    findChatProfile(options.profile ?? 'openai', options.profiles);

  return {
    name: 'openai-chat',
    async handle(exchange) {
      if (exchange.method !== 'POST' || !exchange.path.endsWith('/chat/completions')) return undefined;
      const key = credentialOf(exchange.headers);
      const arrival = digest(exchange.path, exchange.body, key ?? '');
      const repeat = arrivals.get(arrival) ?? 0;
      arrivals.set(arrival, repeat + 1);
      const label = `${arrival} ${repeat}`;
      const headers = { 'x-request-id': seeded(seed, `chat request ${label}`).id('req_', 32) };
      const profile = hostOf(exchange.path);
      const refuse = (
        refusal: ApiFailure,
        provider = '',
        before?: Verdict,
        more: Readonly<Record<string, string>> = {},
      ): Reply => {
        const envelope: Envelope = { profile, provider, conflicts: context.conflicts };
        onVerdict(exchange, refusedVerdict(refusal, envelopeOf(refusal, envelope), before));
        return refusalReply(refusal, envelope, { ...headers, ...more });
      };
      if (key === undefined) return refuse(NO_KEY);
      const body = jsonObject(exchange.body);
      if (!body || !profile) return refuse(NOT_JSON);
      const organization = organizationOf(seed, key, options.organization ?? {}, options.organizations ?? {});
      const request = readRequest(context, profile, body, exchange.path, organization);
      if (isFailure(request)) return refuse(request);
      const { provider } = request.upstream;
      const returned = readReturned(context, request);
      if (isFailure(returned)) return refuse(returned, provider);
      const answer = await context.script(scriptCall(request, returned, { seed, label, repeat }));
      const fault = activeFault(answer.fault, repeat);
      const before = returnedVerdict(request, returned);
      if (fault?.kind === 'status') {
        const { status, message = 'Simulated failure', code } = fault;
        const refusal = failure(message, { status, ...(code !== undefined && { code }) });
        return refuse(refusal, provider, { ...before, fault: 'status' }, fault.headers);
      }
      if (answer.stop === 'failed') {
        const { code, message } = answer.error ?? { code: 'server_error', message: 'The model failed to answer.' };
        return refuse(failure(message, { status: 500, code }), provider, before);
      }
      const finished = finish(context, request, returned, answer, label);
      onVerdict(
        exchange,
        answeredVerdict(request, returned, finished.completion, finished.composed.finishReason, fault),
      );
      const delivery = fault && { delivery: fault };
      if (body.stream !== true) return { kind: 'json', status: 200, headers, body: finished.completion, ...delivery };
      return {
        kind: 'stream',
        status: 200,
        headers,
        framing: 'data',
        events: completionChunks(finished.completion, finished.message, finished.composed, {
          members: finished.members,
          upstream: request.upstream,
          usage: finished.usage,
          usagePlace: usagePlace(request),
          cumulative: profile.id === 'minimax' && context.conflicts.minimaxDeltas === 'cumulative',
        }),
        errorEvent: errorChunk,
        ...delivery,
      };
    },
  };
}

function finish(
  context: ChatContext,
  request: ChatRequest,
  returned: Returned,
  answer: Parameters<typeof composeAnswer>[2],
  label: string,
) {
  const { profile, host, upstream, scope, organization, model } = request;
  const ids = seeded(context.seed, `chat answer ${label}`);
  const id = ids.id(profile.idPrefix ?? 'chatcmpl-', 28);
  const thinks = request.thinks && !returned.switchedOff;
  const composed = composeAnswer(context, request, answer, { response: id, ids, thinks });
  const members = profile.delivers(host);
  const isEmpty = thinks && composed.thoughts.length === 0 && profile.deliversEmpty === true;
  const message = { ...writeMessage(composed, members, upstream), ...(isEmpty && { reasoning_content: '' }) };
  const use = context.cache.use(`${organization.id} ${profile.id} ${model}`, renderSegments(request, returned));
  const usage = usageObject(profile, use, composed);
  const created = Math.floor(context.now() / 1000);
  const completion = completionObject(request, { id, created, message, composed, usage });
  // Elements and chunks are told apart, a string is one.
  const isList = members.some((member) => member === 'reasoning_details' || member === 'thinking_chunks');
  const thoughts = issuedThoughts(composed, request, false);
  const joined = issuedThoughts(composed, request, true);
  const remembered = isList && composed.thoughts.length > 1 ? [...thoughts, ...joined] : joined;
  context.issued.remember(scope, message, isEmpty ? [{ text: '', tokens: 0, model }] : remembered);
  return { composed, members, message, usage, completion };
}

/** Usage comes in a stream where it is asked for; some hosts tell it unasked, one of them on the choice. */
function usagePlace({ body, profile }: ChatRequest): 'own_chunk' | 'on_choice' | 'none' {
  if (profile.usage === 'kimi') return 'on_choice';
  const asked = isWire(body.stream_options) && body.stream_options.include_usage === true;
  return asked || profile.alwaysStreamsUsage ? 'own_chunk' : 'none';
}

function jsonObject(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
