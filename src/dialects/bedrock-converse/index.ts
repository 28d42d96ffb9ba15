import type { Finding, Judgement } from '../../continuity/judgement.ts';
import type { Dialect, DialectCall, RequestInput } from '../dialect.ts';
import { asArray, asObject, type Json } from '../json.ts';
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
      return converse(call, model, replayOf(model) === 'refused' ? refusedBlocks(body) : []);
    },
  };
}

function converse(call: DialectCall, model: string, refused: readonly Finding[]): DialectCall {
  const translate = createEventTranslator(model);
  return {
    facts: call.facts,
    judgement: () => withRefused(call.judgement(), refused),
    event(event) {
      for (const one of translate(event)) call.event(one);
    },
    response(value) {
      const message = toResponse(value, model);
      if (message !== undefined) call.response(message);
    },
    error: call.error,
    close: (end) => withRefused(call.close(end), refused),
  };
}

/** Families that hand out unsealed reasoning and refuse to take it back, in open cycles too. */
function refusedBlocks(body: Json): readonly Finding[] {
  const paths: string[] = [];
  asArray(body.messages)?.forEach((message, m) => {
    asArray(asObject(message)?.content)?.forEach((block, at) => {
      const type = asObject(block)?.type;
      if (type === 'thinking' || type === 'redacted_thinking') paths.push(`messages.${m}.content.${at}`);
    });
  });
  const [path] = paths;
  if (path === undefined) return [];
  return [
    {
      kind: 'carried',
      count: paths.length,
      source: 'client',
      path,
      cycle: 'closed',
      severity: 'loss',
      certainty: 'certain',
    },
  ];
}

function withRefused(judgement: Judgement, refused: readonly Finding[]): Judgement {
  if (refused.length === 0) return judgement;
  const others = judgement.findings.filter((finding) => finding.kind !== 'unsigned_on_arrival');
  return { ...judgement, findings: [...refused, ...others], verdict: 'finding' };
}
