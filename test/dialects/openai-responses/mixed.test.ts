import { describe, expect, it } from 'vitest';
import { call, res, user as says, th, tx } from '../anthropic-messages/blocks.ts';
import { judge, reportOf } from './check.ts';
import { fc, msg, out, rs, seal, user } from './items.ts';

/** One run that goes from one maker's API to another's and back. */

const CLAUDE = 'claude-opus-4-8';
const GPT = 'gpt-5.6';
const claude = (...messages: readonly object[]) => ({
  api: 'anthropic.messages',
  request: { model: CLAUDE, max_tokens: 8000, thinking: { type: 'adaptive' }, messages },
});
const claudeSays = (...content: readonly object[]) => ({
  api: 'anthropic.messages',
  response: { model: CLAUDE, stop_reason: 'tool_use', content },
});
const gpt = (...input: readonly object[]) => ({
  api: 'openai.responses',
  request: { model: GPT, store: false, reasoning: { effort: 'medium' }, input },
});
const gptSays = (...output: readonly object[]) => ({
  api: 'openai.responses',
  response: { id: 'resp_1', object: 'response', model: GPT, status: 'completed', output },
});

const asked = 'Which crates are late today?';
const thinking = [th('a'), call('c1')];
const translated = [user(asked), fc('1', { key: 'c1' }, { call_id: 'c1', id: undefined }), out('1')].map((item) =>
  'call_id' in item ? { ...item, call_id: 'c1' } : item,
);

describe('Claude, then GPT, then Claude', () => {
  const steps = [
    claude(says(asked)),
    claudeSays(...thinking),
    gpt(...translated),
    gptSays(rs('b'), fc('2')),
    claude(
      says(asked),
      { role: 'assistant', content: thinking },
      says(res('c1')),
      { role: 'assistant', content: [call('call_2', { key: '2' })] },
      says(res('call_2')),
    ),
    claudeSays(th('c'), tx('Two crates are late.')),
  ];
  const judged = judge(steps);

  it('loses nothing that could have been kept', () => {
    expect([...judged.values()].map(reportOf)).toEqual([{}, {}, {}]);
  });
  it('is one run', () => {
    expect(new Set([...judged.values()].map(({ runId }) => runId)).size).toBe(1);
  });
  it('says how it switched', () => {
    expect(judged.get(2)?.modelSwitch).toEqual({
      direction: 'cross_provider',
      from: CLAUDE,
      to: GPT,
      survives: 'dropped',
    });
    expect(judged.get(2)?.firstSeen.released).toEqual([{ reason: 'model_switch', source: 'client', count: 1 }]);
    expect(judged.get(4)?.modelSwitch).toMatchObject({ direction: 'cross_provider', from: GPT, to: CLAUDE });
  });
});

describe('another maker’s reasoning, presented as one’s own', () => {
  const wrapped = (item: object) => [user(asked), item, ...translated.slice(1)];
  const last = (...input: readonly object[]) =>
    reportOf([...judge([claude(says(asked)), claudeSays(...thinking), gpt(...input)]).values()][1] ?? fail());
  const fail = (): never => {
    throw new Error('not judged');
  };

  it('by its signature', () => {
    expect(last(...wrapped({ type: 'reasoning', summary: [], encrypted_content: seal('a') }))).toEqual({ foreign: 1 });
  });
  it('by its text', () => {
    const text = String(th('a').thinking);
    const item = { type: 'reasoning', summary: [{ type: 'summary_text', text }] };
    expect(last(...wrapped(item))).toEqual({ foreign: 1 });
  });
});

describe('padding where another maker reasoned, for one that refuses answers without any', () => {
  const model = 'deepseek-v4-pro';
  const padding = { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: ' ' }] };
  const padded = (text: string) => {
    const content = [{ type: 'reasoning_text', text }];
    const input = [user(asked), { ...padding, content }, ...translated.slice(1)];
    const request = { model, tools: [{ type: 'function', name: 'lookup' }], input };
    const judged = judge([
      claude(says(asked)),
      claudeSays(...thinking),
      gpt(user(asked)),
      gptSays(rs('a'), ...translated.slice(1, 2)),
      { api: 'openai.responses', request },
    ]);
    return [...judged.values()].at(-1);
  };

  it('is tolerated', () => {
    for (const text of [' ', '(none)']) {
      const judgement = padded(text);
      expect(judgement?.verdict).toBe('note');
      expect(judgement && reportOf(judgement)).toEqual({ fabricated: 1 });
    }
  });
  it('a long text is no padding', () => {
    expect(padded('It has been considered at length what is to be done. '.repeat(3))?.verdict).toBe('finding');
  });
});

it('the summary of GPT’s reasoning, presented as another maker’s own', () => {
  const text = 'The north depot has been late all week.';
  const summary = [{ type: 'summary_text', text }];
  const answer = { role: 'assistant', content: 'Two crates are late.', reasoning_content: text };
  const tools = [{ type: 'function', function: { name: 'lookup' } }];
  const messages = [user(asked), answer, user('And then?')];
  const judged = judge([
    gpt(user(asked)),
    gptSays(rs('a', { summary }), msg('Two crates are late.')),
    { api: 'openai.chat', request: { model: 'deepseek-v4-pro', tools, messages } },
  ]);
  expect([...judged.values()].map(reportOf)).toEqual([{}, { foreign: 1 }]);
});

describe('from Chat Completions to Responses of the same maker, in the middle of a cycle', () => {
  const model = 'deepseek-v4-pro';
  const tools = [{ type: 'function', name: 'lookup' }];
  const text = 'Look up the depot before the crates.';
  const called = { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"key":"c1"}' } };
  const message = { role: 'assistant', content: null, reasoning_content: text, tool_calls: [called] };
  const goesOn = (meta: object, ...carried: readonly object[]) => {
    const input = [user(asked), ...carried, ...translated.slice(1)];
    const judged = judge([
      { api: 'openai.chat', request: { model, messages: [user(asked)], tools: [{ type: 'function' }] } },
      { api: 'openai.chat', response: { model, choices: [{ finish_reason: 'tool_calls', message }] } },
      { api: 'openai.responses', request: { model, tools, input }, meta },
    ]);
    const last = [...judged.values()].at(-1);
    return last && reportOf(last);
  };
  const reasoning = (members: object) => ({ type: 'reasoning', summary: [], ...members });

  it('the text goes along', () => {
    expect(goesOn({}, reasoning({ content: [{ type: 'reasoning_text', text }] }))).toEqual({});
  });
  it('the text is changed on the way', () => {
    expect(goesOn({}, reasoning({ content: [{ type: 'reasoning_text', text: `${text} Go.` }] }))).toEqual({
      edited: 1,
    });
  });
  it('the text is left behind', () => {
    expect(goesOn({})).toEqual({ dropped: 1 });
  });
  it('at another host it is left out as at any switch', () => {
    expect(goesOn({ endpoint: 'openrouter.ai' })).toEqual({});
  });
});

it('a history that GPT has not seen is taken over', () => {
  const judged = judge([
    gpt(user(asked), fc('x'), out('x')),
    gptSays(rs('b'), msg('Two crates are late.')),
    claude(says(asked), { role: 'assistant', content: 'Two crates are late.' }, says('Thanks.')),
  ]);
  expect([...judged.values()].map(reportOf)).toEqual([{}, {}]);
});

describe('behind Claude’s answers another maker is asked', () => {
  const tools = [{ name: 'lookup', input_schema: { type: 'object' } }];
  const functions = [{ type: 'function', function: { name: 'lookup' } }];
  const withTools = (...messages: readonly object[]) => {
    const { api, request } = claude(...messages);
    return { api, request: { ...request, system: 'You track crates.', tools } };
  };
  const called = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"key":"c1"}' } }],
  };
  const chat = (request: object, ...messages: readonly object[]) => ({
    api: 'openai.chat',
    request: { model: 'glm-5.1', ...request, messages: [user(asked), called, ...messages] },
  });
  const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' };
  const lastOf = (...steps: readonly object[]) => {
    const judged = [...judge([withTools(says(asked)), claudeSays(...thinking), ...steps]).values()];
    return { first: judged[0], last: judged.at(-1) };
  };

  it('to go on: in the open cycle, with its tools', () => {
    const { first, last } = lastOf(chat({ tools: functions }, result));
    expect(last?.runId).toBe(first?.runId);
    expect(last?.modelSwitch).toMatchObject({ direction: 'cross_provider', survives: 'dropped' });
  });
  it('to go on once the cycle is over, with its tools', () => {
    const said = [result, { role: 'assistant', content: 'Two crates are late, as far as I can see.' }, user('Which?')];
    const closed = [
      withTools(says(asked), { role: 'assistant', content: thinking }, says(res('c1'))),
      claudeSays(th('b'), tx('Two crates are late, as far as I can see.')),
    ];
    const { first, last } = lastOf(...closed, chat({ tools: functions }, ...said));
    expect(last?.runId).toBe(first?.runId);
    expect(last?.modelSwitch).toMatchObject({ direction: 'cross_provider' });
  });
  it('over Gemini’s API, by the ids of the calls', () => {
    const gemini = (declared: object) => ({
      api: 'gemini.generateContent',
      request: {
        model: 'gemini-3-pro-preview',
        ...declared,
        contents: [
          { role: 'user', parts: [{ text: asked }] },
          { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'lookup', args: { key: 'c1' } } }] },
          { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'lookup', response: { late: 2 } } }] },
        ],
      },
    });
    const { first, last } = lastOf(gemini({ tools: [{ functionDeclarations: [{ name: 'lookup' }] }] }));
    expect(last?.runId).toBe(first?.runId);
    expect(last?.modelSwitch).toMatchObject({ direction: 'cross_provider', from: CLAUDE, survives: 'dropped' });
    const helper = lastOf(gemini({}));
    expect(helper.last?.runId).not.toBe(helper.first?.runId);
    expect(helper.last?.modelSwitch).toBeUndefined();
  });
  it('for a title, which takes no tools', () => {
    const { first, last } = lastOf(chat({}, result, user('A title of four words for this.')));
    expect(last?.runId).not.toBe(first?.runId);
    expect(last?.modelSwitch).toBeUndefined();
    expect(last && reportOf(last)).toEqual({});
  });
  it('and Claude again for a title, of another system text', () => {
    const { first, last } = lastOf(
      chat({ tools: functions }, result),
      { api: 'openai.chat', response: { choices: [{ finish_reason: 'stop', message: { content: 'Two are late.' } }] } },
      claude(
        says(asked),
        { role: 'assistant', content: [call('c1')] },
        says(res('c1')),
        { role: 'assistant', content: 'Two are late.' },
        says('A title of four words for this.'),
      ),
    );
    expect(last?.runId).not.toBe(first?.runId);
    expect(last && reportOf(last)).toEqual({});
  });
});
