import * as v from 'valibot';

/** Is told what cannot be used, in one line that names the row and the member. */
export type Report = (problem: string) => void;

/** The rows that a user adds to a table, by name; none where there is no object of them. */
export function userRows(
  rows: unknown,
  of: string,
  report: Report,
): readonly (readonly [name: string, row: unknown])[] {
  if (typeof rows === 'object' && rows !== null && !Array.isArray(rows)) return Object.entries(rows);
  report(`expected an object with one row a ${of}`);
  return [];
}

/** @returns undefined for a row that is not of the schema, which is reported. */
export function parseRow<S extends v.GenericSchema>(
  schema: S,
  name: string,
  row: unknown,
  report: Report,
): v.InferOutput<S> | undefined {
  const read = v.safeParse(schema, row);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const member = v.getDotPath(issue);
  report(`${name}${member === null ? '' : `.${member}`}: ${issue.message}`);
  return undefined;
}

/** For a row that leaves members out, and names no model to take them from. */
export function reportUnlike(name: string, like: string | undefined, report: Report): void {
  report(`${name}.like: ${like === undefined ? 'is missing, and this release has no row for it' : `no model ${like}`}`);
}
