import { describe, it } from 'vitest';
import { call, res, th, tx, user } from './blocks.ts';
import { check } from './check.ts';
import { drop } from './edits.ts';
import { KEEPS_ALL } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** Conversations on one wire: matched by the ids and seals that they carry, never by arrival order. */

const QUESTION = 'Which crates are late today?';

/** Two clients whose steps alternate. */
function two(): readonly [Talk, Talk] {
  const first = talk(KEEPS_ALL).user(QUESTION);
  return [first, first.fork()];
}

describe('two runs with the same question and the same tool ids', () => {
  const alternate = (last: (left: Talk, right: Talk) => void): Talk => {
    const [left, right] = two();
    left.answer(th('l1'), call('call_1'));
    right.answer(th('r1'), call('call_1'));
    left.results('call_1').answer(th('l2'), call('call_2')).results('call_2');
    right.results('call_1').answer(th('r2'), call('call_2')).results('call_2');
    last(left, right);
    return left;
  };

  it('both faithful', () =>
    check(
      alternate((left, right) => {
        right.send();
        left.send();
      }),
    ));

  it('one loses a block', () =>
    check(
      alternate((left, right) => {
        left.send();
        right.send(drop('r1')).finds({ dropped: 1 });
      }),
    ));

  it('the other loses one', () =>
    check(
      alternate((left, right) => {
        left.send(drop('l2')).finds({ dropped: 1 });
        right.answer(tx('Two crates are late.')).user('Thanks.').send();
      }),
    ));
});

it('answers in the reverse order of the requests', () => {
  const [left, right] = two();
  left.send();
  right.send();
  const response = (name: string) => ({
    model: KEEPS_ALL,
    stop_reason: 'tool_use',
    content: [th(name), call(`c-${name}`)],
  });
  right.receive(response('r'), { answers: 1 }).append({ role: 'assistant', content: [th('r'), call('c-r')] });
  left.receive(response('l'), { answers: 0 }).append({ role: 'assistant', content: [th('l'), call('c-l')] });
  left.results('c-l').send();
  right.results('c-r').send(drop('r')).finds({ dropped: 1 });
  check(left);
});

it('a regenerated answer with the tool id of the one that was thrown away', () =>
  check(
    talk(KEEPS_ALL)
      .user(QUESTION)
      .send()
      .receive({ model: KEEPS_ALL, stop_reason: 'tool_use', content: [th('thrown away'), call('call_1')] })
      .answer(th('kept'), call('call_1'))
      .results('call_1')
      .send()
      .send(drop('kept'))
      .finds({ dropped: 1 }),
  ));

it('a sub-agent in the middle of a step', () => {
  const main = talk(KEEPS_ALL, { system: 'You lead.' })
    .user(QUESTION)
    .answer(th('a'), call('c1', { task: 'count' }));
  const sub = main.fork({ system: 'You count.' }, () => [user('count')]);
  sub.answer(th('s1'), call('c1')).results('c1').answer(th('s2'), tx('There are two.')).user('Sure?').send();
  check(main.append(user(res('c1', 'There are two.'))).send());
});

it('a fork without any block is clean', () => {
  const main = talk(KEEPS_ALL).user(QUESTION).answer(th('a'), call('c1')).results('c1');
  main
    .fork({}, (history) => history.slice(0, 1))
    .user('In one word.')
    .send();
  check(main.send());
});

it('a hundred other conversations in between', () => {
  const main = talk(KEEPS_ALL).user(QUESTION).answer(th('a'), call('c1')).results('c1');
  for (let index = 0; index < 100; index += 1) {
    main
      .fork({}, () => [user(`Question ${index} of another kind entirely?`)])
      .answer(th(`n${index}`), tx(`Answer ${index}.`));
  }
  check(main.send(drop('a')).finds({ dropped: 1 }));
});
