import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { createOpenaiChat } from '../../../src/dialects/openai-chat/index.ts';
import { check, judge, lastOf } from './check.ts';
import { setAll, strip } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { block, call, calls, details, encrypted, rc, reasoning, says, sealedText, signed, text } from './messages.ts';
import { talk } from './talk.ts';

/** Producer and target do not match. */

const DEEPSEEK = 'deepseek-v4-pro';

describe('foreign: reasoning that the target cannot read, or that is not its own', () => {
  it("another maker's words under the target's own name", () =>
    check(
      openLoop('MiniMax-M2.5', reasoning, { endpoint: 'vendor-m' })
        .to({ endpoint: 'vendor-d' })
        .with({ model: DEEPSEEK })
        .send(setAll((message) => ({ reasoning: undefined, reasoning_content: message.reasoning })))
        .finds({ foreign: 2 }),
    ));

  it('under a name that the target does not read it is nothing', () =>
    check(
      openLoop('MiniMax-M2.5', reasoning, { endpoint: 'vendor-m' })
        .to({ endpoint: 'vendor-d' })
        .with({ model: DEEPSEEK })
        .send(),
    ));

  it('of finished turns, to a maker that does not read them', () =>
    check(closedLoop('deepseek-v4-flash', rc).with({ model: 'kimi-k2.6' }).send().notes({ foreign: 2 })));

  it('of finished turns, to one that does', () =>
    check(closedLoop('kimi-k3', rc).with({ model: DEEPSEEK }).send().finds({ foreign: 2 })));

  it("one maker's seals to another behind the same router", () =>
    check(
      openLoop('anthropic/claude-opus-4.5', (name) => details(sealedText(name)))
        .with({ model: 'openai/gpt-5.6' })
        .send()
        .finds({ foreign: 2 }),
    ));

  it('a router that chooses by itself: the label says whose it is', () =>
    check(
      openLoop('openrouter/auto', (name) => details(encrypted(name)), { endpoint: 'openrouter.ai' })
        .with({ model: 'anthropic/claude-opus-4.5' })
        .send()
        .finds({ foreign: 2 }),
    ));

  it('plain elements too', () =>
    check(
      openLoop('deepseek/deepseek-v4-pro', (name) => details(text(name, 0, { format: 'unknown' })))
        .with({ model: 'moonshotai/kimi-k3' })
        .send()
        .finds({ foreign: 2 }),
    ));

  it('removed at the switch', () =>
    check(
      openLoop('anthropic/claude-opus-4.5', (name) => details(sealedText(name)))
        .with({ model: 'openai/gpt-5.6' })
        .send(strip),
    ));

  it('another model of the same maker is taken for able to read', () =>
    check(
      openLoop('gemini-3-flash-preview', () => ({ call: signed('c1', 'x') }))
        .with({ model: 'gemini-3.1-pro-preview' })
        .send(),
    ));

  it('signatures with another key', () =>
    check(
      talk('gemini-3-flash-preview')
        .to({ auth_fingerprint: 'one' })
        .user('Go.')
        .answer({ tool_calls: [signed('c1', 'a')] })
        .results('c1')
        .to({ auth_fingerprint: 'other' })
        .send()
        .finds({ foreign: 1 })
        .fails(400, 'Corrupted thought signature.'),
    ));

  it('the request went through: they were readable', () =>
    check(
      talk('gemini-3-flash-preview')
        .to({ auth_fingerprint: 'one' })
        .user('Go.')
        .answer({ tool_calls: [signed('c1', 'a')] })
        .results('c1')
        .to({ auth_fingerprint: 'other' })
        .answer(says('Done.')),
    ));

  it('ciphertext on another route', () =>
    check(
      openLoop('gpt-5.6', (name) => details(encrypted(name)), { endpoint: 'east.litellm.corp' })
        .to({ endpoint: 'west.litellm.corp' })
        .send()
        .finds({ foreign: 2 }),
    ));

  it('readable text goes anywhere, with whichever key', () =>
    check(
      openLoop('kimi-k3', rc, { endpoint: 'api.moonshot.ai' })
        .to({ endpoint: 'api.moonshot.cn', auth_fingerprint: 'other' })
        .send(),
    ));
});

describe('the route behind a router', () => {
  const routed = (model: string, provider: string) =>
    talk(model, { endpoint: 'openrouter.ai' })
      .user('Go.')
      .carrying({ provider })
      .answer(details(encrypted('a', 0, 'google-gemini-v1')), calls('c1'))
      .results('c1')
      .send();

  it('another upstream answered: a seal may be unreadable there', () =>
    check(
      routed('google/gemini-3-flash', 'Google AI Studio')
        .finds({ foreign: 1 })
        .carrying({ provider: 'Google' })
        .reply(says('Done.')),
    ));

  it('through no fault of the client', () => {
    const client = routed('google/gemini-3-flash', 'Google AI Studio')
      .carrying({ provider: 'Google' })
      .reply(says('Done.'));
    expect(lastOf(client).findings).toMatchObject([{ kind: 'foreign', source: 'server', certainty: 'inferred' }]);
  });

  it('another upstream refused', () =>
    check(
      routed('google/gemini-3-flash', 'Google AI Studio')
        .finds({ foreign: 1 })
        .fails(400, '{"error":{"message":"Corrupted thought signature."}}', 'Google'),
    ));

  it('the same one', () =>
    check(routed('google/gemini-3-flash', 'Google').carrying({ provider: 'Google' }).reply(says('Done.'))));

  it("Claude's seals are good on every platform", () =>
    check(
      talk('anthropic/claude-opus-4.5')
        .user('Go.')
        .carrying({ provider: 'Anthropic' })
        .answer(details(sealedText('a')), calls('c1'))
        .results('c1')
        .send()
        .carrying({ provider: 'Amazon Bedrock' })
        .reply(says('Done.')),
    ));
});

describe('from another API', () => {
  const CLAUDE = {
    api: 'anthropic.messages',
    request: {
      model: 'claude-opus-4-5',
      messages: [{ role: 'user', content: 'Go.' }],
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
  };
  const ANSWER = {
    api: 'anthropic.messages',
    response: {
      model: 'claude-opus-4-5',
      stop_reason: 'tool_use',
      content: [block('a'), { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} }],
    },
  };
  const moved = (model: string, members: Record<string, unknown>, id = 'toolu_1') => {
    const client = talk(model, { reasoning: { enabled: true } });
    client.steps.push(CLAUDE, ANSWER);
    return client
      .user('Go.')
      .append({ role: 'assistant', content: null, tool_calls: [call(id, {})], ...members })
      .results(id)
      .send();
  };
  const reportOf = (client: ReturnType<typeof moved>) =>
    lastOf(client).findings.map(({ kind, count, severity }) => [kind, count, severity]);

  it('its words under the name of another maker', () =>
    expect(reportOf(moved(DEEPSEEK, rc('a')))).toEqual([['foreign', 1, 'loss']]));

  it('the same with the calls renamed', () =>
    expect(reportOf(moved(DEEPSEEK, rc('a'), 'call_other'))).toEqual([['foreign', 1, 'loss']]));

  it('removed', () => expect(reportOf(moved(DEEPSEEK, {}))).toEqual([]));

  it('padded', () =>
    expect(reportOf(moved(DEEPSEEK, { reasoning_content: ' ' }))).toEqual([['fabricated', 1, 'note']]));

  it("to a router, with its seal, for the maker's own model", () =>
    expect(reportOf(moved('anthropic/claude-opus-4.5', details(sealedText('a'))))).toEqual([]));

  it('the same for another one', () =>
    expect(reportOf(moved('google/gemini-3-flash', details(sealedText('a'))))).toEqual([['foreign', 1, 'loss']]));
});

describe('the model switch', () => {
  it.each([
    ['kimi-k2.6', 'kimi-k3', 'upgrade', 'kept'],
    [DEEPSEEK, 'deepseek-v4-flash', 'downgrade', 'kept'],
    ['claude-opus-4.5', 'claude-sonnet-4.5', 'downgrade', 'unknown'],
    ['qwen3.6-plus', 'qwen3.6-plus-latest', 'lateral', undefined],
    ['kimi-k3', DEEPSEEK, 'cross_provider', 'dropped'],
    ['house-7', 'house-8', 'unknown', 'unknown'],
  ])('%s to %s: %s, %s', (from, to, direction, survives) => {
    const form = from.startsWith('claude') ? (name: string) => details(sealedText(name)) : rc;
    const client = openLoop(from, form, { endpoint: 'gateway.corp' }).with({ model: to }).send();
    const { modelSwitch } = lastOf(client);
    if (survives === undefined) expect(modelSwitch).toBeUndefined();
    else expect(modelSwitch).toEqual({ direction, from, to, survives });
  });

  it('by the server', () => {
    const client = talk('anthropic/claude-opus-4.5').user('Go.').send();
    client.steps.push({
      api: 'openai.chat',
      response: { model: 'google/gemini-3-flash', choices: [{ message: { role: 'assistant', content: 'Hi.' } }] },
    });
    expect(lastOf(client).modelSwitch).toMatchObject({ direction: 'cross_provider', survives: 'dropped' });
  });

  it('a dated name is the same model', () => {
    const client = talk('gpt-5.5').user('Go.').send();
    client.steps.push({
      api: 'openai.chat',
      response: { model: 'gpt-5.5-2026-04-01', choices: [{ message: { role: 'assistant', content: 'Hi.' } }] },
    });
    expect(lastOf(client).modelSwitch).toBeUndefined();
  });

  it('there and back: what the first wrote is its own again', () => {
    const client = openLoop('kimi-k3', rc, { endpoint: 'api.moonshot.ai' });
    client
      .to({ endpoint: 'api.openai.com' })
      .with({ model: 'gpt-5.5' })
      .send(strip)
      .reply(says('Two.'))
      .user('Thanks.')
      .to({ endpoint: 'api.moonshot.ai' })
      .with({ model: 'kimi-k3' })
      .send();
    check(client);
    const [, last] = [...judge(client.steps).values()].slice(-2);
    expect(last).toMatchObject({ blocks: { expected: 2, returned: 2 }, modelSwitch: { direction: 'cross_provider' } });
  });
});

describe("a user's own rows", () => {
  const dialect = createOpenaiChat({
    hosts: { 'models.corp': 'kimi' },
    models: { 'house-7': { returns: 'all_turns', thinks: 'always' } },
  });
  const verdict = (endpoint: string, model: string): string => {
    const ledger = createLedger();
    const messages: unknown[] = [{ role: 'user', content: 'Go.' }];
    const first = dialect.open({ body: { model, messages }, endpoint }, ledger);
    first?.response({
      choices: [{ message: { role: 'assistant', content: 'Done it is.', ...rc('a') }, finish_reason: 'stop' }],
    });
    first?.close('completed');
    const more = [...messages, { role: 'assistant', content: 'Done it is.' }, { role: 'user', content: 'And?' }];
    return dialect.open({ body: { model, messages: more }, endpoint }, ledger)?.close('unread').verdict ?? 'unread';
  };

  it('a model that reads every turn', () => expect(verdict('models.corp', 'house-7')).toBe('finding'));
  it('any other one there', () => expect(verdict('models.corp', 'kimi-k2.6')).toBe('clean'));
  it('elsewhere', () => expect(verdict('other.corp', 'house-8')).toBe('clean'));
});
