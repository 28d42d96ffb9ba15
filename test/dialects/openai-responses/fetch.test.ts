import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { createOpenaiResponses } from '../../../src/dialects/openai-responses/index.ts';
import { reportOf } from './check.ts';
import { fc, type Item, out, rs, seal, user } from './items.ts';

/** A stored response that is fetched by its id may show its reasoning under another ciphertext. */

const dialect = createOpenaiResponses();
const ASKED = user('Which crates are late today?');
const responseOf = (item: Item) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5.2',
  status: 'completed',
  output: [item, fc('1')],
});

/** Judges a loop whose first answer was `issued`, then fetched as each of `fetched`, and came back as `sent`. */
function judge(issued: Item, fetched: readonly Item[], sent: Item, status = 'completed') {
  const ledger = createLedger();
  const body = { model: 'gpt-5.2', reasoning: { effort: 'medium' }, input: [ASKED] };
  const first = dialect.open({ body }, ledger);
  first?.response(responseOf(issued));
  first?.close('completed');
  for (const item of fetched) {
    const again = dialect.fetch?.('resp_1', ledger);
    again?.response({ ...responseOf(item), status });
    again?.close('completed');
  }
  expect(ledger.size).toBe(1);
  const second = dialect.open({ body: { ...body, input: [ASKED, sent, fc('1'), out('1')] } }, ledger);
  const judgement = second?.close('completed');
  return judgement && [judgement.verdict, reportOf(judgement)];
}

describe('fetched once more', () => {
  const other: Item = { ...rs('a'), encrypted_content: seal('a, as fetched') };
  const third: Item = { ...rs('a'), encrypted_content: seal('a, as fetched again') };
  const { encrypted_content: _, ...bare } = rs('a');

  it('its ciphertext is as good as the first', () => {
    expect(judge(rs('a'), [other], other)).toEqual(['clean', {}]);
    expect(judge(rs('a'), [other], rs('a'))).toEqual(['clean', {}]);
    expect(judge(rs('a'), [other, third], other)).toEqual(['clean', {}]);
    expect(judge(rs('a'), [other, third], third)).toEqual(['clean', {}]);
  });
  it('the same once more changes nothing', () => expect(judge(rs('a'), [rs('a')], rs('a'))).toEqual(['clean', {}]));
  it('without ciphertext changes nothing', () => expect(judge(rs('a'), [bare], rs('a'))).toEqual(['clean', {}]));
  it('where it arrived without any', () => expect(judge(bare, [other], other)).toEqual(['clean', {}]));
  it('a value that nobody gave is an edit', () => {
    expect(judge(rs('a'), [], other)).toEqual(['finding', { edited: 1 }]);
    expect(judge(rs('a'), [third], other)).toEqual(['finding', { edited: 1 }]);
  });
  it('before it was done is no final value', () => {
    expect(judge(rs('a'), [other], other, 'in_progress')).toEqual(['finding', { edited: 1 }]);
  });
  it('of another item it is no value of this one', () => {
    expect(judge(rs('a'), [{ ...other, id: 'rs_other' }], other)).toEqual(['finding', { edited: 1 }]);
  });
});
