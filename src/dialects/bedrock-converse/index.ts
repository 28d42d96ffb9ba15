import type { Judgement } from '../../continuity/judgement.ts';
import type { Dialect, DialectCall, RequestInput } from '../dialect.ts';
import { asObject } from '../json.ts';
import { type Carried, carriedIn, withCarried } from './carried.ts';
import { classifyRefusal, REASONING_REFUSED } from './errors.ts';
import { replayOf } from './families.ts';
import { toRequest } from './to-request.ts';
import { createEventTranslator, toResponse } from './to-response.ts';

/**
 * The Converse API of Amazon Bedrock. It is a coat over each family's own API: for Claude the blocks, seals and rules are
 * those of the Messages API, in another shape and with the same places. So a request is put into that shape and judged
 * there; what Converse itself adds stands here.
 * @param messages the dialect of the Messages API.
 */
export function createBedrockConverse(messages: Dialect): Dialect {
  return {
    api: 'bedrock.converse',
    isChunk: (event) => asObject(event)?.contentBlockDelta !== undefined,
    open(request, ledger, producer) {
      const body = toRequest(request.body);
      if (body === undefined) return undefined;
      const model = String(body.model);
      const input: RequestInput = { provider: 'aws.bedrock', ...request, body };
      const call = messages.open(input, ledger, producer);
      if (call === undefined) return undefined;
      const replay = replayOf(model);
      const known = replay === 'claude' || replay === 'sealed';
      return converse(call, model, replay === 'refused', known ? undefined : carriedIn(body));
    },
  };
}

/**
 * @param refuses whether the family is known to refuse reasoning; of any other the answer to the request tells
 * @param carried reasoning in a request to a family that has no rules of its own
 */
function converse(call: DialectCall, model: string, refuses: boolean, carried: Carried | undefined): DialectCall {
  const translate = createEventTranslator(model);
  let refusal: string | undefined;
  const isRefused = (): boolean => refuses || refusal === REASONING_REFUSED;
  const completed = (judgement: Judgement): Judgement => ({
    ...(carried === undefined || !isRefused() ? judgement : withCarried(judgement, carried)),
    ...(refusal === undefined ? {} : { rejection: refusal }),
  });
  return {
    facts: call.facts,
    judgement: () => completed(call.judgement()),
    event(event) {
      for (const one of translate(event)) call.event(one);
    },
    response(value) {
      const message = toResponse(value, model);
      if (message !== undefined) call.response(message);
    },
    error(error) {
      refusal = classifyRefusal(error);
      call.error(error);
    },
    close: (end) => completed(call.close(end)),
  };
}
