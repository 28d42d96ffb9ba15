import { describe, it } from 'vitest';
import { call, th, thought, tx } from './blocks.ts';
import { check } from './check.ts';
import { type Edit, message, put } from './edits.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** Blocks of one conversation in the history of another, as a cache of seals puts them there that both share. */

/** Another conversation of the same process, with its step `x` behind it; the one under test goes on in `own`. */
function neighbours(model: string): { readonly own: Talk; readonly other: Talk } {
  const own = talk(model).user('Which crates are late today?').answer(th('a'), call('c1')).results('c1');
  const other = own.fork({}, () => []);
  other.user('Water the plants.').answer(th('x'), call('c9')).results('c9');
  return { own, other };
}

const instead: Edit = put('a', () => th('x'));

describe('a block of another conversation', () => {
  it('in the place of the own one: that is lost, and the other one stands where it does not belong', () => {
    const { own, other } = neighbours(KEEPS_ALL);
    own.send(instead).finds({ dropped: 1, misplaced: 1 });
    other.send();
    own.answer(th('b'), call('c2')).results('c2').send();
    check(own);
  });

  it('counts again while it is sent, and breaks what was made behind the lost one where a model looks', () => {
    for (const model of [KEEPS_ALL, CHECKED]) {
      const { own } = neighbours(model);
      const behind = model === CHECKED ? { prefix_broken: 1 } : {};
      own.answer(th('b'), call('c2')).results('c2');
      own.send(instead).finds({ dropped: 1, misplaced: 1, ...behind });
      own.send(instead).finds({ dropped: 1, misplaced: 1, ...behind });
      check(own);
    }
  });

  it('whose seal alone was taken, under the own text', () => {
    const { own } = neighbours(KEEPS_ALL);
    own.send(put('a', () => th('x', thought('a')))).finds({ dropped: 1, misplaced: 1 });
    check(own);
  });

  it('beside the own one, once and twice', () => {
    const { own } = neighbours(KEEPS_ALL);
    own.send(put('a', (block) => [th('x'), block])).finds({ misplaced: 1 });
    own.send(put('a', (block) => [th('x'), block, th('x')])).finds({ misplaced: 1, duplicated: 1 });
    check(own);
  });

  it('in a user message', () => {
    const { own } = neighbours(KEEPS_ALL);
    own.send(message(2, (before) => [...before, th('x')])).finds({ misplaced: 1 });
    check(own);
  });

  it('in a finished turn that the model no longer reads', () => {
    const { own } = neighbours(LAST_TURN_ONLY);
    own.answer(tx('Two crates are late.')).user('Which of them are fragile?');
    own.send(instead).notes({ dropped: 1, misplaced: 1 });
    check(own);
  });

  it('of an answer that was thrown away for another try', () => {
    const own = talk(KEEPS_ALL).user('Which crates are late today?').send();
    own.receive({ model: KEEPS_ALL, stop_reason: 'tool_use', content: [th('x'), call('c8')] });
    own.answer(th('a'), call('c1')).results('c1');
    own.send(instead).finds({ dropped: 1, misplaced: 1 });
    check(own);
  });
});

describe('a block of the same conversation', () => {
  it('whole at its place and once more in a user message: a copy', () => {
    const own = talk(KEEPS_ALL).user('Which crates are late today?').answer(th('a'), call('c1')).results('c1');
    own.send(message(2, (before) => [...before, th('a')])).finds({ duplicated: 1 });
    check(own);
  });

  it('in the place of an earlier one: of its two copies the one at home is the block', () => {
    const own = talk(KEEPS_ALL).user('Which crates are late today?').answer(th('a'), call('c1')).results('c1');
    own.answer(th('b'), call('c2')).results('c2');
    own.send(put('a', () => th('b'))).finds({ dropped: 1, duplicated: 1 });
    check(own);
  });
});
