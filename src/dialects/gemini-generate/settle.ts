import { digest } from '../../continuity/digest.ts';
import type { BlockRow, Entry } from '../../continuity/summary.ts';
import type { DropReason, FindingKind, Source } from '../../continuity/vocabulary.ts';
import { MISSING_SIGNATURE, type Refusal, SIGNATURE_INVALID } from './errors.ts';
import type { Draft } from './judge.ts';
import type { Match } from './match.ts';
import { partsOf } from './slots.ts';

/** What the API calls a missing signature, in the words of a judgement: a batch cut in two looks the same to it. */
const EXPLAINS_MISSING: readonly FindingKind[] = [
  'dropped',
  'converted_to_text',
  'misplaced',
  'reordered',
  'split',
  'split_results',
  'merged',
  'unsigned_on_arrival',
];
const EXPLAINS_INVALID: readonly FindingKind[] = [
  'edited',
  'foreign',
  'fabricated',
  'misplaced',
  'duplicated',
  'merged',
];

/** A refusal confirms what was inferred, or names what nobody here could see. */
export function settleWithRefusal(draft: Draft, refusal: Refusal, match: Match): void {
  if (refusal.rejection === MISSING_SIGNATURE) {
    if (confirm(draft, EXPLAINS_MISSING)) return;
    // It was sent: a hop behind the client has taken it off.
    const row = missedBy(draft, refusal);
    if (row !== undefined) row.entry = blame(row, 'dropped', 'server', 'missing_signature');
    return;
  }
  if (refusal.rejection !== SIGNATURE_INVALID || confirm(draft, EXPLAINS_INVALID)) return;
  // Seals that were not seen here may be the bad ones.
  if (match.unknown.some(({ placeholder }) => !placeholder)) return;
  // The bytes are the ones that were issued: it is the target that cannot read them (another account, another host).
  for (const row of draft.rows) if (row.entry === undefined) row.entry = blame(row, 'foreign', 'client');
}

/** What a request is refused for is a loss, whoever still reads that turn. */
function confirm(draft: Draft, kinds: readonly FindingKind[]): boolean {
  const explains = (entry: Entry | undefined): entry is Entry => entry !== undefined && kinds.includes(entry.kind);
  const sure = (entry: Entry): Entry => ({ ...entry, severity: 'loss', certainty: 'certain' });
  const rows = draft.rows.filter((row) => explains(row.entry));
  // An open cycle is what the API checks; where it explains the refusal, finished turns do not.
  const open = rows.filter((row) => row.cycle === 'open');
  for (const row of open.length > 0 ? open : rows) if (row.entry !== undefined) row.entry = sure(row.entry);
  let found = rows.length > 0;
  for (const [i, entry] of draft.others.entries()) {
    if (!explains(entry)) continue;
    found = true;
    if (entry.severity === 'loss') draft.others[i] = sure(entry);
  }
  return found;
}

/** The signed call that the API did not find signed: the one it names, else the newest of the open cycle. */
function missedBy({ rows }: Draft, { call, position }: Refusal): BlockRow | undefined {
  const calls = rows.filter(({ block, entry, cycle }) => {
    return entry === undefined && cycle === 'open' && block.type === 'call';
  });
  const isNamed = ({ block }: BlockRow): boolean =>
    call === undefined || partsOf(block.answer).slotOf.get(block)?.call?.name === digest(call);
  const named = calls.filter(isNamed);
  return named.find((row) => row.path().startsWith(`contents.${(position ?? 0) - 1}.`)) ?? named.at(-1);
}

function blame(row: BlockRow, kind: FindingKind, source: Source, reason?: DropReason): Entry {
  return {
    kind,
    count: 1,
    source,
    ...(reason === undefined ? {} : { reason }),
    path: row.path(),
    cycle: row.cycle,
    severity: 'loss',
    certainty: 'certain',
    answer: row.block.answer,
  };
}
