import { describe, expect, test } from 'vitest';
import type { IssuedBlock } from '../../src/continuity/answer.ts';
import { plannedIn } from '../../src/continuity/planned.ts';
import type { BlockRow, Entry } from '../../src/continuity/summary.ts';

const entry = (more: Partial<Entry>): Entry => ({
  kind: 'dropped',
  count: 1,
  source: 'client',
  reason: 'omitted_in_cycle',
  path: 'messages.1',
  cycle: 'open',
  severity: 'loss',
  certainty: 'certain',
  ...more,
});
const block = {} as IssuedBlock;
const row = (of?: Entry): BlockRow => ({ block, cycle: 'open', path: () => 'messages.1', entry: of });

describe('the arm of an experiment that leaves reasoning out', () => {
  test('no arm: the very draft', () => {
    const draft = { rows: [row(entry({}))], others: [] };
    expect(plannedIn(undefined, draft)).toBe(draft);
  });

  test.each(['dropped', 'edited', 'fabricated', 'unsealed', 'converted_to_text'] as const)('%s is planned', (kind) => {
    const draft = { rows: [row(entry({ kind }))], others: [] };
    expect(plannedIn('stripped', draft).rows.map((one) => one.entry)).toEqual([
      entry({ severity: 'note', reason: 'experiment' }),
    ]);
    // The draft goes on to be settled by what the provider says.
    expect(draft.rows[0]?.entry).toEqual(entry({ kind }));
  });

  test('what a provider did is no plan, and what came back came back', () => {
    const rows = [row(entry({ source: 'server', reason: 'prefix_mismatch' })), row()];
    expect(plannedIn('stripped', { rows, others: [] }).rows).toEqual(rows);
  });

  test('thinking that was switched off with it is no finding; results that were split are', () => {
    const split = entry({ kind: 'split_results' });
    const others = [entry({ kind: 'mode_toggled' }), split];
    expect(plannedIn('stripped', { rows: [], others }).others).toEqual([split]);
  });
});
