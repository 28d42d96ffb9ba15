import { expect, test } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import type { CallFacts } from '../../src/dialects/dialect.ts';
import { createDialectCall } from '../../src/dialects/dialect-call.ts';
import { judgementOf } from '../emit/judgements.ts';

function setUp() {
  const log: string[] = [];
  const note = (what: string) => () => {
    log.push(what);
  };
  const call = createDialectCall({
    facts: () => ({}) as CallFacts,
    reader: { event: note('event'), whole: note('whole') },
    judge: (commit): Judgement => {
      log.push(commit ? 'judge and count' : 'judge');
      return judgementOf();
    },
    refuse: note('refuse'),
    settle: (end) => log.push(`settle ${end}`),
  });
  return { log, call };
}

test('a judgement stands until an error or the end', () => {
  const { log, call } = setUp();
  expect(call.judgement()).toBe(call.judgement());
  call.event({});
  call.response({});
  call.judgement();
  expect(log).toEqual(['judge', 'event', 'whole']);
  call.error({ status: 400 });
  call.judgement();
  expect(log.slice(3)).toEqual(['refuse', 'judge']);
});

test('the last judgement is made when all has been taken in, counted once, and stands', () => {
  const { log, call } = setUp();
  const last = call.close('completed');
  expect(log).toEqual(['settle completed', 'judge and count']);
  expect(call.judgement()).toBe(last);
  expect(log).toHaveLength(2);
});
