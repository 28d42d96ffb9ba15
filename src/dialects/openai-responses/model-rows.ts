import * as v from 'valibot';
import { withoutUndefined } from '../optional.ts';
import { parseRow, type Report, reportUnlike, userRows } from '../user-rows.ts';
import type { JudgeTables } from './foreign.ts';
import { MODELS, type ModelRow, normaliseModel, resolveModel } from './models.ts';

/** One model that this release does not know, or knows otherwise. What it leaves out is taken from `like`. */
const rowSchema = v.strictObject({
  like: v.optional(v.pipe(v.string(), v.nonEmpty())),
  generation: v.optional(v.number()),
  tier: v.optional(v.number()),
  reasons: v.optional(v.boolean()),
  effort: v.optional(v.pipe(v.string(), v.nonEmpty())),
  always: v.optional(v.boolean()),
  context: v.optional(v.picklist(['current_turn', 'all_turns', 'with_tools'])),
  prefixCheck: v.optional(v.boolean()),
  openWeights: v.optional(v.boolean()),
  readers: v.optional(v.array(v.string())),
});

/**
 * Reads a user's rows: `{ "gpt-7": { "like": "gpt-6.2", "generation": 70, "readers": [] } }`.
 * @param report is told each row that cannot be used, in one line that names the row and the member.
 */
export function readModelRows(rows: unknown, report: Report): JudgeTables {
  const models: Record<string, ModelRow> = {};
  const readers: Record<string, readonly string[]> = {};
  for (const [id, row] of userRows(rows, 'model', report)) {
    const read = parseRow(rowSchema, id, row, report);
    if (read === undefined) continue;
    const { like, readers: own, ...members } = read;
    const base = baseOf(like ?? id);
    if (base === undefined) {
      reportUnlike(id, like, report);
      continue;
    }
    const model = normaliseModel(id);
    models[model] = { ...base, ...withoutUndefined(members) };
    if (own !== undefined) readers[model] = own.map(normaliseModel);
  }
  return { models, readers };
}

/** A family by its name, or a model of one. */
function baseOf(id: string): ModelRow | undefined {
  const { row, exact } = resolveModel(id);
  return MODELS[id] ?? (exact ? row : undefined);
}
