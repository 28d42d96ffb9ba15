import type { ModelSwitch } from '../../continuity/judgement.ts';
import type { Survival, SwitchDirection } from '../../continuity/vocabulary.ts';
import type { Draft } from './judge.ts';
import type { JudgeTables } from './judge-tables.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';
import { canRead } from './readers.ts';

/** The run went on with another model than the one that it was on. */
export function clientSwitch(draft: Draft, facts: RequestFacts, tables: JudgeTables): ModelSwitch | undefined {
  const newest = draft.sideline ? undefined : draft.compared.at(-1)?.answer;
  if (newest === undefined || newest.request.model === facts.model.id) return undefined;
  const from = resolveModel(newest.request.model, tables.models);
  const foreign =
    draft.rows.some(({ entry }) => entry?.kind === 'foreign') ||
    draft.released.some(({ reason }) => reason === 'model_switch');
  const survives = foreign ? 'dropped' : survival(from, facts, tables, draft);
  return {
    direction: directionOf(from, facts.model),
    from: newest.request.requestModel,
    to: facts.requestModel,
    survives,
  };
}

/** The provider answered with another model (server-side fallback, sticky routing; build-with-claude/refusals-and-fallback). */
export function serverSwitch(facts: RequestFacts, response: Response, tables: JudgeTables): ModelSwitch | undefined {
  const marker = response.content.some(({ block }) => block.type === 'fallback');
  const served = markerTarget(response) ?? response.model;
  if (served === undefined) return undefined;
  const to = resolveModel(served, tables.models);
  const known = to.exact && facts.model.exact;
  if (to.id === facts.model.id || !(marker || response.iterations.includes('fallback_message') || known)) {
    return undefined;
  }
  const reading = canRead(facts.model, to, facts.platform, tables.readers);
  const survives = !reading.readable ? 'dropped' : reading.known ? 'kept' : 'unknown';
  return { direction: directionOf(facts.model, to), from: facts.requestModel, to: served, survives };
}

function markerTarget(response: Response): string | undefined {
  const marker = response.content.findLast(({ block }) => block.type === 'fallback')?.block;
  const to = marker?.to;
  if (typeof to !== 'object' || to === null || !('model' in to)) return undefined;
  return typeof to.model === 'string' ? to.model : undefined;
}

function survival(from: ResolvedModel, facts: RequestFacts, tables: JudgeTables, { rows }: Draft): Survival {
  if (from.vendor !== facts.model.vendor) {
    return rows.some(({ block }) => block.answer.request.vendor === from.vendor) ? 'unknown' : 'dropped';
  }
  const reading = canRead(from, facts.model, facts.platform, tables.readers);
  if (!reading.readable) return 'dropped';
  return reading.known ? 'kept' : 'unknown';
}

/** Newer generations read older ones, so the generation decides first; inside one, the size class. */
function directionOf(from: ResolvedModel, to: ResolvedModel): SwitchDirection {
  if (from.vendor !== to.vendor) return 'cross_provider';
  if (from.row === undefined || to.row === undefined) return 'unknown';
  const step = to.row.generation - from.row.generation || to.row.tier - from.row.tier;
  if (step === 0) return 'lateral';
  return step > 0 ? 'upgrade' : 'downgrade';
}
