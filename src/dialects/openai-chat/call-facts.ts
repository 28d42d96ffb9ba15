import type { CallFacts } from '../dialect.ts';
import { asArray, asNumber, asString, type Json } from '../json.ts';
import { withoutUndefined } from '../optional.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';
import type { Rule } from './rules.ts';

/** What the GenAI conventions want to know. */
export function callFacts(
  facts: RequestFacts,
  rule: Rule,
  response: Response | undefined,
  head: Json | undefined,
): CallFacts {
  const { body } = facts;
  const reasons = response?.choices.flatMap(({ finishReason }) => finishReason ?? []) ?? [];
  const optional = {
    maxTokens: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    stopSequences: asArray(body.stop)?.length ?? (typeof body.stop === 'string' ? 1 : undefined),
    reasoningLevel: facts.thinking.effort,
    responseId: response?.id ?? asString(head?.id),
    responseModel: response?.model ?? asString(head?.model),
    finishReasons: reasons.length === 0 ? undefined : reasons,
    usage: response?.usage,
  };
  return {
    provider: facts.provider !== undefined && facts.provider !== 'openai' ? facts.provider : rule.profile.provider,
    operation: 'chat',
    requestModel: facts.requestModel,
    stream: facts.stream,
    ...withoutUndefined(optional),
  };
}
