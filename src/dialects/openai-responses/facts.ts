import type { CallFacts } from '../dialect.ts';
import { asNumber, asObject, asString } from '../json.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';

/** What the GenAI conventions want to know of a call. */
export function callFacts(
  facts: RequestFacts,
  response: Response | undefined,
  head: Readonly<Record<string, unknown>> | undefined,
): CallFacts {
  const { body } = facts;
  const ended = response?.incompleteReason ?? response?.status;
  const optional = {
    maxTokens: asNumber(body.max_output_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    reasoningLevel: facts.effortAsked,
    responseId: response?.id ?? asString(head?.id),
    responseModel: response?.model ?? asString(head?.model),
    finishReasons: ended === undefined ? undefined : [ended],
    usage: response?.usage,
    compacted:
      response?.compacted || response?.items.some(({ item }) => asObject(item)?.type === 'compaction') || undefined,
  };
  return {
    provider: facts.host.provider,
    operation: 'chat',
    requestModel: facts.requestModel,
    stream: facts.stream,
    ...Object.fromEntries(Object.entries(optional).filter(([, member]) => member !== undefined)),
  };
}
