import * as v from 'valibot';
import { withoutUndefined } from '../optional.ts';
import { parseRow, type Report, reportUnlike, userRows } from '../user-rows.ts';
import type { JudgeTables } from './judge-tables.ts';
import { MODELS, type ModelRow, normaliseModel } from './models.ts';

/** One model that this release does not know, or knows otherwise. What it leaves out is taken from `like`. */
const rowSchema = v.strictObject({
  like: v.optional(v.pipe(v.string(), v.nonEmpty())),
  generation: v.optional(v.number()),
  tier: v.optional(v.number()),
  thinks: v.optional(v.picklist(['minimal', 'low', 'medium', 'high', 'dynamic', 'off', 'unknown'])),
  budgetZero: v.optional(v.picklist(['off', 'refused', 'no', 'unknown'])),
  seals: v.optional(v.picklist(['strict', 'advisory', 'none', 'refused'])),
  readsEarlier: v.optional(v.boolean()),
});

/**
 * Reads a user's rows: `{ "gemini-5-pro": { "like": "gemini-3.8-flash", "generation": 50, "tier": 3 } }`.
 * @param report is told each row that cannot be used, in one line that names the row and the member.
 */
export function readModelRows(rows: unknown, report: Report): JudgeTables {
  const models: Record<string, ModelRow> = {};
  for (const [id, row] of userRows(rows, 'model', report)) {
    const read = parseRow(rowSchema, id, row, report);
    if (read === undefined) continue;
    const { like, ...members } = read;
    const base = MODELS[normaliseModel(like ?? id)];
    if (base === undefined) {
      reportUnlike(id, like, report);
      continue;
    }
    models[normaliseModel(id)] = { ...base, ...withoutUndefined(members) };
  }
  return { models };
}
