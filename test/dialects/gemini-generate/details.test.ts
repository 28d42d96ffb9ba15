import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { createLedger } from '../../../src/continuity/ledger.ts';
import type { RequestInput } from '../../../src/dialects/dialect.ts';
import { createGeminiGenerate } from '../../../src/dialects/gemini-generate/index.ts';
import { readModelRows } from '../../../src/dialects/gemini-generate/model-rows.ts';
import { normaliseModel, resolveModel } from '../../../src/dialects/gemini-generate/models.ts';
import { check, judge, last } from './check.ts';
import { all, content, drop, set, splice, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { BYPASS, call, carrier, model, result, sc, seal, signed, thought, tx, user } from './parts.ts';
import { type Talk, talk } from './talk.ts';

describe('each silent failure has its reason and place', () => {
  const told = (name: string, edit: Parameters<Talk['send']>[0]) => last(openLoop(name).send(edit)).findings;
  it.each([
    [
      'a seal lost on its way through a type',
      unsign('a'),
      { kind: 'dropped', reason: 'seal_missing', path: 'contents.1' },
    ],
    ['a placeholder', set('a', { thoughtSignature: BYPASS }), { kind: 'dropped', reason: 'seal_missing' }],
    [
      'a cut seal',
      set('b', { thoughtSignature: seal('b').slice(0, 70) }),
      { kind: 'edited', path: 'contents.3.parts.0' },
    ],
    ['a whole step', splice(1, 1), { kind: 'dropped', reason: 'omitted_in_cycle', path: 'contents' }],
    ['a whole exchange', splice(1, 2), { kind: 'trimmed', reason: 'history_reset', severity: 'note' }],
  ])('%s', (_name, edit, wanted) =>
    expect(told(ADVISORY, edit)).toContainEqual(expect.objectContaining({ source: 'client', ...wanted })),
  );
  it('an empty carrier', () =>
    expect(last(closedLoop(KEEPS).send(drop('b'))).findings).toEqual([
      expect.objectContaining({ reason: 'empty_text_filtered', path: 'contents.3', cycle: 'closed' }),
    ]));
  it('an invention beside it', () =>
    expect(told(STRICT, set('a', { thoughtSignature: BYPASS }))).toContainEqual(
      expect.objectContaining({ kind: 'fabricated', path: 'contents.1.parts.0' }),
    ));
  it('thinking switched off, and the answer without any', () => {
    const off = { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
    const one = last(openLoop(ADVISORY).send(undefined, off).reply(tx('Done.')));
    expect(one).toMatchObject({ expectation: 'expected', present: false, assertion: 'fail', mode: 'off' });
  });
  it('a call of a strict model that came without any seal', () =>
    expect(last(talk(STRICT).user('Go on.').answer(call('a')))).toMatchObject({
      expectation: 'expected',
      present: false,
      assertion: 'fail',
    }));
  it('another model answers than was asked for', () =>
    expect(
      last(talk('gemini-3.5-flash').user('Go on.').carrying({ modelVersion: 'gemini-3.6-flash' }).answer(sc('a')))
        .modelSwitch,
    ).toEqual({ direction: 'upgrade', from: 'gemini-3.5-flash', to: 'gemini-3.6-flash', survives: 'unknown' }));
  it('a level lowered between two steps', () => {
    const level = (thinkingLevel: string) => ({ generationConfig: { thinkingConfig: { thinkingLevel } } });
    expect(last(openLoop(STRICT, level('HIGH')).send(undefined, level('LOW')))).toMatchObject({
      prefixChanged: 'config',
      mode: 'low',
    });
  });
});

describe('what changed in front', () => {
  it.each([
    ['none', {}, undefined],
    ['system', { systemInstruction: 'Be brief.' }, undefined],
    ['tools', { tools: [{ functionDeclarations: [{ name: 'fn_b' }] }] }, undefined],
    ['messages', {}, content(0, () => [tx('Which crates are early today?')])],
  ] as const)('%s', (changed, config, edit) =>
    expect(last(openLoop(STRICT).send(edit, config)).prefixChanged).toBe(changed),
  );
  it('a system text in its three forms is one', () => {
    for (const systemInstruction of [[tx('Be brief.')], { parts: [tx('Be brief.')] }, tx('Be brief.')]) {
      expect(
        last(openLoop(STRICT, { systemInstruction: 'Be brief.' }).send(undefined, { systemInstruction })).prefixChanged,
      ).toBe('none');
    }
  });
  it('a lost seal is no change', () => expect(last(openLoop(STRICT).send(stripAll)).prefixChanged).toBe('none'));
});

describe('blocks counted', () => {
  it('a loss is new once', () => {
    const one = openLoop(STRICT).edit(unsign('a')).send().finds({ dropped: 1 }).reply(sc('c')).results('c').send();
    const [, , first, second] = [...judge(one.steps).values()];
    expect(first?.blocks).toMatchObject({ expected: 2, returned: 1, dropped: 1, newlyDropped: 1, issued: 1 });
    expect(first?.firstSeen.dropped).toEqual([{ reason: 'seal_missing', source: 'client', count: 1 }]);
    expect(second?.blocks).toMatchObject({ expected: 3, returned: 2, dropped: 1, newlyDropped: 0 });
    expect(second?.firstSeen.dropped).toEqual([]);
  });
  it.each<[string, Talk, Judgement['continuity']]>([
    ['intact', openLoop(STRICT).send(), 'intact'],
    ['partial', openLoop(STRICT).send(unsign('a')), 'partial'],
    ['stripped', openLoop(STRICT).send(stripAll), 'stripped'],
    ['nothing owed', talk(STRICT).user('Go on.').send(), 'not_applicable'],
  ])('%s', (_name, one, continuity) => expect(last(one).continuity).toBe(continuity));
  it('planned losses are released, not dropped', () => {
    const one = last(openLoop('gemini-2.5-pro').send(stripAll, { model: STRICT }));
    expect(one.blocks).toMatchObject({ expected: 0, dropped: 0 });
    expect(one.firstSeen.released).toEqual([{ reason: 'model_switch', source: 'client', count: 2 }]);
  });
  it('a loss that is only a note is released too', () => {
    const one = last(closedLoop(STRICT).send(stripAll));
    expect(one.blocks).toMatchObject({ expected: 0, dropped: 0 });
    expect(one.firstSeen.released.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });
});

describe('thinking expected and present', () => {
  const usage = (thoughtsTokenCount?: number) => ({ usageMetadata: { promptTokenCount: 9, thoughtsTokenCount } });
  it.each([
    ['a seal', sc('a'), {}],
    ['a summary', thought('First the harbour.'), {}],
    ['counted thoughts', tx('Done.'), usage(12)],
  ])('present by %s', (_what, part, fields) =>
    expect(last(talk(KEEPS).user('Go on.').carrying(fields).answer(part))).toMatchObject({
      present: true,
      assertion: 'pass',
    }),
  );
  it('a model that decided not to think is no failure', () =>
    expect(last(talk(KEEPS).user('Go on.').carrying(usage()).answer(tx('Done.')))).toMatchObject({
      present: false,
      expectation: 'not_applicable',
      assertion: 'skip',
    }));
  it('thoughts that ate the whole budget were there', () =>
    expect(last(talk(KEEPS).user('Go on.').send().ending('MAX_TOKENS').carrying(usage(500)).receive())).toMatchObject({
      present: true,
      assertion: 'pass',
    }));
  it.each([
    [ADVISORY, { thinkingConfig: { thinkingBudget: 0 } }, 'off', 'not_expected'],
    [ADVISORY, { thinkingConfig: { thinkingBudget: -1 } }, 'dynamic', 'not_applicable'],
    [ADVISORY, { thinkingConfig: { thinkingBudget: 512 } }, 'budget', 'not_applicable'],
    [ADVISORY, {}, 'dynamic', 'not_applicable'],
    ['gemini-2.5-flash-lite', {}, 'off', 'not_expected'],
    ['gemini-2.5-flash-lite', { thinkingBudget: 512 }, 'off', 'not_expected'],
    ['gemini-2.0-flash', {}, 'off', 'not_expected'],
    [STRICT, {}, 'high', 'not_applicable'],
    [STRICT, { thinkingConfig: { thinkingBudget: 0 } }, 'high', 'not_applicable'],
    ['gemini-3.1-flash-lite', {}, 'minimal', 'not_applicable'],
    ['gemini-3.8-flash', {}, 'medium', 'not_applicable'],
    ['gemini-3.8-flash', { thinkingConfig: { thinkingLevel: 'LOW' } }, 'low', 'not_applicable'],
    ['gemini-4-argon', {}, undefined, 'not_applicable'],
  ])('%s with %j', (name, generationConfig, mode, expectation) => {
    const one = last(talk(name, { generationConfig }).user('Go on.').send());
    expect(one.mode).toBe(mode);
    expect(one.expectation).toBe(expectation);
  });
  it('summaries asked for are seen', () => {
    const shown = { thinkingConfig: { includeThoughts: true } };
    expect(last(talk(KEEPS, { generationConfig: shown }).user('Go on.').send()).visibility).toBe('summary');
    expect(last(talk(KEEPS).user('Go on.').send()).visibility).toBe('omitted');
  });
});

describe('model switches', () => {
  it.each([
    ['gemini-3-pro-preview', 'gemini-3-flash-preview', 'downgrade', 'unknown'],
    ['gemini-3.7-flash', 'gemini-3.8-flash', 'upgrade', 'unknown'],
    ['gemini-2.5-pro', 'gemini-3-pro-preview', 'upgrade', 'dropped'],
    ['gemini-3-pro-preview', 'claude-opus-4-6', 'cross_provider', 'dropped'],
  ])('%s to %s', (from, to, direction, survives) =>
    expect(last(openLoop(from).send(undefined, { model: to })).modelSwitch).toEqual({ direction, from, to, survives }),
  );
  it('none', () => {
    expect(last(openLoop(STRICT).send()).modelSwitch).toBeUndefined();
    expect(last(openLoop(STRICT).send(undefined, { model: `models/${STRICT}` })).modelSwitch).toBeUndefined();
  });
});

describe('tokens sent again', () => {
  const usage = (promptTokenCount: number, cachedContentTokenCount = 0) => ({
    usageMetadata: { promptTokenCount, candidatesTokenCount: 40, thoughtsTokenCount: 1200, cachedContentTokenCount },
  });
  const loop = (name: string): Talk => {
    const one = talk(name).user('Go on.');
    for (let i = 0; i < 4; i++)
      one
        .carrying(usage(2000 * (i + 1)))
        .answer(sc(`s${i}`))
        .results(`s${i}`);
    return one.carrying(usage(10_000, 3000)).answer(tx('Done.'), carrier('t'));
  };
  it('a loop of five steps with 1,200 tokens each sends 12,000 again', () => {
    const judged = [...judge(loop(STRICT).steps).values()];
    expect(judged.map(({ tokens }) => tokens?.resent)).toEqual([0, 1200, 2400, 3600, 4800]);
    expect(judged.at(-1)?.tokens).toMatchObject({
      openCached: 1000,
      openFresh: 3800,
      closedCached: 0,
      closedFresh: 0,
    });
  });
  it('behind a turn only where the model reads it', () => {
    const more = (name: string) =>
      last(loop(name).user('And?').carrying(usage(12_000)).answer(tx('Yes.'), carrier('u'))).tokens;
    expect(more(STRICT)?.resent).toBe(0);
    expect(more(KEEPS)).toMatchObject({ resent: 6000, closedFresh: 6000 });
  });
  it('a lost seal takes its share along', () =>
    expect(
      last(
        loop(STRICT)
          .edit((history) => history.slice(0, -1))
          .edit(unsign('s0'))
          .carrying(usage(10_000))
          .answer(tx('Done.')),
      ).tokens?.resent,
    ).toBe(3600));
});

describe('runs and cycles', () => {
  it('a chain of steps is one run, another question another', () => {
    const one = openLoop(STRICT);
    one.fork({}, () => [user('Something else.')]).send();
    const ids = [...judge(one.send().steps).values()].map(({ runId }) => runId);
    expect(new Set([ids[0], ids[1], ids[3]]).size).toBe(1);
    expect(ids[2]).not.toBe(ids[0]);
  });
  it('steps of the cycle are counted from 1, and the answer that closes it says how long it was', () => {
    const judged = [...judge(openLoop(STRICT).answer(tx('Done.')).user('And?').send().steps).values()];
    expect(judged.map(({ cycle }) => [cycle.state, cycle.step])).toEqual([
      ['closed', 1],
      ['open', 2],
      ['open', 3],
      ['closed', 1],
    ]);
    expect(judged[2]?.closedCycle).toEqual({ steps: 3, toolCalls: 2 });
    expect(judged[1]?.closedCycle).toBeUndefined();
  });
  it('a call repeated with equal arguments', () => {
    const poll = (name: string) => signed(name, { functionCall: { name: 'poll', args: { n: 1, of: 2 } } });
    const again = signed('b', { functionCall: { name: 'poll', args: { of: 2, n: 1 } } });
    const got = user({ functionResponse: { name: 'poll', response: {} } });
    const judged = [...judge(talk(STRICT).user('Go on.').answer(poll('a')).append(got).answer(again).steps).values()];
    expect(judged.map(({ toolCalls }) => toolCalls.map(({ repeated }) => repeated))).toEqual([[false], [true]]);
  });
  it('links to the steps whose seals are sent again', () => {
    const ledger = createLedger();
    const dialect = createGeminiGenerate();
    const history = [user('Go on.')];
    for (const name of ['a', 'b']) {
      const ref = { traceId: 't', spanId: name, traceFlags: 1 };
      const one = dialect.open({ body: { model: STRICT, contents: [...history] } }, ledger, ref);
      one?.response({ candidates: [{ content: model(sc(name)), finishReason: 'STOP' }] });
      one?.close('completed');
      history.push(model(sc(name)), user(result(name)));
    }
    const judged = dialect.open({ body: { model: STRICT, contents: history } }, ledger)?.judgement();
    expect(judged?.producers.map(({ spanId }) => spanId)).toEqual(['b', 'a']);
  });
});

describe('facts of a call', () => {
  const open = (input: RequestInput) => createGeminiGenerate().open(input, createLedger());
  const contents = [user('Go on.')];
  it('settings and usage', () => {
    const generationConfig = {
      maxOutputTokens: 500,
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      stopSequences: ['x'],
      thinkingConfig: { thinkingLevel: 'LOW' },
    };
    const one = open({ body: { model: KEEPS, contents, generationConfig } });
    expect(one?.facts()).toEqual({
      provider: 'gcp.gemini',
      operation: 'generate_content',
      requestModel: KEEPS,
      stream: false,
      maxTokens: 500,
      temperature: 0.2,
      topP: 0.9,
      topK: 40,
      stopSequences: 1,
      reasoningLevel: 'low',
    });
    one?.event({
      responseId: 'r-1',
      modelVersion: 'gemini-3.8-flash-001',
      candidates: [{ content: model(tx('Done.')), finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 100,
        toolUsePromptTokenCount: 20,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 60,
        cachedContentTokenCount: 64,
        totalTokenCount: 185,
      },
    });
    one?.close('completed');
    expect(one?.facts()).toMatchObject({
      stream: true,
      responseId: 'r-1',
      responseModel: 'gemini-3.8-flash-001',
      finishReasons: ['stop'],
      usage: { input: 120, output: 65, cacheRead: 64, reasoning: 60 },
    });
  });
  it.each([
    [{}, 'gcp.gemini'],
    [{ endpoint: 'europe-west4-aiplatform.googleapis.com' }, 'gcp.vertex_ai'],
    [{ endpoint: 'gateway.example' }, 'gcp.gen_ai'],
    [{ endpoint: 'gateway.example', provider: 'gcp.vertex_ai' }, 'gcp.vertex_ai'],
  ])('provider of %j', (input, provider) =>
    expect(open({ body: { model: KEEPS, contents }, ...input })?.facts().provider).toBe(provider),
  );
  it.each([
    undefined,
    null,
    'text',
    {},
    { model: KEEPS },
    { contents },
    { model: KEEPS, contents: 7 },
    { model: 7, contents },
  ])('no request of this API: %j', (body) => expect(open({ body })).toBeUndefined());
  it('which chunks carry output', () => {
    const { isChunk } = createGeminiGenerate();
    expect(isChunk?.({ candidates: [{ content: model(tx('a')) }] })).toBe(true);
    expect(isChunk?.({ usageMetadata: { trafficType: 'ON_DEMAND' } })).toBe(false);
    expect(isChunk?.({ candidates: [{ finishReason: 'STOP' }] })).toBe(false);
  });
});

describe('the table of models', () => {
  it.each([
    ['models/gemini-3-pro-preview', 'gemini-3-pro'],
    ['publishers/google/models/gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash'],
    ['google/gemini-3.1-pro-preview-customtools', 'gemini-3.1-pro'],
    ['gemini-2.5-flash-lite@default', 'gemini-2.5-flash-lite'],
    ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['gemini-3.8-flash-001', 'gemini-3.8-flash'],
    ['gemini-3-pro-low', 'gemini-3-pro'],
  ])('%s is %s', (id, name) => expect(normaliseModel(id)).toBe(name));
  it.each([
    ['gemini-3.9-flash-lite', 'gemini-3.8-flash'],
    ['gemini-3.4-pro', 'gemini-3.1-pro'],
    ['gemini-2.5-flash-lite-next', 'gemini-2.5-flash-lite'],
    ['gemini-9-nova', 'gemini-4-argon'],
  ])('%s behaves like %s', (id, known) => {
    const one = resolveModel(id);
    expect(one).toMatchObject({ exact: false, vendor: 'google', row: resolveModel(known).row });
  });
  it("a user's rows are added", () => {
    const problems: string[] = [];
    const tables = readModelRows(
      {
        'gemini-3.1-pro-preview': { readsEarlier: true },
        'gemini-5-pro': { like: 'gemini-3.8-flash', generation: 50 },
        'gemini-6-pro': {},
        'gemini-7-pro': { like: 'gemini-x' },
        'gemini-8-pro': { like: 'gemini-3-pro', seals: 'sometimes' },
      },
      (problem) => problems.push(problem),
    );
    expect(tables.models['gemini-3.1-pro']).toMatchObject({ readsEarlier: true, seals: 'strict' });
    expect(tables.models['gemini-5-pro']).toMatchObject({ generation: 50, thinks: 'medium' });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'gemini-6-pro.like',
      'gemini-7-pro.like',
      'gemini-8-pro.seals',
    ]);
    expect(readModelRows([], (problem) => problems.push(problem)).models).toEqual({});
    const ledger = createLedger();
    const dialect = createGeminiGenerate(tables);
    const first = dialect.open({ body: { model: 'gemini-3.1-pro-preview', contents: [user('Go.')] } }, ledger);
    first?.response({ candidates: [{ content: model(tx('Done.'), carrier('t')), finishReason: 'STOP' }] });
    first?.close('completed');
    const contents = [user('Go.'), model(tx('Done.')), user('And?')];
    const second = dialect.open({ body: { model: 'gemini-3.1-pro-preview', contents } }, ledger);
    expect(second?.judgement().verdict).toBe('finding');
  });
});

it('damage of several kinds in one history', () =>
  check(
    openLoop(STRICT)
      .answer(sc('c'), call('y'))
      .results('c', 'y')
      .send(all(unsign('a'), set('y', { thoughtSignature: BYPASS }), splice(3, 1, model(sc('b')), model(sc('b')))))
      .finds({ dropped: 1, duplicated: 1, fabricated: 1 }),
  ));
