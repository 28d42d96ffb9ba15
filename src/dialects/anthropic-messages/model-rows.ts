import * as v from 'valibot';
import { withoutUndefined } from '../optional.ts';
import { parseRow, type Report, reportUnlike, userRows } from '../user-rows.ts';
import type { JudgeTables } from './judge-tables.ts';
import { MODELS, type ModelRow, normaliseModel } from './models.ts';

const outcome = v.picklist(['on', 'off', 'refused']);

/** One model that this release does not know, or knows otherwise. What it leaves out is taken from `like`. */
const rowSchema = v.strictObject({
  like: v.optional(v.pipe(v.string(), v.nonEmpty())),
  generation: v.optional(v.number()),
  tier: v.optional(v.number()),
  omitted: v.optional(outcome),
  adaptive: v.optional(outcome),
  enabled: v.optional(outcome),
  betweenTools: v.optional(outcome),
  disabled: v.optional(outcome),
  display: v.optional(v.picklist(['full', 'summarized', 'omitted'])),
  keepsAll: v.optional(v.boolean()),
  prefixCheck: v.optional(v.boolean()),
  accountBound: v.optional(v.boolean()),
  interleaves: v.optional(v.boolean()),
  readers: v.optional(v.array(v.string())),
});

/**
 * Reads a user's rows: `{ "claude-opus-6": { "like": "claude-opus-5-5", "generation": 60, "readers": [] } }`.
 * @param report is told each row that cannot be used, in one line that names the row and the member.
 */
export function readModelRows(rows: unknown, report: Report): JudgeTables {
  const models: Record<string, ModelRow> = {};
  const readers: Record<string, readonly string[]> = {};
  for (const [id, row] of userRows(rows, 'model', report)) {
    const read = parseRow(rowSchema, id, row, report);
    if (read === undefined) continue;
    const { like, readers: own, ...members } = read;
    const model = normaliseModel(id);
    const base = MODELS[normaliseModel(like ?? id)];
    if (base === undefined) {
      reportUnlike(id, like, report);
      continue;
    }
    models[model] = { ...base, ...withoutUndefined(members) };
    if (own !== undefined) readers[model] = own.map(normaliseModel);
  }
  return { models, readers };
}
