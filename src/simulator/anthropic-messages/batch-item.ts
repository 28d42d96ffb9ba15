import type { Exchange } from '../http/exchange.ts';
import type { Wire } from '../json.ts';
import { seeded } from '../seeded.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import type { Account } from './account.ts';
import { answerRequest } from './answer.ts';
import { type ApiFailure, isFailure } from './api-failure.ts';
import { betaSet } from './betas.ts';
import type { ApiContext } from './context.ts';
import { evaluate } from './evaluate.ts';
import type { Call } from './platform.ts';
import { readRequest } from './read-request.ts';
import { errorBody } from './replies.ts';
import { answeredVerdict } from './verdict.ts';

/** One request of a batch: its line in the results file, and the verdict on it. */
export async function answerBatchItem(
  context: ApiContext,
  exchange: Exchange,
  params: Wire,
  account: Account,
  label: string,
): Promise<{ readonly result: Wire; readonly verdict: Verdict }> {
  const refused = (failure: ApiFailure) => {
    const { status, type, message } = failure;
    const body = errorBody(failure, seeded(context.seed, `request ${label}`).id('req_011'));
    return { result: { type: 'errored', error: body }, verdict: { ...NO_VERDICT, status, error: { type, message } } };
  };
  const betas = betaSet(exchange.headers['anthropic-beta']);
  const call: Call = {
    platform: 'claude',
    endpoint: 'messages',
    model: params.model,
    stream: false,
    body: params,
    betas,
  };
  const request = readRequest(context, call, account, { batch: true, stored: [] });
  if (isFailure(request)) return refused(request);
  const evaluated = evaluate(context, request);
  if (isFailure(evaluated)) return refused(evaluated);
  const answered = await answerRequest(context, evaluated, { label, repeat: 0, stream: false });
  if (isFailure(answered)) return refused(answered);
  const { message } = answered;
  return { result: { type: 'succeeded', message }, verdict: answeredVerdict(answered.evaluated, message) };
}
