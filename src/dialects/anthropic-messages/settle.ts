import type { BlockRow, Entry } from '../../continuity/summary.ts';
import type { DropReason, FindingKind } from '../../continuity/vocabulary.ts';
import type { Refusal } from './errors.ts';
import type { Draft } from './judge.ts';
import type { Transformation } from './read-response.ts';

/** Reasons of `input_transformations`, in the words of a judgement. */
const REASONS: Readonly<Record<string, { readonly kind: FindingKind; readonly reason: DropReason }>> = {
  organization_binding_mismatch: { kind: 'foreign', reason: 'organization_mismatch' },
  end_user_binding_mismatch: { kind: 'foreign', reason: 'end_user_mismatch' },
  model_binding_mismatch: { kind: 'foreign', reason: 'model_mismatch' },
  prefix_binding_mismatch: { kind: 'prefix_broken', reason: 'prefix_mismatch' },
};

/** What only a provider can decide: its own list says which of these blocks it left out. */
function isProvidersWord(entry: Entry | undefined): boolean {
  return entry?.kind === 'prefix_broken' || (entry?.kind === 'foreign' && entry.source === 'server');
}

/** A new row in the place of the old one, which the requests of other steps may share. */
function mark(draft: Draft, at: number, entry: Entry | undefined): void {
  const row = draft.rows[at];
  if (row === undefined) return;
  draft.rows[at] = { ...row, entry };
  draft.settled = Math.min(draft.settled, at);
}

/** The provider's list, where it gives one, outranks what history suggests (preserved-thinking, input_transformations). */
export function settleWithList(draft: Draft, list: readonly Transformation[]): void {
  if (list.length === 0 && !draft.rows.some((row) => isProvidersWord(row.entry))) return;
  const byPath = new Map(draft.rows.map((row, at) => [row.path(), at]));
  const named = new Set(list.map((item) => item.path));
  for (const [at, row] of draft.rows.entries()) {
    if (isProvidersWord(row.entry) && !named.has(row.path())) mark(draft, at, undefined);
  }
  for (const item of list) {
    const meaning = REASONS[item.reason];
    const dropped = item.type === 'thinking_dropped';
    // Unknown types and reasons are to be ignored (SDK typings).
    if (meaning === undefined || (!dropped && item.type !== 'thinking_mismatch_allowed')) continue;
    const at = byPath.get(item.path);
    const row = at === undefined ? undefined : draft.rows[at];
    if (row?.entry !== undefined && !isProvidersWord(row.entry)) continue;
    const entry: Entry = {
      kind: meaning.kind,
      count: 1,
      source: dropped ? 'server' : 'client',
      ...(dropped ? { reason: meaning.reason } : {}),
      path: item.path,
      cycle: row?.cycle ?? 'closed',
      severity: 'loss',
      certainty: 'certain',
      ...(row === undefined ? {} : { answer: row.block.answer }),
    };
    if (at === undefined) draft.others.push(entry);
    else mark(draft, at, entry);
  }
}

const REFUSED_FOR: Readonly<Record<string, readonly FindingKind[]>> = {
  leading_thinking_missing: ['dropped', 'converted_to_text', 'reordered'],
  reasoning_missing: ['dropped', 'converted_to_text'],
  latest_message_edited: ['dropped', 'edited', 'reordered', 'misplaced'],
  block_empty: ['edited', 'unsigned_on_arrival'],
  member_missing: ['edited', 'unsigned_on_arrival'],
  signature_invalid: ['edited', 'foreign', 'unsigned_on_arrival'],
};

/** A refusal confirms what was inferred, or names what nobody here could see. */
export function settleWithRefusal(draft: Draft, refusal: Refusal): void {
  // What a request is refused for is a loss, whoever still reads that turn.
  const refused = REFUSED_FOR[refusal.rejection] ?? [];
  for (const [at, { entry }] of draft.rows.entries()) {
    if (entry?.severity === 'note' && refused.includes(entry.kind)) mark(draft, at, { ...entry, severity: 'loss' });
  }
  for (const [at, entry] of draft.others.entries()) {
    if (entry.severity === 'note' && refused.includes(entry.kind)) draft.others[at] = { ...entry, severity: 'loss' };
  }
  const at = refusal.path === undefined ? -1 : draft.rows.findIndex((one) => one.path() === refusal.path);
  const row = draft.rows[at];
  switch (refusal.rejection) {
    case 'prefix_mismatch': {
      const broken = draft.rows.flatMap(({ entry }, place) => (entry?.kind === 'prefix_broken' ? [place] : []));
      const [first] = broken;
      // It names one block; how many more fail is not told.
      if (first !== undefined) confirm(draft, broken.includes(at) ? at : first);
      else if (row !== undefined && row.entry === undefined) mark(draft, at, blame(row, 'prefix_broken'));
      break;
    }
    case 'signature_invalid':
      // The bytes are the ones that were issued: it is the target that cannot verify them.
      if (row !== undefined && (row.entry === undefined || row.entry.kind === 'prefix_broken')) {
        mark(draft, at, blame(row, 'foreign'));
      }
      break;
    case 'latest_message_edited':
      for (const [place, { entry }] of draft.rows.entries()) if (entry?.kind === 'edited') confirm(draft, place);
      break;
  }
}

function confirm(draft: Draft, at: number): void {
  const entry = draft.rows[at]?.entry;
  if (entry !== undefined) mark(draft, at, { ...entry, certainty: 'certain' });
}

function blame(row: BlockRow, kind: FindingKind): Entry {
  return {
    kind,
    count: 1,
    source: 'client',
    path: row.path(),
    cycle: row.cycle,
    severity: 'loss',
    certainty: 'certain',
    answer: row.block.answer,
  };
}
