import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Certainty, DropReason, Source } from '../../continuity/vocabulary.ts';
import { API } from './api.ts';
import type { ModelRow, ResolvedModel } from './models.ts';
import { resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';

export interface JudgeTables {
  readonly models: Readonly<Record<string, ModelRow>>;
  /** User rows: producer id → ids of models that read it. Nothing public says who reads whom, so there is no table here. */
  readonly readers: Readonly<Record<string, readonly string[]>>;
}

/** Why a target cannot read a block. */
export interface Foreign {
  readonly source: Source;
  readonly reason?: DropReason;
  readonly certainty: Certainty;
  /** The whole request is refused for it, whichever turn the block is of. */
  readonly refused: boolean;
  /** A request that goes through shows that it was readable after all. */
  readonly disproved: boolean;
}

type Target = Pick<RequestFacts, 'model' | 'host' | 'endpoint' | 'account' | 'leg' | 'user' | 'requestModel'>;

/**
 * Payloads are readable to their maker, on one route, in one organisation. Models up to GPT-6.1 refuse a request with
 * a payload that they cannot read (`invalid_encrypted_content`), later ones leave it out and list it
 * (guides/keep-prefix-unchanged, `input_transformations`). Undefined: readable, as far as anybody knows.
 */
export function foreignTo(block: IssuedBlock, facts: Target, tables: JudgeTables): Foreign | undefined {
  const { answer } = block;
  const { request } = answer;
  const producer = resolveModel(block.model, tables.models);
  const removes = facts.model.row?.prefixCheck === true;
  if (isOtherMaker(producer, facts.model)) return CLIENT;
  const readers = tables.readers[producer.id];
  if (readers !== undefined && producer.id !== facts.model.id && !readers.includes(facts.model.id)) {
    return removes ? removed('model_mismatch', 'certain') : CLIENT;
  }
  // The two sides of a gateway have addresses and accounts of their own.
  if (request.leg === facts.leg) {
    if (request.account !== undefined && facts.account !== undefined && request.account !== facts.account) {
      return removes ? removed('organization_mismatch', 'inferred') : { ...CLIENT, disproved: true };
    }
    if (request.route !== undefined && request.route !== facts.host.route) {
      const vague = `${request.route} ${facts.host.route}`.includes('other');
      return { ...CLIENT, certainty: vague ? 'inferred' : 'certain', disproved: true };
    }
  }
  if (facts.host.deployments && isOtherDeployment(answer, facts)) {
    return { ...CLIENT, certainty: 'inferred', disproved: true };
  }
  if (removes && request.user !== undefined && facts.user !== undefined && request.user !== facts.user) {
    return removed('end_user_mismatch', 'inferred');
  }
  return undefined;
}

const CLIENT: Foreign = { source: 'client', certainty: 'certain', refused: true, disproved: false };
const removed = (reason: DropReason, certainty: Certainty): Foreign => ({
  source: 'server',
  reason,
  certainty,
  refused: false,
  disproved: false,
});

/** The very target that it was made by. */
export function isHome({ answer: { request } }: IssuedBlock, facts: Target): boolean {
  const { account, route, requestModel } = request;
  return account === facts.account && route === facts.host.route && requestModel === facts.requestModel;
}

/**
 * Readable reasoning that another API of the same maker gave, at the same place: both have a member for it
 * (api-docs.deepseek.com thinking_mode).
 */
export function isPortable(block: IssuedBlock, facts: Target): boolean {
  const { request } = block.answer;
  if (request.api === API || block.seal !== undefined || block.text === undefined) return false;
  const { vendor } = resolveModel(block.model);
  return vendor !== 'unknown' && vendor === facts.model.vendor && request.endpoint === facts.endpoint;
}

export function isOtherMaker(producer: ResolvedModel, target: ResolvedModel): boolean {
  return producer.vendor !== target.vendor && producer.vendor !== 'unknown' && target.vendor !== 'unknown';
}

/** Reported on Azure (openai/codex#17541); the name asked for is that of the deployment. */
function isOtherDeployment({ request }: Answer, facts: Target): boolean {
  return request.requestModel !== facts.requestModel && request.model !== facts.model.id;
}
