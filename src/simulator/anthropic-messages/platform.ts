import type { Exchange } from '../http/exchange.ts';
import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { betaSet } from './betas.ts';

export type Platform = 'claude' | 'bedrock' | 'vertex';

/** A request for an answer or a count, in one shape whichever platform's wire it came over. */
export interface Call {
  readonly platform: Platform;
  readonly endpoint: 'messages' | 'count_tokens';
  readonly model: unknown;
  readonly stream: boolean;
  /** The members as sent, without what only this platform's wire adds. */
  readonly body: Wire;
  readonly betas: ReadonlySet<string>;
}

const BEDROCK = /\/model\/(?<model>[^/]+)\/(?<verb>invoke|invoke-with-response-stream)$/;
const VERTEX =
  /\/projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/(?<model>[^/]+):(?<verb>rawPredict|streamRawPredict)$/;

/** Whether the path is one on which messages are asked for. */
export function isCallPath(path: string): boolean {
  return /\/v1\/messages(\/count_tokens)?$/.test(path) || BEDROCK.test(path) || VERTEX.test(path);
}

/** Undoes each platform's wrapping: where the model, the betas and the stream flag stand. */
export function readCall(exchange: Exchange): Call | ApiFailure {
  let parsed: unknown;
  try {
    parsed = JSON.parse(exchange.body);
  } catch {
    return invalid('The request body is not valid JSON');
  }
  if (!isWire(parsed)) return invalid('Input should be a valid dictionary');
  const headerBetas = betaSet(exchange.headers['anthropic-beta']);

  const bedrock = BEDROCK.exec(exchange.path)?.groups;
  if (bedrock) {
    const { anthropic_version, anthropic_beta, ...body } = parsed;
    if (anthropic_version === undefined) return invalid('anthropic_version: Field required');
    return {
      platform: 'bedrock',
      endpoint: 'messages',
      model: bedrock.model,
      stream: bedrock.verb === 'invoke-with-response-stream',
      body,
      betas: new Set(asList(anthropic_beta).map(String)),
    };
  }
  const vertex = VERTEX.exec(exchange.path)?.groups;
  if (vertex) {
    const { anthropic_version, ...body } = parsed;
    if (anthropic_version === undefined) return invalid('anthropic_version: Field required');
    const counts = vertex.model === 'count-tokens';
    return {
      platform: 'vertex',
      endpoint: counts ? 'count_tokens' : 'messages',
      model: counts ? body.model : vertex.model,
      stream: vertex.verb === 'streamRawPredict',
      body,
      betas: headerBetas,
    };
  }
  return {
    platform: 'claude',
    endpoint: exchange.path.endsWith('/count_tokens') ? 'count_tokens' : 'messages',
    model: parsed.model,
    stream: parsed.stream === true,
    body: parsed,
    betas: headerBetas,
  };
}
