import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Certainty, DropReason, Source } from '../../continuity/vocabulary.ts';
import type { JudgeTables } from './judge-tables.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import { canRead } from './readers.ts';

export interface Foreign {
  readonly source: Source;
  readonly reason?: DropReason;
  readonly certainty: Certainty;
  readonly refused: boolean;
}

/** Why the target cannot read a block, or undefined where it can as far as anybody knows. */
export function foreignTo(
  block: IssuedBlock,
  answer: Answer,
  facts: RequestFacts,
  tables: JudgeTables,
): Foreign | undefined {
  const producer = resolveModel(block.model, tables.models);
  const target = facts.model;
  if (isOtherVendor(producer, target, answer, facts)) {
    return { source: 'client', certainty: 'certain', refused: true };
  }
  const accounts = answer.request.account !== undefined && facts.account !== undefined;
  // AWS ties the blocks of every model to the account or its group, which nobody can see from here.
  const bound = producer.row?.accountBound ? 'certain' : facts.platform === 'bedrock' ? 'inferred' : undefined;
  if (bound !== undefined && accounts && answer.request.account !== facts.account) {
    return { source: 'server', reason: 'organization_mismatch', certainty: bound, refused: false };
  }
  const reading = canRead(producer, target, facts.platform, tables.readers);
  if (reading.readable) return undefined;
  const certainty = reading.known ? 'certain' : 'inferred';
  return { source: 'server', reason: 'model_mismatch', certainty, refused: false };
}

/** Claude verifies seals; another maker's cannot pass. Between two makers nobody knows, the place has to differ too. */
function isOtherVendor(producer: ResolvedModel, target: ResolvedModel, answer: Answer, facts: RequestFacts): boolean {
  if (producer.vendor === target.vendor) {
    if (producer.vendor !== 'unknown' || producer.id === target.id) return false;
    return answer.request.endpoint !== facts.endpoint;
  }
  if (producer.vendor !== 'unknown' && target.vendor !== 'unknown') return true;
  if (target.vendor === 'anthropic') return true;
  // A name that says nothing (a deployment, a route): at the place where the block was made it may be any model. Ids of
  // Bedrock name their maker, but for ARNs.
  const named = facts.platform === 'bedrock' && !facts.requestModel.startsWith('arn:');
  return producer.vendor === 'anthropic' && (named || answer.request.endpoint !== facts.endpoint);
}
