import { describe, it } from 'vitest';
import { call, res, th, user } from './blocks.ts';
import { check } from './check.ts';
import { splice } from './edits.ts';
import { openLoop } from './loops.ts';
import { KEEPS_ALL } from './models.ts';
import { talk } from './talk.ts';

/** Answers that are gone while the results of their calls are still sent. */

const one = () => talk(KEEPS_ALL).user('Which crates are late today?').answer(th('a'), call('c1'), call('c2'));

describe('results without the answer that called for them', () => {
  it('the only answer', () => check(one().results('c1', 'c2').send(splice(1, 1)).finds({ dropped: 1 })));

  it('one of two', () => check(openLoop(KEEPS_ALL).send(splice(1, 1)).finds({ dropped: 1 })));

  it('with their results they are trimmed, and the one without is not', () =>
    check(
      openLoop(KEEPS_ALL)
        .answer(th('c'), call('c3'))
        .results('c3')
        .send(splice(1, 3))
        .finds({ dropped: 1, trimmed: 1 }),
    ));

  it('on a thread that the provider keeps nothing is missing', () =>
    check(
      one().send(() => [user(res('c1'), res('c2'))], {
        thread: { type: 'continue', previous_message_id: 'msg_1' },
      }),
    ));

  it('a call under an id that another conversation has too', () => {
    const own = talk(KEEPS_ALL)
      .user('Which crates are late today?')
      .answer(th('a'), call('lookup:0', { key: 1 }));
    const other = own.fork({}, () => [user('Who drives the van?')]);
    other
      .answer(th('x'), call('lookup:0', { key: 2 }))
      .results('lookup:0')
      .send();
    own.results('lookup:0').send(splice(1, 1)).finds({ dropped: 1 });
    check(own);
  });
});
