import type { BlockRow, Entry } from '../../continuity/summary.ts';
import type { CycleState, DropReason, FindingKind } from '../../continuity/vocabulary.ts';
import { type Draft, placeOf, type Request } from './context.ts';
import { type Refusal, SEALS_REFUSED } from './errors.ts';
import { keyOf } from './prefix.ts';
import { idKey } from './read-item.ts';
import type { Transformation } from './read-response.ts';
import { isRerouted } from './upstream.ts';

interface Meaning {
  readonly kind: FindingKind;
  readonly reason: DropReason;
}

/** Reasons of `input_transformations` (SDK typings, `openai` 7.56), in the words of a judgement. */
const REASONS: Readonly<Record<string, Meaning>> = {
  organization_mismatch: { kind: 'foreign', reason: 'organization_mismatch' },
  end_user_mismatch: { kind: 'foreign', reason: 'end_user_mismatch' },
  model_mismatch: { kind: 'foreign', reason: 'model_mismatch' },
  prefix_mismatch: { kind: 'prefix_broken', reason: 'prefix_mismatch' },
};

/** What only the provider can decide: its own list says which of these items it left out. */
function isProvidersWord(entry: Entry | undefined): boolean {
  return entry?.kind === 'prefix_broken' || (entry?.kind === 'foreign' && entry.source === 'server');
}

/** The provider's list, where it gives one, outranks what history suggests. Its absence says nothing. */
export function settleWithList(draft: Draft, request: Request, list: readonly Transformation[]): void {
  if (list.length === 0 && !draft.rows.some((row) => isProvidersWord(row.entry))) return;
  const removed = list.filter(({ action, type }) => action === 'removed' && type !== 'compaction');
  const named = new Set(removed.map(({ id }) => idKey(id)));
  const byId = new Map<number, BlockRow>();
  for (const row of draft.rows) {
    if (row.block.id !== undefined) byId.set(row.block.id, row);
    if (isProvidersWord(row.entry) && !(row.block.id !== undefined && named.has(row.block.id))) row.entry = undefined;
  }
  for (const { id, reason } of removed) {
    const meaning = REASONS[reason];
    // A turn that is over is no drop, and reasons that nobody knows yet are nobody's fault.
    if (meaning === undefined) continue;
    const key = idKey(id);
    const row = byId.get(key);
    if (row?.entry !== undefined && !isProvidersWord(row.entry)) continue;
    const at = request.items.findIndex((item) => item.id === key);
    const entry: Entry = {
      kind: meaning.kind,
      count: 1,
      source: 'server',
      reason: meaning.reason,
      path: row?.path() ?? placeOf(at, request),
      cycle: row?.cycle ?? 'closed',
      severity: 'loss',
      certainty: 'certain',
      ...(row === undefined ? {} : { answer: row.block.answer }),
    };
    if (row === undefined) draft.others.push(entry);
    else row.entry = entry;
  }
}

/** A request that went through: what would have been refused was readable after all. */
export function settleWithSuccess(draft: Draft): void {
  for (const row of draft.contested) if (row.entry?.kind === 'foreign') row.entry = undefined;
}

/** The answer names who gave it: behind a router the route may have changed, and with it who can read what. */
export function settleWithRoute(draft: Draft, request: Request, provider: string | undefined): void {
  // Claude's seals are good on every platform (platform.claude.com preserved-thinking).
  if (provider === undefined || request.facts.model.vendor === 'anthropic') return;
  for (const row of draft.rows) {
    const { block, cycle, path } = row;
    if (row.entry !== undefined || block.seal === undefined || !isRerouted(block.answer, provider)) continue;
    const isRead = cycle === 'open' || request.facts.reasoning.context === 'all_turns';
    const common = { count: 1, source: 'server', certainty: 'inferred', answer: block.answer } as const;
    row.entry = { kind: 'foreign', path: path(), cycle, severity: isRead ? 'loss' : 'note', ...common };
  }
}

/** A refusal confirms what was inferred, or names what nobody here could see. */
export function settleWithRefusal(draft: Draft, request: Request, refusal: Refusal): void {
  const { rows } = draft;
  const ids = new Set(refusal.ids.map(idKey));
  const named = rows.filter(({ block }) => block.id !== undefined && ids.has(block.id));
  const indexed = refusal.index === undefined ? [] : rows.filter((row) => row.path() === `input.${refusal.index}`);
  const cycle: CycleState = request.turns.open ? 'open' : 'closed';
  const blame = (row: BlockRow, kind: FindingKind, rest: Partial<Entry> = {}): void => {
    const { path, block } = row;
    const common = { count: 1, source: 'client', severity: 'loss', certainty: 'certain' } as const;
    row.entry = { kind, path: path(), cycle: row.cycle, answer: block.answer, ...common, ...rest };
  };
  const addPair = (kind: FindingKind): void => {
    if (draft.others.some((entry) => entry.kind === kind)) {
      draft.others.forEach((entry, i) => {
        if (entry.kind === kind) draft.others[i] = { ...entry, certainty: 'certain' };
      });
      return;
    }
    const at = request.items.findIndex((item) => item.id !== undefined && ids.has(item.id));
    const path = placeOf(at, request);
    draft.others.push({ kind, count: 1, source: 'client', path, cycle, severity: 'loss', certainty: 'certain' });
  };
  switch (refusal.rejection) {
    case 'follower_missing':
      addPair('orphaned');
      return;
    case 'reasoning_missing':
      addPair('orphaned');
      for (const row of named) if (row.entry?.kind === 'dropped') worsen(row);
      // Nothing was owed for it, until the request was refused for it.
      for (const gone of draft.released.filter(({ block }) => block.id !== undefined && ids.has(block.id))) {
        draft.released.splice(draft.released.indexOf(gone), 1);
        const row: BlockRow = { block: gone.block, cycle: 'closed', path: () => 'input', entry: undefined };
        blame(row, 'dropped', { reason: 'omitted_after_cycle' });
        rows.push(row);
      }
      return;
    case 'item_not_stored':
      for (const row of named) if (row.entry === undefined && !isSealedHere(row, request)) blame(row, 'unsealed');
      return;
    case SEALS_REFUSED:
      settleSeals(rows, named, request, refusal, blame);
      return;
    case 'previous_response_not_found':
    case 'zero_data_retention':
      for (const row of rows) {
        const held = request.history.held.includes(row.block.answer);
        const meant = row.block.answer === request.history.parent || row.cycle === 'open';
        const reason = row.cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
        if (held && meant && row.entry === undefined) blame(row, 'dropped', { reason });
      }
      return;
    case 'duplicate_item':
      if (refusal.ids.some((id) => id.startsWith('rs_'))) addPair('duplicated');
      return;
    case 'member_missing':
    case 'item_id_invalid':
    case 'reasoning_text_missing':
    case 'reasoning_item_empty':
      for (const row of indexed) if (row.entry === undefined || row.entry.severity === 'note') blame(row, 'edited');
      for (const row of rows) if (refusal.rejection === 'reasoning_text_missing') worsen(row);
      return;
    case 'model_does_not_reason':
      for (const row of rows) if (row.entry === undefined) blame(row, 'foreign');
      return;
  }
}

/**
 * A payload that could not be verified: an edit explains it; else what was made elsewhere (another model, account or
 * route); else, where nothing differs, everything that was sent: only then the account or the service has changed.
 */
function settleSeals(
  rows: readonly BlockRow[],
  named: readonly BlockRow[],
  request: Request,
  { organization, provider }: Refusal,
  blame: (row: BlockRow, kind: FindingKind, rest?: Partial<Entry>) => void,
): void {
  const sealed = rows.filter((row) => isSealedHere(row, request));
  const explained = sealed.filter(({ entry }) => entry?.kind === 'edited' || entry?.kind === 'foreign');
  for (const row of explained) {
    if (row.entry?.severity === 'loss') row.entry = { ...row.entry, certainty: 'certain' };
  }
  if (explained.some(({ entry }) => entry?.severity === 'loss')) return;
  const rerouted = sealed.filter(({ block }) => isRerouted(block.answer, provider));
  for (const row of rerouted) blame(row, 'foreign', { source: 'server' });
  if (rerouted.length > 0) return;
  const { facts } = request;
  const here = named.filter((row) => sealed.includes(row));
  const elsewhere = sealed.filter(({ block: { answer } }) => answer.request.model !== facts.model.id);
  const otherKey = sealed.filter(({ block: { answer } }) => isOtherKey(answer.request.key, facts.key));
  const inOrder = [here, ...(organization ? [otherKey, elsewhere] : [elsewhere, otherKey])];
  for (const row of inOrder.find((suspects) => suspects.length > 0) ?? sealed) blame(row, 'foreign');
}

/** Several keys can be of one account, so that another one is no reason to doubt before there is a refusal. */
const isOtherKey = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Its payload is among what was sent. */
function isSealedHere({ block }: BlockRow, { items }: Request): boolean {
  const key = keyOf(block);
  return items.some(
    (item) => item.kind === 'block' && item.seal !== undefined && (item.seal === key || item.id === block.id),
  );
}

/** What a request is refused for is a loss, whoever still reads that turn. */
function worsen(row: BlockRow): void {
  if (row.entry !== undefined) row.entry = { ...row.entry, severity: 'loss' };
}
