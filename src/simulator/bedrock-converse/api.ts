import { createAnthropicMessages } from '../anthropic-messages/api.ts';
import type { AnthropicOptions } from '../anthropic-messages/context.ts';
import type { Exchange, Reply, SimulatedApi } from '../http/exchange.ts';
import { digest, isWire, type Wire } from '../json.ts';
import { activeFault } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import { type ConverseContext, type ConverseOptions, createConverseContext } from './context.ts';
import { converseEvents, exceptionEvent } from './events.ts';
import { type Family, familyOf } from './families.ts';
import { fromMessage } from './from-message.ts';
import { composeAnswer, readReplay, scriptCall } from './plain-answer.ts';
import { type ConverseRequest, readRequest } from './read-request.ts';
import { invalid, isRefusal, modelSaid, type Refusal, refusalOf, refusalReply } from './refusal.ts';
import { toMessagesCall } from './to-messages.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

const PATH = /\/model\/(?<model>.+)\/(?<verb>converse|converse-stream)$/;

/** One arrival of one request. */
interface Arrival {
  readonly exchange: Exchange;
  readonly requestId: string;
  readonly label: string;
  readonly repeat: number;
  readonly stream: boolean;
}

/**
 * The Converse API, in JSON and as an event stream. Claude's models are those of `anthropic`, behind another shape, and
 * read what those issued. Signatures of requests are accepted unchecked.
 */
export function createBedrockConverse(
  surroundings: ApiSurroundings,
  options: ConverseOptions,
  anthropic: AnthropicOptions,
): SimulatedApi {
  const { seed, now, onVerdict } = surroundings;
  const context = createConverseContext(seed, options);
  const arrivals = new Map<string, number>();
  /** What Claude's own API made of a request, by the number of the request. */
  const behind = new Map<number, Verdict>();
  const claude = createAnthropicMessages(
    { seed, now, onVerdict: ({ index }, verdict) => void behind.set(index, verdict) },
    anthropic,
  );

  return {
    name: 'bedrock-converse',
    async handle(exchange) {
      const match = exchange.method === 'POST' ? PATH.exec(exchange.path)?.groups : undefined;
      if (!match) return undefined;
      const modelId = options.profiles?.[String(match.model)] ?? String(match.model);
      const arrival = digest(exchange.path, exchange.body, exchange.headers.authorization?.split('/')[0] ?? '');
      const repeat = arrivals.get(arrival) ?? 0;
      arrivals.set(arrival, repeat + 1);
      const label = `${arrival} ${repeat}`;
      const requestId = seeded(seed, `converse request ${label}`).id('', 32);
      const own: Arrival = { exchange, requestId, label, repeat, stream: match.verb === 'converse-stream' };
      const body = jsonObject(exchange.body);
      const family = familyOf(modelId);
      if (!body) return refuse(own, { status: 400, type: 'SerializationException', message: 'not valid JSON' });
      if (!family) return refuse(own, invalid('The provided model identifier is invalid.'));
      const request = readRequest(body, modelId, context.conflicts);
      if (isRefusal(request)) return refuse(own, request);
      return family.replay === 'engine' ? askClaude(request, own) : askOther(context, family, request, own);
    },
  };

  function refuse({ exchange, requestId }: Arrival, refusal: Refusal, before: Verdict = NO_VERDICT): Reply {
    const { status, type, message } = refusal;
    onVerdict(exchange, { ...before, status, error: { type, message }, answer: { message } });
    return refusalReply(refusal, requestId);
  }

  async function askClaude(request: ConverseRequest, own: Arrival): Promise<Reply> {
    const { thinking } = request.extra;
    const thinks = isWire(thinking) && thinking.type !== 'disabled';
    if (thinks && (request.toolChoice === 'any' || request.toolChoice === 'tool')) {
      return refuse(own, modelSaid('Thinking may not be enabled when tool_choice forces tool use.'));
    }
    const { body, toConversePaths } = toMessagesCall(request);
    const { exchange } = own;
    const path = `/model/${request.modelId}/invoke`;
    const reply = await claude.handle({ ...exchange, path, body: JSON.stringify(body) });
    const seen = behind.get(exchange.index) ?? NO_VERDICT;
    behind.delete(exchange.index);
    const verdict = JSON.parse(toConversePaths(JSON.stringify({ ...seen, answer: undefined }))) as Verdict;
    if (reply?.kind !== 'json') return refuse(own, refusalOf(500, 'The model did not answer.'), verdict);
    if (reply.status !== 200) {
      const said = toConversePaths(seen.error?.message ?? '');
      const { status, type } = refusalOf(reply.status, said);
      const refusal =
        type === 'ValidationException' && seen.fault === undefined ? modelSaid(said) : refusalOf(status, said);
      return refuse(own, { ...refusal, ...(seen.fault !== undefined && { headers: reply.headers ?? {} }) }, verdict);
    }
    const message = JSON.parse(toConversePaths(JSON.stringify(reply.body))) as Wire;
    const answer = fromMessage(message, request.body.additionalModelResponseFieldPaths);
    onVerdict(exchange, { ...verdict, answer });
    return { ...answerReply(answer, own), ...(reply.delivery && { delivery: reply.delivery }) };
  }

  async function askOther(
    { script }: ConverseContext,
    family: Family,
    request: ConverseRequest,
    own: Arrival,
  ): Promise<Reply> {
    const replay = readReplay(context, family, request);
    if (isRefusal(replay)) return refuse(own, replay);
    const place = { family, label: own.label, repeat: own.repeat };
    const scripted = await script(scriptCall(context, request, replay, place));
    const before: Verdict = {
      ...NO_VERDICT,
      thinking: { mode: family.thinks(request.extra) ? 'enabled' : 'off', silentlyDisabled: false },
      shown: replay.shown.map(({ path }) => path),
      stripped: replay.ignored.map((path) => ({ path, reason: 'not_read' })),
    };
    const fault = activeFault(scripted.fault, own.repeat);
    if (fault?.kind === 'status') {
      const { status, message = 'Simulated failure', headers } = fault;
      return refuse(own, refusalOf(status, message, headers), { ...before, fault: 'status' });
    }
    const answer = composeAnswer(context, request, scripted, place);
    onVerdict(own.exchange, {
      ...before,
      status: 200,
      model: request.modelId,
      stopReason: String(answer.stopReason),
      answer,
      ...(fault && { fault: fault.kind }),
    });
    return { ...answerReply(answer, own), ...(fault && { delivery: fault }) };
  }
}

function answerReply(answer: Wire, { requestId, stream }: Arrival): Reply {
  const headers = { 'x-amzn-requestid': requestId };
  if (!stream) return { kind: 'json', status: 200, headers, body: answer };
  const events = converseEvents(answer);
  return { kind: 'stream', status: 200, headers, framing: 'aws-events', events, errorEvent: exceptionEvent };
}

function jsonObject(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isWire(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
