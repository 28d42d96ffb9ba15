import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLedger, type Ledger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';
import { assistant, type Block, call, type Message, res, th, tx, user } from '../dialects/anthropic-messages/blocks.ts';
import { reportOf } from '../dialects/anthropic-messages/check.ts';

/** What the ledger remembers, for how long, and that it forgets in bounds. Used as a dialect uses it. */

const MODEL = 'claude-opus-4-8';

function ask(ledger: Ledger, messages: readonly Message[], answer?: readonly Block[]) {
  const body = { model: MODEL, thinking: { type: 'adaptive' }, messages };
  const opened = dialects['anthropic.messages']?.open({ body }, ledger);
  if (opened === undefined) throw new Error('not read as a request');
  if (answer) opened.response({ model: MODEL, stop_reason: 'tool_use', content: answer });
  return opened.close(answer ? 'completed' : 'unread');
}

/** One conversation of one step, and the report of a next request that lost its block. */
const begin = (ledger: Ledger, name: string) => ask(ledger, [user(`Question ${name}`)], [th(name), call(`c-${name}`)]);
const losing = (ledger: Ledger, name: string) =>
  reportOf(ask(ledger, [user(`Question ${name}`), assistant(call(`c-${name}`)), user(res(`c-${name}`))]));

describe('bounded in number', () => {
  it('holds as many answers as allowed, forgets the oldest and counts what it forgot', () => {
    const ledger = createLedger({ maxEntries: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) begin(ledger, name);
    expect(ledger.size).toBe(3);
    expect(ledger.evicted).toBe(2);
  });

  it('what was forgotten is unknown, and the unknown is not judged', () => {
    const ledger = createLedger({ maxEntries: 2 });
    for (const name of ['a', 'b', 'c']) begin(ledger, name);
    expect(losing(ledger, 'a')).toEqual({});
    expect(losing(ledger, 'c')).toEqual({ dropped: 1 });
  });

  it('a conversation that goes on is not forgotten for younger ones that do not', () => {
    const ledger = createLedger({ maxEntries: 4 });
    begin(ledger, 'a');
    for (const name of ['b', 'c', 'd']) {
      begin(ledger, name);
      ask(ledger, [user('Question a'), assistant(th('a'), call('c-a')), user(res('c-a'))]);
    }
    begin(ledger, 'e');
    expect(losing(ledger, 'a')).toEqual({ dropped: 1 });
  });

  it('nothing is left behind of thousands of conversations', () => {
    const ledger = createLedger({ maxEntries: 10 });
    for (let index = 0; index < 3000; index += 1) begin(ledger, `n${index}`);
    expect(ledger.size).toBe(10);
    expect(ledger.evicted).toBe(2990);
    expect(losing(ledger, 'n17')).toEqual({});
    expect(losing(ledger, 'n2999')).toEqual({ dropped: 1 });
  });
});

describe('bounded in age', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('an answer that nothing has touched for long is unknown', () => {
    const ledger = createLedger({ maxAgeMs: 60_000 });
    begin(ledger, 'a');
    vi.advanceTimersByTime(59_000);
    begin(ledger, 'b');
    expect(losing(ledger, 'a')).toEqual({ dropped: 1 });
    vi.advanceTimersByTime(120_000);
    begin(ledger, 'c');
    expect(losing(ledger, 'b')).toEqual({});
    expect(losing(ledger, 'c')).toEqual({ dropped: 1 });
  });
});

describe('two ledgers', () => {
  it('know nothing of one another', () => {
    const [one, other] = [createLedger(), createLedger()];
    begin(one, 'a');
    expect(losing(other, 'a')).toEqual({});
    expect(losing(one, 'a')).toEqual({ dropped: 1 });
  });
});

describe('history changed in place', () => {
  it('is seen, though the objects are the same', () => {
    const ledger = createLedger();
    const block = { ...th('a') } as Record<string, unknown>;
    const messages = [user('Question a')] as Message[];
    ask(ledger, messages, [th('a'), call('c1')]);
    messages.push(assistant(block as unknown as Block, call('c1')), user(res('c1')));
    expect(reportOf(ask(ledger, messages))).toEqual({});
    block.thinking = 'Shorter.';
    expect(reportOf(ask(ledger, messages))).toEqual({ edited: 1 });
    block.thinking = th('a').thinking;
    expect(reportOf(ask(ledger, messages))).toEqual({});
    block.signature = undefined;
    expect(reportOf(ask(ledger, messages))).toEqual({ edited: 1 });
  });

  it('a block taken out of the same array', () => {
    const ledger = createLedger();
    const content = [th('a'), tx('A look first.'), call('c1')];
    const messages = [user('Question a'), { role: 'assistant', content }, user(res('c1'))];
    ask(ledger, [user('Question a')], content);
    expect(reportOf(ask(ledger, messages))).toEqual({});
    content.shift();
    expect(reportOf(ask(ledger, messages))).toEqual({ dropped: 1 });
  });
});
