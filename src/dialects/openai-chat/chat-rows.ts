import * as v from 'valibot';
import { DUTIES, knownRow, type ModelRow, normaliseModel, THINKS } from './models.ts';
import { PROFILES } from './profiles.ts';
import type { ChatTables } from './tables.ts';

/** A host that behaves like one that this release knows. */
const hostRow = v.strictObject({ profile: v.picklist(PROFILES.map(({ name }) => name)) });

/** One model that this release does not know, or knows otherwise. What it leaves out is taken from `like`. */
const modelRow = v.strictObject({
  like: v.optional(v.pipe(v.string(), v.nonEmpty())),
  returns: v.optional(v.picklist(DUTIES)),
  thinks: v.optional(v.picklist(THINKS)),
  adaptive: v.optional(v.boolean()),
  seals: v.optional(v.picklist(['blocks', 'calls'])),
  prefixCheck: v.optional(v.boolean()),
  vendor: v.optional(v.pipe(v.string(), v.nonEmpty())),
});

/**
 * Reads a user's rows: of models, `{ "kimi-k4": { "like": "kimi-k3" } }`, and of hosts by a part of their name,
 * `{ "models.corp": { "profile": "litellm" } }`.
 * @param report is told each row that cannot be used, in one line that names the row and the member.
 */
export function readChatRows(rows: unknown, report: (problem: string) => void): ChatTables {
  const models: Record<string, ModelRow> = {};
  const hosts: Record<string, string> = {};
  if (typeof rows !== 'object' || rows === null || Array.isArray(rows)) {
    report('expected an object with one row a model or host');
    return { models, hosts };
  }
  const read = <S extends v.GenericSchema>(schema: S, name: string, row: unknown): v.InferOutput<S> | undefined => {
    const result = v.safeParse(schema, row);
    if (result.success) return result.output;
    const [issue] = result.issues;
    const member = v.getDotPath(issue);
    report(`${name}${member === null ? '' : `.${member}`}: ${issue.message}`);
    return undefined;
  };
  for (const [name, row] of Object.entries(rows)) {
    if (typeof row === 'object' && row !== null && 'profile' in row) {
      const host = read(hostRow, name, row);
      if (host !== undefined) hosts[name] = host.profile;
      continue;
    }
    const model = read(modelRow, name, row);
    if (model === undefined) continue;
    const { like, ...members } = model;
    const base = knownRow(like ?? name);
    if (base === undefined && (like !== undefined || members.returns === undefined)) {
      const why = like === undefined ? 'is missing, and this release has no row for it' : `no model ${like}`;
      report(`${name}.like: ${why}`);
      continue;
    }
    models[normaliseModel(name)] = { returns: 'optional_later', ...base, ...withoutUndefined(members) };
  }
  return { models, hosts };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
