import type { BlockRow, Entry } from './summary.ts';
import type { FindingKind } from './vocabulary.ts';

/** What leaving reasoning out comes to: it is gone, or what had to be put in its place is found there. */
const LEFT_OUT: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'dropped',
  'edited',
  'converted_to_text',
  'unsealed',
  'fabricated',
]);
/** What else has to be changed for the provider to take such a request. */
const BESIDE: ReadonlySet<FindingKind> = new Set<FindingKind>([...LEFT_OUT, 'mode_toggled']);

interface Judged {
  readonly rows: readonly BlockRow[];
  readonly others: readonly Entry[];
}

/**
 * A draft as it is judged in the arm of an experiment that leaves reasoning out: what the client did not send is missing by
 * plan, a note that counts as released. What a provider did stays what it is.
 *
 * @param arm absent: the draft itself
 */
export function plannedIn<D extends Judged>(arm: string | undefined, draft: D): D {
  if (arm === undefined) return draft;
  return {
    ...draft,
    rows: draft.rows.map((row) => (row.entry === undefined ? row : { ...row, entry: planned(row.entry) })),
    others: draft.others.filter(({ kind, source }) => source !== 'client' || !BESIDE.has(kind)),
  };
}

function planned(entry: Entry): Entry {
  if (entry.source !== 'client' || !LEFT_OUT.has(entry.kind)) return entry;
  return { ...entry, kind: 'dropped', severity: 'note', reason: 'experiment' };
}
