import { describe, expect, it } from 'vitest';
import { type Block, call, thought } from './blocks.ts';
import { check, judge, reportOf } from './check.ts';
import { blocksOf, type Edit } from './edits.ts';
import { type Talk, talk } from './talk.ts';

/** Servers that write one and the same marker where a seal belongs, only so that clients send the block back. */

const MODEL = 'internlm-4';
const marked = (name: string): Block => ({ type: 'thinking', thinking: thought(name), signature: 'local-marker' });

const loop = (): Talk =>
  talk(MODEL)
    .user('Which crates are late today?')
    .answer(marked('a'), call('c1'))
    .results('c1')
    .answer(marked('b'), call('c2'))
    .results('c2');

/** The block that holds this thought, whose seal names nothing. */
const change =
  (name: string, to: (block: Block) => readonly Block[]): Edit =>
  (history) =>
    history.map((message) => ({
      ...message,
      content: blocksOf(message).flatMap((block) => (block.thinking === thought(name) ? to(block) : [block])),
    }));

describe('blocks under one marker', () => {
  it('come back each at its place', () => check(loop().send()));

  it('one of them left out', () => {
    check(
      loop()
        .send(change('a', () => []))
        .finds({ dropped: 1 }),
    );
    check(
      loop()
        .send(change('b', () => []))
        .finds({ dropped: 1 }),
    );
  });

  it('one of them with another text', () =>
    check(
      loop()
        .send(change('a', (block) => [{ ...block, thinking: `${thought('a').slice(0, 30)}…` }]))
        .finds({ edited: 1 }),
    ));

  it('one of them twice', () =>
    check(
      loop()
        .send(change('b', (block) => [block, block]))
        .finds({ duplicated: 1 }),
    ));

  it('of more conversations than are remembered by one seal stay apart', () => {
    const first = talk(MODEL);
    const others = Array.from({ length: 80 }, (_, n) => {
      const one = n === 0 ? first : first.fork({}, () => []);
      return one
        .user(`Which crates are late in hall ${n}?`)
        .answer(marked(`n${n}`), call(`c${n}`))
        .results(`c${n}`);
    });
    for (const one of others) one.send();
    others[0]?.send().send(change('n0', () => []));
    const reports = [...judge(first.steps).values()].map(reportOf);
    expect(reports.slice(0, -1).every((report) => Object.keys(report).length === 0)).toBe(true);
    expect(reports.at(-1)).toEqual({ dropped: 1 });
  });
});
