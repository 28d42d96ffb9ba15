import * as v from 'valibot';
import { withoutUndefined } from '../optional.ts';
import { parseRow, type Report, reportUnlike, userRows } from '../user-rows.ts';
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
export function readChatRows(rows: unknown, report: Report): ChatTables {
  const models: Record<string, ModelRow> = {};
  const hosts: Record<string, string> = {};
  for (const [name, row] of userRows(rows, 'model or host', report)) {
    if (typeof row === 'object' && row !== null && 'profile' in row) {
      const host = parseRow(hostRow, name, row, report);
      if (host !== undefined) hosts[name] = host.profile;
      continue;
    }
    const model = parseRow(modelRow, name, row, report);
    if (model === undefined) continue;
    const { like, ...members } = model;
    const base = knownRow(like ?? name);
    if (base === undefined && (like !== undefined || members.returns === undefined)) {
      reportUnlike(name, like, report);
      continue;
    }
    models[normaliseModel(name)] = { returns: 'optional_later', ...base, ...withoutUndefined(members) };
  }
  return { models, hosts };
}
