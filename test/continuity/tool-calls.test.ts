import { expect, test } from 'vitest';
import { digest } from '../../src/continuity/digest.ts';
import { createLedger } from '../../src/continuity/ledger.ts';
import { noteToolCalls } from '../../src/continuity/tool-calls.ts';

const search = { name: 'search', key: digest('search for a') };
const other = { name: 'search', key: digest('search for b') };

test('a call repeats one with the same key, in the same answer or an earlier one of the run', () => {
  const ledger = createLedger();
  expect(noteToolCalls([search, other, search], ledger, 'run').map(({ repeated }) => repeated)).toEqual([
    false,
    false,
    true,
  ]);
  expect(noteToolCalls([other], ledger, 'run')).toEqual([{ name: 'search', repeated: true }]);
});

test('another run begins anew', () => {
  const ledger = createLedger();
  noteToolCalls([search], ledger, 'one');
  expect(noteToolCalls([search], ledger, 'two')).toEqual([{ name: 'search', repeated: false }]);
});
