import type { Exchange, Reply, SimulatedApi } from '../http/exchange.ts';
import { digest, type Wire } from '../json.ts';
import { activeFault, type Fault } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import { type Account, credentialOf, makeAccount } from './account.ts';
import { type Answered, answerRequest } from './answer.ts';
import { type ApiFailure, failure, isFailure } from './api-failure.ts';
import { answerBatchItem } from './batch-item.ts';
import { createBatches } from './batches.ts';
import { BETAS } from './betas.ts';
import { type AnthropicOptions, type ApiContext, createContext } from './context.ts';
import { createCacheDiagnostics } from './diagnostics.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { messageEvents } from './events.ts';
import { handleModels } from './models-endpoint.ts';
import { type Call, isCallPath, readCall } from './platform.ts';
import { readRequest } from './read-request.ts';
import { errorBody, errorReply, headersOf, jsonReply, type ReplyHead } from './replies.ts';
import { answeredVerdict, evaluatedVerdict } from './verdict.ts';

export interface ApiSurroundings {
  readonly seed: string;
  readonly now: () => number;
  /** Called once per request, before its answer is sent. */
  readonly onVerdict: (exchange: Exchange, verdict: Verdict) => void;
}

/** The Messages API, over the first-party, Bedrock and Vertex wires. */
export function createAnthropicMessages(surroundings: ApiSurroundings, options: AnthropicOptions): SimulatedApi {
  const { seed, now, onVerdict } = surroundings;
  const context = createContext(seed, now, options);
  const batches = createBatches(seed, now);
  const diagnostics = createCacheDiagnostics();
  const arrivals = new Map<string, number>();
  const accounts = new Map<string, Account>();

  return {
    name: 'anthropic-messages',
    async handle(exchange) {
      const isCall = exchange.method === 'POST' && isCallPath(exchange.path);
      if (!isCall && !/\/v1\/(messages\/batches|models)(\/|$)/.test(exchange.path)) return undefined;
      const key = credentialOf(exchange.headers);
      const arrival = digest(exchange.method, exchange.path, exchange.body, key ?? '');
      const repeat = arrivals.get(arrival) ?? 0;
      arrivals.set(arrival, repeat + 1);
      const label = `${arrival} ${repeat}`;
      const account = accountOf(key);
      const call = isCall ? readCall(exchange) : undefined;
      const head: ReplyHead = {
        requestId: seeded(seed, `request ${label}`).id('req_011'),
        organizationId: account.organizationId,
        platform: call && 'platform' in call ? call.platform : 'claude',
      };
      const refuse = (refusal: ApiFailure, verdict: Verdict = NO_VERDICT): Reply => {
        const { headers, ...bare } = refusal;
        const { status, type, message } = refusal;
        onVerdict(exchange, {
          ...verdict,
          status,
          error: { type, message },
          answer: errorBody(refusal, head.requestId),
        });
        return errorReply(options.diagnosisHeader === false ? bare : { ...bare, ...(headers && { headers }) }, head);
      };
      if (key === undefined && head.platform === 'claude') return refuse(failure(401, 'x-api-key header is required'));
      if (!isCall) {
        const items: Verdict[] = [];
        const reply =
          (await batches.handle(exchange, head, async (params, itemLabel) => {
            const item = await answerBatchItem(context, exchange, params, account, itemLabel);
            items.push(item.verdict);
            return item.result;
          })) ?? handleModels(exchange, head, options.models ?? []);
        if (!reply) return undefined;
        onVerdict(exchange, {
          ...NO_VERDICT,
          status: reply.status,
          ...(items.length > 0 && { items }),
          ...('body' in reply && { answer: reply.body }),
        });
        return reply;
      }
      if (call === undefined || isFailure(call)) return refuse(call ?? failure(404, 'Not found'));
      return handleCall(call, exchange, { label, repeat, account, head, refuse });
    },
  };

  function accountOf(key: string | undefined): Account {
    const named = key === undefined ? undefined : options.accounts?.[key];
    const name = named && key !== undefined ? key : 'default';
    let account = accounts.get(name);
    if (!account) {
      account = makeAccount(seed, name, named ?? options.account ?? {});
      accounts.set(name, account);
    }
    return account;
  }

  async function handleCall(
    call: Call,
    exchange: Exchange,
    { label, repeat, account, head, refuse }: CallSetting,
  ): Promise<Reply> {
    const thread = context.threads.open(call.body, account.id, options.unsupportedInThreads ?? []);
    if (isFailure(thread)) return refuse(thread);
    let answered: Answered | ApiFailure | undefined;
    try {
      const request = readRequest(context, { ...call, body: thread.body }, account, {
        batch: false,
        stored: thread.stored,
      });
      if (isFailure(request)) return refuse(request);
      const evaluated = evaluate(context, request);
      if (isFailure(evaluated)) return refuse(evaluated);
      const verdict = evaluatedVerdict(evaluated);
      if (call.endpoint === 'count_tokens') {
        const count = countAnswer(evaluated);
        onVerdict(exchange, { ...verdict, status: 200, answer: count });
        return jsonReply(count, head);
      }
      answered = await answerRequest(context, evaluated, { label, repeat, stream: call.stream });
      if (isFailure(answered)) return refuse(answered, verdict);
      const fault = activeFault(answered.fault, repeat);
      if (fault?.kind === 'status') {
        const refusal = {
          ...failure(fault.status, fault.message ?? 'Simulated failure', fault.code),
          ...(fault.headers && { headers: fault.headers }),
        };
        answered = refusal;
        return refuse(refusal, { ...verdict, fault: 'status' });
      }
      const diagnosis = diagnostics.of(request);
      const message: Wire = { ...answered.message, ...(diagnosis !== undefined && { diagnostics: diagnosis }) };
      diagnostics.remember(String(message.id), request);
      const servedByFallback = answered.evaluated !== evaluated;
      if (call.body.thread != null && !servedByFallback) {
        context.threads.hold(String(message.id), account.id, thread, contentOf(message));
      }
      onVerdict(exchange, {
        ...answeredVerdict(answered.evaluated, message),
        ...(fault && { fault: fault.kind }),
      });
      return messageReply(call, context, head, { ...answered, message }, fault);
    } finally {
      context.threads.close(thread, answered !== undefined && !isFailure(answered));
    }
  }
}

interface CallSetting {
  readonly label: string;
  readonly repeat: number;
  readonly account: Account;
  readonly head: ReplyHead;
  readonly refuse: (refusal: ApiFailure, verdict?: Verdict) => Reply;
}

function messageReply(
  call: Call,
  context: ApiContext,
  head: ReplyHead,
  { message, midAnswer }: Answered,
  fault: Exclude<Fault, { kind: 'status' }> | undefined,
): Reply {
  const delivery = fault && { delivery: fault };
  if (!call.stream) return { ...jsonReply(message, head), ...delivery };
  const reported = message.input_transformations !== undefined;
  return {
    kind: 'stream',
    status: 200,
    headers: headersOf(head),
    framing: call.platform === 'bedrock' ? 'aws' : 'sse',
    events: messageEvents(message, {
      omittedDelta: context.conflicts.omittedDelta,
      countTokens: call.betas.has(BETAS.tokenCount),
      // On Bedrock the list stands on `message_start` only.
      repeatTransformations: reported && midAnswer !== undefined && call.platform !== 'bedrock',
      ...(midAnswer && { startModel: midAnswer.model }),
      ...(midAnswer && reported && { startTransformations: midAnswer.transformations.map((entry) => ({ ...entry })) }),
    }),
    ...delivery,
  };
}

function contentOf(message: Wire): readonly Wire[] {
  return Array.isArray(message.content) ? message.content : [];
}

function countAnswer({ request, view }: Evaluated): Wire {
  const managed = request.body.context_management != null;
  return {
    input_tokens: view.inputTokens,
    ...(managed && { context_management: { original_input_tokens: view.originalTokens } }),
  };
}
