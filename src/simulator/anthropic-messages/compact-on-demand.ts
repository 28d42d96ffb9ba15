import type { Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import type { Answered, AnswerPlace } from './answer.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { billInput, NO_INPUT } from './attempt.ts';
import { compactionBlock, defaultSummary } from './compaction.ts';
import type { ApiContext } from './context.ts';
import type { Evaluated } from './evaluate.ts';
import { scriptCall } from './script-call.ts';
import { inputWire, iteration } from './usage.ts';

/** `compaction: {type: "summarize"}`: the answer is one signed block and nothing is sampled after it. */
export async function compactOnDemand(
  context: ApiContext,
  evaluated: Evaluated,
  response: string,
  place: AnswerPlace,
): Promise<Answered | ApiFailure> {
  const { request, conversation, view } = evaluated;
  const { messages } = conversation;
  if (messages.every(({ blocks }) => blocks.every(({ type }) => type === 'compaction'))) {
    return invalid('compaction: there is nothing to summarize', 'compaction_nothing_to_summarize');
  }
  const answer = await context.script(scriptCall(evaluated, { ...place, seed: context.seed, attempt: 0 }));
  const summary = answer.summary ?? defaultSummary(conversation);
  const block = compactionBlock({ ...context, request, conversation, response, kind: 'on_demand', summary });
  const input = billInput(context, request, view.segments);
  const outputTokens = textTokens(summary);
  context.issued.remember([block], evaluated.configured.mode, 'compaction');
  const message: Wire = {
    id: response,
    type: 'message',
    role: 'assistant',
    model: request.modelAsSent,
    content: [block],
    stop_reason: 'compaction',
    stop_sequence: null,
    stop_details: null,
    usage: {
      ...inputWire(NO_INPUT),
      output_tokens: 0,
      output_tokens_details: { thinking_tokens: 0 },
      iterations: [iteration('compaction', undefined, input, outputTokens)],
      service_tier: 'standard',
    },
  };
  return { message, evaluated, ...(answer.fault && { fault: answer.fault }) };
}
