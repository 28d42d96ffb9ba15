import { describe, it } from 'vitest';
import { assistant, type Block, call, th, thought, tx, user } from './blocks.ts';
import { check } from './check.ts';
import { all, drop, message, splice } from './edits.ts';
import { KEEPS_ALL } from './models.ts';
import { talk } from './talk.ts';

/** Histories rebuilt from what a screen or a store kept of them: texts, shortened in front or with something added. */

const QUESTION = 'How many crates are late?';
const SHORT = 'Two of them are.';
const counted = () =>
  talk(KEEPS_ALL)
    .user('What do we ship today?')
    .answer(th('a'), tx('Forty crates of bolts.'))
    .user(QUESTION)
    .answer(th('b'), tx(SHORT))
    .user('Which ones?');

describe('the text of an answer with something added to it', () => {
  it('is that answer, its reasoning lost', () =>
    check(
      counted()
        .send(
          all(
            drop('a', 'b'),
            message(1, () => [tx('[Used tools: none]\nForty crates of bolts.')]),
          ),
        )
        .finds({ dropped: 2 }),
    ));

  it('the addition is not the reasoning, until it is', () =>
    check(
      counted()
        .send(message(3, () => [tx(`[Thinking: 1 block]\n${SHORT}`)]))
        .finds({ dropped: 1 })
        .send(message(3, () => [tx(`[Thinking: ${thought('b')}]\n${SHORT}`)]))
        .finds({ converted_to_text: 1 }),
    ));

  it('another text in its place is another answer, which nobody here has seen', () =>
    check(counted().send(message(3, () => [tx('Nobody counted them.')]))));
});

describe('texts of two answers in one string', () => {
  it('are both answers, joined; the one whose seal is gone has lost its reasoning', () =>
    check(
      counted()
        .send(splice(1, 3, assistant(th('b'), tx(`Forty crates of bolts.\n\n${SHORT}`))))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('in the middle of a loop, the calls of the first one taken out with their results', () =>
    check(
      talk(KEEPS_ALL)
        .user('What do we ship today?')
        .answer(th('a'), tx('Let me look it up.'), call('c1'))
        .results('c1')
        .answer(th('b'), tx('And now the weights.'), call('c2'))
        .results('c2')
        .send(splice(1, 3, assistant(th('b'), tx('Let me look it up.\n\nAnd now the weights.'), call('c2'))))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('of one answer are that answer', () =>
    check(
      talk(KEEPS_ALL)
        .user('What do we ship today?')
        .answer(th('a'), tx('Forty crates of bolts.'), tx('And nothing else.'))
        .user(QUESTION)
        .send(message(1, ([first]) => [first as Block, tx('Forty crates of bolts. And nothing else.')])),
    ));
});

describe('a few words behind their own question', () => {
  it('are the answer, though the history before it is cut off', () =>
    check(
      counted()
        .send(all(splice(0, 2), drop('b')))
        .finds({ trimmed: 1, dropped: 1 }),
    ));

  it('behind another question they are anybody’s', () =>
    check(
      counted()
        .send()
        .fork({}, () => [user('Who of the drivers are ill?'), assistant(tx(SHORT)), user('Since when?')])
        .send(),
    ));

  it('two answers of the same few words are told by what stands before them, or not at all', () =>
    check(
      counted()
        .answer(th('c'), tx(SHORT))
        .user('Go on.')
        .send(() => [user('Say it again.'), assistant(tx(SHORT)), user('Once more.')]),
    ));
});
