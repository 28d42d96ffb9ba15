import type { Span } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { holdEnd } from '../../src/observe/hold-end.ts';
import { tracerHarness } from '../emit/telemetry.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp() {
  const { tracer, ended } = tracerHarness();
  const span = tracer.startSpan('theirs');
  let writes = 0;
  const write = () => {
    writes += 1;
    span.setAttribute('written', writes);
  };
  return { span, ended, write, hasOwnEnd: () => Object.hasOwn(span, 'end') };
}

test('released first: writes once, is gone, and the owner ends as ever', () => {
  const { span, ended, write, hasOwnEnd } = setUp();
  const hold = holdEnd(span, write);
  hold.release();
  hold.release();
  expect(ended()).toEqual([]);
  expect(hasOwnEnd()).toBe(false);
  span.end();
  expect(ended()[0]?.attributes).toEqual({ written: 1 });
});

test('asked first: ends at the release, with the time that the owner gave', () => {
  const { span, ended, write, hasOwnEnd } = setUp();
  const hold = holdEnd(span, write);
  const time = Date.now() + 60_000;
  span.end(time);
  expect(ended()).toEqual([]);
  hold.release();
  expect(ended()[0]?.attributes).toEqual({ written: 1 });
  expect(ended()[0]?.endTime[0]).toBe(Math.floor(time / 1000));
  expect(hasOwnEnd()).toBe(false);
});

test('asked and never released: ends in the next turn, once', async () => {
  const { span, ended, write } = setUp();
  const hold = holdEnd(span, write);
  span.end();
  span.end();
  await nextTurn();
  hold.release();
  expect(ended()).toHaveLength(1);
  expect(ended()[0]?.attributes).toEqual({ written: 1 });
});

test('a wrapper that was there before comes back; one that came after stays and works', () => {
  const { span, ended, write } = setUp();
  const calls: string[] = [];
  const wrap = (name: string) => {
    const inner = span.end;
    span.end = function end(this: Span, ...args) {
      calls.push(name);
      inner.apply(this, args);
    };
    return span.end;
  };
  const before = wrap('before');
  const hold = holdEnd(span, write);
  const after = wrap('after');
  hold.release();
  expect(span.end).toBe(after);
  span.end();
  expect(calls).toEqual(['after', 'before']);
  expect(ended()).toHaveLength(1);

  const second = setUp();
  second.span.end = before;
  holdEnd(second.span, second.write).release();
  expect(second.span.end).toBe(before);
});

test('what fails to be written does not keep the span from ending', () => {
  const { span, ended } = setUp();
  const hold = holdEnd(span, () => {
    throw new Error('no');
  });
  span.end();
  hold.release();
  expect(ended()).toHaveLength(1);
});
