import { describe, it } from 'vitest';
import { assistant, th, thought, tx, user } from './blocks.ts';
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
