import type { ModelSwitch } from '../../continuity/judgement.ts';
import type { Survival, SwitchDirection } from '../../continuity/vocabulary.ts';
import type { Draft, Request } from './context.ts';
import type { JudgeTables } from './foreign.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { Response } from './read-response.ts';

/** The run went on with another model than the one that it was on. */
export function clientSwitch(draft: Draft, { facts }: Request, tables: JudgeTables): ModelSwitch | undefined {
  const newest = draft.sideline ? undefined : draft.compared.at(-1)?.answer;
  if (newest === undefined || newest.request.model === facts.model.id) return undefined;
  const from = resolveModel(newest.request.requestModel, tables.models);
  // A deployment is named by its owner; the model behind it can be the same.
  if (newest.model === facts.model.id) return undefined;
  const to = facts.model;
  return {
    direction: directionOf(from, to),
    from: newest.request.requestModel,
    to: facts.requestModel,
    survives: survival(draft, from, to, tables),
  };
}

/** The provider answered with another model than the one asked for. */
export function serverSwitch({ facts }: Request, response: Response, tables: JudgeTables): ModelSwitch | undefined {
  if (response.model === undefined) return undefined;
  const to = resolveModel(response.model, tables.models);
  const { model } = facts;
  // An alias is answered with the name that it stands for.
  if (!to.exact || !model.exact || to.id.startsWith(model.id) || model.id.startsWith(to.id)) return undefined;
  const direction = directionOf(model, to);
  return { direction, from: facts.requestModel, to: response.model, survives: 'unknown' };
}

function survival(draft: Draft, from: ResolvedModel, to: ResolvedModel, tables: JudgeTables): Survival {
  const lost =
    draft.rows.some(({ entry }) => entry?.kind === 'foreign') ||
    draft.released.some(({ reason }) => reason === 'model_switch');
  if (lost || to.row?.reasons === false) return 'dropped';
  if (from.vendor !== to.vendor) {
    return draft.rows.some(({ block }) => block.answer.request.vendor === from.vendor) ? 'unknown' : 'dropped';
  }
  // No page says which model reads whose reasoning.
  return tables.readers[from.id]?.includes(to.id) ? 'kept' : 'unknown';
}

function directionOf(from: ResolvedModel, to: ResolvedModel): SwitchDirection {
  if (from.vendor !== to.vendor) return 'cross_provider';
  if (!from.row?.generation || !to.row?.generation) return 'unknown';
  const step = to.row.generation - from.row.generation || to.row.tier - from.row.tier;
  if (step === 0) return 'lateral';
  return step > 0 ? 'upgrade' : 'downgrade';
}
