import * as v from 'valibot';
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
export function readModelRows(rows: unknown, report: (problem: string) => void): JudgeTables {
  const models: Record<string, ModelRow> = {};
  if (typeof rows !== 'object' || rows === null || Array.isArray(rows)) {
    report('expected an object with one row a model');
    return { models };
  }
  for (const [id, row] of Object.entries(rows)) {
    const read = v.safeParse(rowSchema, row);
    if (!read.success) {
      const [issue] = read.issues;
      const member = v.getDotPath(issue);
      report(`${id}${member === null ? '' : `.${member}`}: ${issue.message}`);
      continue;
    }
    const { like, ...members } = read.output;
    const base = MODELS[normaliseModel(like ?? id)];
    if (base === undefined) {
      const why = like === undefined ? 'is missing, and this release has no row for it' : `no model ${like}`;
      report(`${id}.like: ${why}`);
      continue;
    }
    models[normaliseModel(id)] = { ...base, ...withoutUndefined(members) };
  }
  return { models };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
