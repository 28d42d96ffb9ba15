import type { Judgement } from '../../continuity/judgement.ts';
import type { Dialect, DialectCall, RequestInput } from '../dialect.ts';
import { asObject } from '../json.ts';
import { type Carried, carriedIn, withCarried } from './carried.ts';
import { classifyRefusal } from './errors.ts';
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
      return converse(call, model, replayOf(model) === 'refused' ? carriedIn(body) : undefined);
    },
  };
}

function converse(call: DialectCall, model: string, carried: Carried | undefined): DialectCall {
  const translate = createEventTranslator(model);
  let refusal: string | undefined;
  const completed = (judgement: Judgement): Judgement => ({
    ...(carried === undefined ? judgement : withCarried(judgement, carried)),
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
