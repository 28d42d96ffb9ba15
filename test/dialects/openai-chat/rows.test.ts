import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { createDialects } from '../../../src/dialects/create-dialects.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { readChatRows } from '../../../src/dialects/openai-chat/chat-rows.ts';

/** A user's own rows: models and hosts that this release does not know. */

const read = (rows: unknown) => {
  const problems: string[] = [];
  return { tables: readChatRows(rows, (problem) => problems.push(problem)), problems };
};

describe('rows of models and hosts', () => {
  it('like a known one, but for what is said', () =>
    expect(
      read({ 'Acme/Kimi-K4': { like: 'kimi-k2.6', returns: 'all_turns' }, 'models.corp': { profile: 'litellm' } }),
    ).toMatchObject({
      tables: {
        models: { 'kimi-k4': { returns: 'all_turns', thinks: 'on', vendor: 'moonshot' } },
        hosts: { 'models.corp': 'litellm' },
      },
      problems: [],
    }));

  it('from nothing', () =>
    expect(read({ 'house-7': { returns: 'all_turns' } })).toMatchObject({
      tables: { models: { 'house-7': { returns: 'all_turns' } } },
      problems: [],
    }));

  it.each([
    [[], /^expected an object/],
    [{ 'house-7': {} }, /^house-7\.like: is missing/],
    [{ 'house-7': { like: 'none-such' } }, /^house-7\.like: no model none-such/],
    [{ 'kimi-k3': { returns: 'never' } }, /^kimi-k3\.returns: /],
    [{ 'kimi-k3': { think: 'on' } }, /^kimi-k3\.think: /],
    [{ 'models.corp': { profile: 'acme' } }, /^models\.corp\.profile: /],
    [{ 'kimi-k3': 7 }, /^kimi-k3: /],
  ])('%j', (rows, problem) => {
    const { tables, problems } = read(rows);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(tables).toEqual({ models: {}, hosts: {} });
  });

  it('reach the dialect', () => {
    const problems: string[] = [];
    const made = createDialects({ 'openai.chat': { 'house-7': { like: 'kimi-k3' } } }, (problem) =>
      problems.push(problem),
    );
    const ledger = createLedger();
    const ask = { role: 'user', content: 'Which crates are late?' };
    const body = { model: 'house-7', messages: [ask] };
    const first = made['openai.chat']?.open({ body }, ledger);
    first?.response({
      choices: [{ message: { role: 'assistant', content: 'Two of them.', reasoning_content: 'Count them.' } }],
    });
    first?.close('completed');
    const messages = [ask, { role: 'assistant', content: 'Two of them.' }, ask];
    expect(made['openai.chat']?.open({ body: { ...body, messages } }, ledger)?.close('unread').verdict).toBe('finding');
    expect(problems).toEqual([]);
  });
});

describe('chunks that carry output', () => {
  const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });

  it.each([
    [chunk({ role: 'assistant', content: '' }), false],
    [chunk({ role: 'assistant', content: null }), false],
    [chunk({ reasoning_content: 'First' }), true],
    [chunk({ content: 'Hi' }), true],
    [chunk({ tool_calls: [{ index: 0 }] }), true],
    [{ choices: [], usage: {} }, false],
    [null, false],
  ])('%j: %s', (event, carries) => expect(dialects['openai.chat']?.isChunk?.(event)).toBe(carries));
});
