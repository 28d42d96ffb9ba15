import type { Answer } from '../../continuity/answer.ts';
import type { ModelSwitch } from '../../continuity/judgement.ts';
import type { SwitchDirection } from '../../continuity/vocabulary.ts';
import type { Draft } from './judge.ts';
import type { JudgeTables } from './judge-tables.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';
import { canRead } from './readers.ts';

/** The run went on, from the answer `newest`, with another model than the one that it was on. */
export function clientSwitch(
  newest: Answer | undefined,
  draft: Draft,
  facts: RequestFacts,
  tables: JudgeTables,
): ModelSwitch | undefined {
  if (newest === undefined || newest.request.requestModel === facts.requestModel) return undefined;
  const from = resolveModel(newest.request.requestModel, tables.models);
  const to = resolveModel(facts.requestModel, tables.models);
  if (from.id === to.id) return undefined;
  const lost =
    draft.rows.some(({ entry }) => entry?.kind === 'foreign' || entry?.kind === 'carried') ||
    draft.released.some(({ reason }) => reason === 'model_switch');
  const reading = canRead(from, to);
  const kept = from.vendor === to.vendor && reading.readable;
  return {
    direction: directionOf(from, to),
    from: newest.request.requestModel,
    to: facts.requestModel,
    survives: lost || !kept ? 'dropped' : reading.known ? 'kept' : 'unknown',
  };
}

/** Another model answered than was asked for: `gemini-3.5-flash`, for one, is served by 3.6. */
export function serverSwitch(facts: RequestFacts, response: Response, tables: JudgeTables): ModelSwitch | undefined {
  if (response.model === undefined) return undefined;
  const asked = resolveModel(facts.requestModel, tables.models);
  const served = resolveModel(response.model, tables.models);
  // An alias without a version says nothing that could be broken.
  if (!asked.exact || !served.exact || asked.id === served.id) return undefined;
  const reading = canRead(asked, served);
  const survives = !reading.readable ? 'dropped' : reading.known ? 'kept' : 'unknown';
  return { direction: directionOf(asked, served), from: facts.requestModel, to: response.model, survives };
}

/** The version decides first; inside one, the size class. */
function directionOf(from: ResolvedModel, to: ResolvedModel): SwitchDirection {
  if (from.vendor !== to.vendor) return 'cross_provider';
  if (from.row === undefined || to.row === undefined) return 'unknown';
  const step = to.row.generation - from.row.generation || to.row.tier - from.row.tier;
  if (step === 0) return 'lateral';
  return step > 0 ? 'upgrade' : 'downgrade';
}
