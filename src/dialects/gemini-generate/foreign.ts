import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Certainty } from '../../continuity/vocabulary.ts';
import type { JudgeTables } from './judge-tables.ts';
import { resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import { canRead } from './readers.ts';

/** Why the target cannot read a seal: refused where it is sent all the same. Undefined where it can, as far as anybody knows. */
export function foreignTo(
  block: IssuedBlock,
  facts: RequestFacts,
  tables: JudgeTables,
): { readonly certainty: Certainty } | undefined {
  const { request } = block.answer;
  // Refusals are reported for another key, account or project (google-gemini/gemini-cli#13467).
  if (request.account !== undefined && facts.account !== undefined && request.account !== facts.account) {
    return { certainty: 'certain' };
  }
  if (request.route !== undefined && facts.route !== undefined && request.route !== facts.route) {
    return { certainty: 'inferred' };
  }
  // One alias, whatever it was routed to.
  if (request.requestModel === facts.requestModel) return undefined;
  const producer = resolveModel(block.model, tables.models);
  const target = facts.model;
  if (producer.vendor === target.vendor) {
    return canRead(producer, target).readable ? undefined : { certainty: 'inferred' };
  }
  // Of a maker that nobody knows only another place tells that it is another.
  const unknown = producer.vendor === 'unknown' || target.vendor === 'unknown';
  return unknown && request.endpoint === facts.endpoint ? undefined : { certainty: 'certain' };
}
