import * as v from 'valibot';
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
export function readModelRows(rows: unknown, report: (problem: string) => void): JudgeTables {
  const models: Record<string, ModelRow> = {};
  const readers: Record<string, readonly string[]> = {};
  if (typeof rows !== 'object' || rows === null || Array.isArray(rows)) {
    report('expected an object with one row a model');
    return { models, readers };
  }
  for (const [id, row] of Object.entries(rows)) {
    const read = v.safeParse(rowSchema, row);
    if (!read.success) {
      const [issue] = read.issues;
      const member = v.getDotPath(issue);
      report(`${id}${member === null ? '' : `.${member}`}: ${issue.message}`);
      continue;
    }
    const { like, readers: own, ...members } = read.output;
    const base = baseOf(like ?? id);
    if (base === undefined) {
      const why = like === undefined ? 'is missing, and this release has no row for it' : `no model ${like}`;
      report(`${id}.like: ${why}`);
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
