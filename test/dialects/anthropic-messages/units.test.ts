import { describe, it } from 'vitest';
import { call, om, red, seal, th, thought, tx } from './blocks.ts';
import { check } from './check.ts';
import { all, drop, message, put, set } from './edits.ts';
import { openLoop } from './loops.ts';
import { KEEPS_ALL } from './models.ts';
import { talk } from './talk.ts';

/** What one block is, and when a block is the same block. */

const oneOpen = () => talk(KEEPS_ALL).user('Which crates are late today?').answer(th('a'), call('c1')).results('c1');
const redactedOpen = () =>
  talk(KEEPS_ALL).user('Which crates are late today?').answer(red('r'), th('a'), call('c1')).results('c1');

describe('a unit is one thinking or redacted block', () => {
  it('nothing is said of a loop that echoes everything', () => check(openLoop(KEEPS_ALL).send()));

  it('each block counts for itself', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(th('a'), th('b'), red('r'), call('c1'))
        .results('c1')
        .send(drop('a', 'b', 'r'))
        .finds({ dropped: 3 }),
    ));

  it('a redacted block is a unit like any other', () => check(redactedOpen().send(drop('r')).finds({ dropped: 1 })));

  it('a block that arrived with empty text and a seal is a full unit: left out, it is dropped', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .send(drop('a'))
        .finds({ dropped: 1 }),
    ));

  it('visible text is no unit', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(th('a'), tx('Let me look at the map first.'), call('c1'))
        .results('c1')
        .send(drop('Let me look at the map first.')),
    ));

  it('an unknown block type is carried as it came', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(th('a'), { type: 'novel_block', payload: 'opaque' }, call('c1'))
        .results('c1')
        .send(),
    ));
});

describe('present without its seal or a mandatory member a unit is edited, gone it is dropped', () => {
  it.each([
    ['signature missing', set('a', { signature: undefined })],
    ['signature empty', set('a', { signature: '' })],
    ['signature null', set('a', { signature: null })],
    ['thinking missing', set('a', { thinking: undefined })],
  ])('%s', (_name, edit) => check(oneOpen().send(edit).finds({ edited: 1 })));

  it.each([
    ['data missing', set('r', { data: undefined })],
    ['data empty', set('r', { data: '' })],
  ])('redacted block, %s', (_name, edit) => check(redactedOpen().send(edit).finds({ edited: 1 })));

  it('empty text and empty seal in the place of a block', () =>
    check(
      oneOpen()
        .send(set('a', { thinking: '', signature: '' }))
        .finds({ edited: 1 }),
    ));

  it('a block whose text arrived omitted loses its thinking member', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .send(set('a', { thinking: undefined }))
        .finds({ edited: 1 }),
    ));

  it('a member renamed under the kept seal is a mandatory member gone', () =>
    check(
      oneOpen()
        .send(set('a', { thinking: undefined, reasoning: thought('a') }))
        .finds({ edited: 1 }),
    ));

  it('the seal under another member name is a seal gone', () =>
    check(
      oneOpen()
        .send(set('a', { signature: undefined, thought_signature: seal('a') }))
        .finds({ edited: 1 }),
    ));

  it('members that the provider does not know do not hurt', () =>
    check(
      oneOpen()
        .send(set('a', { cache_hint: null }))
        .send(),
    ));
});

describe('with a seal, the seal is the identity', () => {
  it.each([
    ['one word changed', (text: string) => text.replace('remark', 'aside')],
    ['cut', (text: string) => text.slice(0, 20)],
    ['emptied', () => ''],
    ['trimmed of its full stop', (text: string) => text.slice(0, -1)],
    ['marked up', (text: string) => `<thinking>${text}</thinking>`],
    ['padded', (text: string) => `${text}\n`],
    ['replaced by a word', () => 'redacted'],
  ])('other readable text under the same seal is edited: %s', (_name, change) =>
    check(
      oneOpen()
        .send(set('a', { thinking: change(thought('a')) }))
        .finds({ edited: 1 }),
    ),
  );

  it('text put into a block that arrived with its text omitted is clean', () =>
    check(
      talk(KEEPS_ALL)
        .user('Plan the route.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .send(set('a', { thinking: 'A note of our own.' })),
    ));

  const s = seal('a');
  it.each([
    ['cut at the end', s.slice(0, 100)],
    ['cut at the start', s.slice(60)],
    ['a fragment', s.slice(40, 120)],
    ['a few bytes changed', `${s.slice(0, 30)}AAAA${s.slice(34)}`],
    ['one character more', `${s}A`],
    ['padding lost', s.replace(/=+$/, '')],
    ['base64url', s.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
    ['hex', Buffer.from(s, 'base64').toString('hex')],
    ['encoded again', Buffer.from(s).toString('base64')],
    ['percent-encoded', encodeURIComponent(s)],
    ['plus signs turned into spaces', s.replaceAll('+', ' ')],
    ['broken into lines', s.replace(/(.{60})/g, '$1\n')],
    ['prefixed', `claude#${s}`],
  ])('a value derived from the issued seal is edited: %s', (_name, value) =>
    check(
      oneOpen()
        .send(set('a', { signature: value }))
        .finds({ edited: 1 }),
    ),
  );

  it('the same for the data of a redacted block', () =>
    check(
      redactedOpen()
        .send(set('r', { data: seal('r').slice(0, 90) }))
        .finds({ edited: 1 }),
    ));

  it('an unrelated value is fabricated, and the issued seal dropped', () =>
    check(
      oneOpen()
        .send(set('a', { signature: seal('invented') }))
        .finds({ fabricated: 1, dropped: 1 }),
    ));

  it('an unrelated value under new text likewise', () =>
    check(
      oneOpen()
        .send(put('a', () => th('invented')))
        .finds({ fabricated: 1, dropped: 1 }),
    ));

  it('an unrelated redacted value likewise', () =>
    check(
      redactedOpen()
        .send(put('r', () => red('invented')))
        .finds({ fabricated: 1, dropped: 1 }),
    ));

  it('the seal of another unit, which is still there too, is a copy, and the seal it replaced dropped', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(put('b', () => th('a')))
        .finds({ duplicated: 1, dropped: 1 }),
    ));

  it('two texts exchanged under their seals are two edits', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(all(set('a', { thinking: thought('b') }), set('b', { thinking: thought('a') })))
        .finds({ edited: 2 }),
    ));
});

describe('a unit sent in several elements is one edited', () => {
  it('text in one element, seal in the next', () =>
    check(
      oneOpen()
        .send(put('a', () => [{ type: 'thinking', thinking: thought('a') }, om('a')]))
        .finds({ edited: 1 }),
    ));

  it('three fragments, the last with the seal', () =>
    check(
      oneOpen()
        .send(
          put('a', () => [
            { type: 'thinking', thinking: thought('a').slice(0, 20) },
            { type: 'thinking', thinking: thought('a').slice(20, 40) },
            th('a', thought('a').slice(40)),
          ]),
        )
        .finds({ edited: 1 }),
    ));

  it('fragments that each have an empty seal, and one with the seal alone', () =>
    check(
      oneOpen()
        .send(
          put('a', () => [
            { type: 'thinking', thinking: thought('a').slice(0, 30), signature: '' },
            { type: 'thinking', thinking: thought('a').slice(30), signature: '' },
            om('a'),
          ]),
        )
        .finds({ edited: 1 }),
    ));

  it('the seal itself in two pieces', () =>
    check(
      oneOpen()
        .send(
          put('a', () => [
            { type: 'thinking', thinking: thought('a'), signature: seal('a').slice(0, 80) },
            { type: 'thinking', thinking: '', signature: seal('a').slice(80) },
          ]),
        )
        .finds({ edited: 1 }),
    ));
});

describe('units in history that were never seen issued are not judged', () => {
  it('a transcript that begins in the middle of a loop', () =>
    check(
      talk(KEEPS_ALL)
        .append(
          { role: 'user', content: 'Resume the nightly job.' },
          { role: 'assistant', content: [th('old'), call('c0')] },
        )
        .results('c0')
        .answer(th('a'), call('c1'))
        .results('c1')
        .send(),
    ));

  it('and what happens to them there', () =>
    check(
      talk(KEEPS_ALL)
        .append({ role: 'user', content: 'Resume the nightly job.' }, { role: 'assistant', content: [call('c0')] })
        .results('c0')
        .answer(th('a'), call('c1'))
        .results('c1')
        .send(),
    ));

  it('while what was seen issued after that is', () =>
    check(
      talk(KEEPS_ALL)
        .append(
          { role: 'user', content: 'Resume the nightly job.' },
          { role: 'assistant', content: [th('old'), call('c0')] },
        )
        .results('c0')
        .answer(th('a'), call('c1'))
        .results('c1')
        .send(drop('old', 'a'))
        .finds({ dropped: 1 }),
    ));
});

describe('an answer may hold content as a plain string', () => {
  it('a text-only answer sent back as a string is the same answer', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(tx('Hello to the whole warehouse.'))
        .user('Again.')
        .send(message(1, () => 'Hello to the whole warehouse.')),
    ));
});
