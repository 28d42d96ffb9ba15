import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { judge, lastOf } from './check.ts';
import { set, strip, without } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import {
  assistant,
  block,
  call,
  calls,
  details,
  encrypted,
  type Members,
  rc,
  reasoning,
  says,
  sealedText,
  signed,
  summary,
  text,
  user,
} from './messages.ts';
import { type Talk, talk } from './talk.ts';

/** What a judgement says beside its findings. */

const DEEPSEEK = 'deepseek-v4-pro';
const usage = (prompt: number, completion: number, reasoned: number, cached = 0) => ({
  usage: {
    prompt_tokens: prompt,
    completion_tokens: completion,
    completion_tokens_details: { reasoning_tokens: reasoned },
    prompt_tokens_details: { cached_tokens: cached },
  },
});

describe('counts', () => {
  it('one left out, one returned', () =>
    expect(lastOf(openLoop(DEEPSEEK, rc).send(set(1, without('reasoning_content'))))).toMatchObject({
      continuity: 'partial',
      blocks: { expected: 2, returned: 1, dropped: 1, damaged: 0, newlyDropped: 1 },
      firstSeen: { dropped: [{ reason: 'omitted_in_cycle', source: 'client', count: 1 }] },
    }));

  it('all of them', () => expect(lastOf(openLoop(DEEPSEEK, rc).send(strip)).continuity).toBe('stripped'));

  it('a placeholder in the place of one: what was there is dropped', () =>
    expect(lastOf(openLoop(DEEPSEEK, rc).send(set(1, { reasoning_content: ' ' }))).blocks).toMatchObject({
      expected: 2,
      returned: 1,
      dropped: 1,
    }));

  it('released as planned', () =>
    expect(lastOf(closedLoop('glm-5.2', rc).send(strip))).toMatchObject({
      continuity: 'not_applicable',
      blocks: { expected: 0, dropped: 0 },
      firstSeen: { dropped: [], released: [{ reason: 'turn_boundary', source: 'client', count: 2 }] },
    }));

  it('at a switch', () =>
    expect(lastOf(openLoop('kimi-k3', rc).with({ model: 'gpt-5.5' }).send(strip)).firstSeen.released).toEqual([
      { reason: 'model_switch', source: 'client', count: 2 },
    ]));

  it('each drop once in its life', () => {
    const client = openLoop(DEEPSEEK, rc).edit(strip).send().reply(rc('c'), calls('c3')).results('c3').send();
    const last = lastOf(client);
    expect(last.blocks).toMatchObject({ dropped: 2, newlyDropped: 0, returned: 1 });
    expect(last.firstSeen.dropped).toEqual([]);
  });

  it('where nothing is ever read nothing is owed', () =>
    expect(lastOf(openLoop('gpt-5.5', rc).send()).blocks).toMatchObject({ expected: 0, returned: 0 }));

  it.each([
    ['redacted_filtered', details(text('a'), encrypted('b', 1)), details(text('a'))],
    ['partial_run', details(text('a'), text('b', 1)), details(text('b', 1))],
    ['omitted_in_cycle', details(text('a'), text('b', 1)), without('reasoning_details')],
  ])('reason %s', (reason, issued, sent) =>
    expect(
      lastOf(talk('deepseek/deepseek-v4').user('Go.').answer(issued, calls('c1')).results('c1').send(set(1, sent)))
        .findings[0],
    ).toMatchObject({ kind: 'dropped', reason }),
  );

  it('reason seal_missing', () =>
    expect(
      lastOf(
        talk('gemini-3-flash')
          .user('Go.')
          .answer({ tool_calls: [signed('c1', 'a')] })
          .results('c1')
          .send(strip),
      ).findings[0],
    ).toMatchObject({ kind: 'dropped', reason: 'seal_missing', path: 'messages.1' }));

  it('where sources disagree the stricter one is judged, without certainty', () =>
    expect(lastOf(closedLoop(DEEPSEEK, rc).send(strip)).findings).toMatchObject([
      { kind: 'dropped', count: 1, certainty: 'certain', path: 'messages.1' },
      { kind: 'dropped', count: 1, certainty: 'inferred', path: 'messages.3' },
    ]));

  it('an unknown host: nothing is certain', () =>
    expect(lastOf(openLoop('house-7', rc, { endpoint: 'models.corp' }).send(strip)).findings).toMatchObject([
      { kind: 'dropped', certainty: 'inferred' },
    ]));
});

describe('whether reasoning was to be expected', () => {
  const answered = (model: string, config: Members, members: Members, fields: Members = {}): Talk =>
    talk(model, config).user('Go.').send().carrying(fields).reply(members);

  it.each([
    ['there', DEEPSEEK, {}, rc('a'), 'expected', 'pass'],
    ['missing', DEEPSEEK, {}, {}, 'expected', 'fail'],
    ['switched off', DEEPSEEK, { thinking: { type: 'disabled' } }, {}, 'not_expected', 'skip'],
    ['left to the model', 'MiniMax-M3', {}, {}, 'not_applicable', 'skip'],
    ['nobody knows', 'qwen3.6-plus', {}, {}, 'not_applicable', 'skip'],
    ['asked for', 'qwen3.6-plus', { enable_thinking: true }, {}, 'expected', 'fail'],
    ['of a model that never reasons', 'gpt-4.1', { reasoning_effort: 'high' }, {}, 'not_expected', 'skip'],
    ['not asked for, and there', 'qwen3.6-plus', {}, rc('a'), 'expected', 'pass'],
  ])('%s', (_what, model, config, members, expectation, assertion) =>
    expect(lastOf(answered(model, config, { content: 'Hi.', ...members }))).toMatchObject({ expectation, assertion }),
  );

  it('spent and not shown is there', () =>
    expect(lastOf(answered('gpt-5', {}, says('Hi.'), usage(10, 90, 80)))).toMatchObject({
      present: true,
      assertion: 'pass',
      visibility: 'omitted',
    }));

  it('not shown, and no tokens told: nobody knows', () =>
    expect(lastOf(answered('gpt-5', {}, says('Hi.'))).assertion).toBe('skip'));

  it('switched off inside a loop without a word', () =>
    expect(
      lastOf(
        openLoop('glm-5.2', rc)
          .send(undefined, { thinking: { type: 'disabled' } })
          .reply(says('Two.')),
      ),
    ).toMatchObject({
      expectation: 'expected',
      assertion: 'fail',
    }));

  it('inside a loop a step may go without', () =>
    expect(lastOf(openLoop(DEEPSEEK, rc).send().reply(says('Two.'))).assertion).toBe('skip'));

  it('a proxy that takes thinking out where blocks are missing', () => {
    const client = talk('claude-opus-4-8', { endpoint: 'litellm', reasoning_effort: 'high' })
      .user('Go.')
      .answer({ ...rc('a'), thinking_blocks: [block('a')] }, calls('c1'))
      .results('c1')
      .send(strip)
      .reply(says('Two.'));
    expect(lastOf(client)).toMatchObject({ assertion: 'fail', present: false });
  });

  it('a request that never came back says nothing', () =>
    expect(lastOf(talk(DEEPSEEK).user('Go.').send())).toMatchObject({ assertion: 'skip' }));

  it.each([
    ['full', rc('a')],
    ['summary', details(summary('a'), encrypted('b', 1))],
    ['encrypted', details(encrypted('a'))],
    ['full', details(sealedText('a'))],
  ])('visibility %s', (visibility, members) =>
    expect(lastOf(answered('openai/gpt-5.6', {}, { content: 'Hi.', ...members })).visibility).toBe(visibility),
  );
});

describe('the cycle', () => {
  it('opens, counts and closes', () => {
    const client = openLoop(DEEPSEEK, rc).answer(rc('c'), says('Two.'));
    const [first, second, third] = [...judge(client.steps).values()];
    expect(first?.cycle).toEqual({ state: 'closed', step: 1 });
    expect(second?.cycle).toEqual({ state: 'open', step: 2 });
    expect(third).toMatchObject({ cycle: { state: 'open', step: 3 }, closedCycle: { steps: 3, toolCalls: 2 } });
  });

  it('a user message closes it', () =>
    expect(lastOf(openLoop(DEEPSEEK, rc).user('Never mind.').send()).cycle).toEqual({ state: 'closed', step: 1 }));

  it('a system message does not', () =>
    expect(lastOf(openLoop(DEEPSEEK, rc).append({ role: 'developer', content: 'Be brief.' }).send()).cycle.state).toBe(
      'open',
    ));

  it('calls are counted, and told when they repeat', () => {
    const again = { tool_calls: [call('c9', { key: 'c1' })] };
    expect(lastOf(openLoop(DEEPSEEK, rc).send().reply(again)).toolCalls).toEqual([{ name: 'lookup', repeated: true }]);
  });

  it('steps of a run have one id, and know whose blocks they re-send', () => {
    const judged = [...judge(openLoop(DEEPSEEK, rc).send().steps).values()];
    expect(new Set(judged.map(({ runId }) => runId)).size).toBe(1);
  });
});

describe('tokens sent again', () => {
  it('five steps of 1,200 are 12,000', () => {
    const client = talk(DEEPSEEK).user('Go.');
    for (let i = 0; i < 5; i++) {
      const prompt = 100 + i * 1300;
      client
        .carrying(usage(prompt, 1300, 1200, i > 0 ? prompt - 100 : 0))
        .answer(rc(`r${i}`), calls(`c${i}`))
        .results(`c${i}`);
    }
    const tokens = [...judge(client.steps).values()].map((one) => one.tokens?.resent ?? 0);
    expect(tokens).toEqual([0, 1200, 2400, 3600, 4800]);
  });

  it('cached is what lies inside the cached beginning', () => {
    const client = talk(DEEPSEEK)
      .user('Go.')
      .carrying(usage(100, 1300, 1200))
      .answer(rc('a'), calls('c1'))
      .results('c1')
      .carrying(usage(1450, 50, 0, 600))
      .answer(says('Done.'));
    expect(lastOf(client).tokens).toEqual({
      resent: 1200,
      openCached: 500,
      openFresh: 700,
      closedCached: 0,
      closedFresh: 0,
    });
  });

  it('what was sent for nothing is taken as input all the same', () => {
    const client = talk('kimi-k2.6')
      .user('Go.')
      .carrying(usage(100, 1300, 1200))
      .answer(rc('a'), says('Done.'))
      .user('And?')
      .send()
      .carrying(usage(1450, 50, 0))
      .reply(says('No.'));
    expect(lastOf(client).tokens).toMatchObject({ resent: 1200, closedFresh: 1200 });
  });
});

describe('remarks', () => {
  const said = (client: Talk): unknown[] => [...judge(client.steps).values()].map(({ remarks }) => remarks);

  it('an endpoint without any carrier: once a run', () => {
    const client = talk('gpt-5').user('Go.');
    for (const id of ['c1', 'c2'])
      client
        .carrying(usage(100, 300, 200))
        .answer(calls(id))
        .results(id);
    expect(said(client)).toEqual([['structural_loss'], undefined]);
    expect(lastOf(client)).toMatchObject({ verdict: 'clean', findings: [] });
  });

  it('not without a loop', () =>
    expect(
      said(
        talk('gpt-5')
          .user('Go.')
          .carrying(usage(100, 300, 200))
          .answer(says('Hi.')),
      ),
    ).toEqual([undefined]));

  it('spent and not shown where it could have been', () => {
    const client = talk('anthropic/claude-opus-4.5', { reasoning: { enabled: true, exclude: true } }).user('Go.');
    expect(said(client.carrying(usage(100, 300, 200)).answer(says('Hi.')))).toEqual([['hidden_at_source']]);
  });

  it('the model stopped to reason, and nobody told it to', () => {
    const client = talk(DEEPSEEK)
      .user('Go.')
      .carrying(usage(100, 300, 200))
      .answer(rc('a'), calls('c1'))
      .results('c1');
    expect(said(client.carrying(usage(400, 30, 0)).answer(says('Hi.')))).toEqual([undefined, ['reasoning_stopped']]);
  });

  it('sent back whole and not counted, again and again', () => {
    const client = talk('kimi-k3').user('Go.');
    for (let i = 0; i < 5; i++)
      client
        .carrying(usage(100 + i * 60, 1300, 1250))
        .answer(rc(`r${i}`), calls(`c${i}`))
        .results(`c${i}`);
    expect(said(client)).toEqual([undefined, undefined, undefined, ['accepted_unread'], undefined]);
  });

  it('sent back and counted', () => {
    const client = talk('kimi-k3').user('Go.');
    for (let i = 0; i < 5; i++)
      client
        .carrying(usage(100 + i * 1400, 1300, 1250))
        .answer(rc(`r${i}`), calls(`c${i}`))
        .results(`c${i}`);
    expect(said(client)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});

describe('facts', () => {
  const dialect = dialects['openai.chat'];

  it.each([
    [{ messages: [] }, true],
    [{ model: 'x', messages: [null, 'x', {}, { role: 'assistant', tool_calls: [null, { function: 3 }] }] }, true],
    [{ model: 'x' }, false],
    [{ model: 'x', messages: 'hi' }, false],
    [null, false],
    [[], false],
  ])('reads %j: %s', (body, reads) => {
    const opened = dialect?.open({ body }, createLedger());
    expect(opened !== undefined).toBe(reads);
    expect(() => opened?.close('completed')).not.toThrow();
  });

  it('by the names of the conventions', () => {
    const body = {
      model: DEEPSEEK,
      messages: [user('Go.')],
      max_completion_tokens: 900,
      temperature: 0.2,
      stop: ['x', 'y'],
      reasoning_effort: 'high',
      stream: true,
    };
    const opened = dialect?.open({ body, endpoint: 'api.deepseek.com', provider: 'openai' }, createLedger());
    opened?.event({
      id: 'r1',
      model: 'deepseek-v4-pro-0711',
      choices: [{ index: 0, delta: assistant(reasoning('a')) }],
    });
    opened?.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...usage(10, 20, 15, 4) });
    opened?.close('completed');
    expect(opened?.facts()).toEqual({
      provider: 'deepseek',
      operation: 'chat',
      requestModel: DEEPSEEK,
      stream: true,
      maxTokens: 900,
      temperature: 0.2,
      stopSequences: 2,
      reasoningLevel: 'high',
      responseId: 'r1',
      responseModel: 'deepseek-v4-pro-0711',
      finishReasons: ['stop'],
      usage: { input: 10, output: 20, cacheRead: 4, reasoning: 15 },
    });
  });
});

describe('a recorded stream without its envelope', () => {
  const recorded = (response: Members, meta?: Members): Talk => {
    const client = talk('openrouter/auto', { endpoint: 'openrouter.ai' }).user('Go.').send();
    client.steps.push({ api: 'openai.chat', response, ...(meta ? { meta } : {}) });
    return client;
  };
  const stream = [
    { choices: [{ delta: { reasoning: 'First ' } }] },
    { choices: [{ delta: { reasoning: 'things first.' } }] },
  ];
  const choices = [{ finish_reason: 'length', message: assistant({ reasoning: 'First things first.' }) }];

  it('what stands beside it says the model and how it ended', () => {
    const client = recorded({ model: 'moonshotai/kimi-k3', stream, choices, ...usage(10, 20, 15) });
    expect(lastOf(client)).toMatchObject({ blocks: { issued: 1 }, tokens: { resent: 0 }, present: true });
    // The limit cut the reasoning: it need not come back.
    client
      .append(assistant(says('…')))
      .user('Go on.')
      .send();
    expect(lastOf(client)).toMatchObject({ verdict: 'clean', findings: [] });
  });

  it('an aborted one has no end', () =>
    expect(lastOf(recorded({ model: 'moonshotai/kimi-k3', stream, choices }, { aborted: true })).blocks.issued).toBe(
      1,
    ));
});
