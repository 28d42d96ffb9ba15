import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { createOpenaiResponses } from '../../../src/dialects/openai-responses/index.ts';
import { readModelRows } from '../../../src/dialects/openai-responses/model-rows.ts';
import { check, judge, reportOf } from './check.ts';
import { all, drop, noIds, noReasoning, order, put, set } from './edits.ts';
import { fc, msg, out, rs, rsId, seal, user } from './items.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ALL_TURNS, ALWAYS, CHECKED, GROK, PLAIN, THIS_TURN } from './models.ts';
import { chain, type Step, type Talk, talk } from './talk.ts';

/** What the provider answers outranks what the history suggests. */

const removed = (name: string, reason: string) => ({ id: `rs_${name}`, type: 'reasoning', action: 'removed', reason });
const listed = (...list: readonly object[]) => ({ input_transformations: list });
const last = (run: Talk) => {
  const judged = judge(run.steps);
  const step = run.steps.findLastIndex((one: Step) => one.request !== undefined);
  const judgement = judged.get(step);
  if (judgement === undefined) throw new Error('the last request was not judged');
  return judgement;
};

describe('input_transformations', () => {
  it('confirms', () => {
    const run = openLoop(CHECKED)
      .send(set('call_a', { output: '[cleared]' }))
      .finds({ prefix_broken: 1 })
      .carrying(listed(removed('b', 'prefix_mismatch')))
      .reply(msg('Done.'));
    check(run);
    const [finding] = last(run).findings;
    expect(finding).toMatchObject({
      source: 'server',
      reason: 'prefix_mismatch',
      certainty: 'certain',
      path: 'input.4',
    });
    expect(last(run).blocks).toMatchObject({ expected: 2, returned: 1, dropped: 1, damaged: 0 });
  });
  it('says what nobody here could see', () =>
    check(
      openLoop(CHECKED)
        .send()
        .finds({ foreign: 2 })
        .carrying(listed(removed('a', 'model_mismatch'), removed('b', 'organization_mismatch')))
        .reply(msg('Done.')),
    ));
  it('knows better: nothing was removed', () =>
    check(
      openLoop(CHECKED)
        .send(set('call_a', { output: '[cleared]' }))
        .carrying(listed())
        .reply(msg('Done.')),
    ));
  it('says nothing where it is absent', () =>
    check(
      openLoop(CHECKED)
        .send(set('call_a', { output: '[cleared]' }))
        .finds({ prefix_broken: 1 })
        .reply(msg('Done.')),
    ));
  it('a turn that is over is no drop', () =>
    check(
      closedLoop(CHECKED)
        .send()
        .carrying(listed(removed('a', 'turn_boundary')))
        .reply(msg('Done.')),
    ));
  it('a reason that nobody knows yet is nobody’s fault', () =>
    check(
      openLoop(CHECKED)
        .send()
        .carrying(listed(removed('a', 'moon_phase')))
        .reply(msg('Done.')),
    ));
  it('on a chain', () =>
    check(
      openLoop(CHECKED, {}, chain)
        .send()
        .finds({ prefix_broken: 1 })
        .carrying(listed(removed('b', 'prefix_mismatch')))
        .reply(msg('Done.')),
    ));
  it('names what was issued before this process', () =>
    check(
      talk(CHECKED)
        .append(user('Go.'), rs('before'), fc('before'), out('before'))
        .send()
        .finds({ foreign: 1 })
        .carrying(listed(removed('before', 'end_user_mismatch')))
        .reply(msg('Done.')),
    ));
});

describe('refusals', () => {
  const REFUSED: readonly (readonly [string, number, string, string])[] = [
    [
      'E1',
      400,
      "Item 'rs_a' of type 'reasoning' was provided without its required following item.",
      'follower_missing',
    ],
    [
      'E2',
      400,
      "Item 'fc_a' of type 'function_call' was provided without its required 'reasoning' item: 'rs_a'.",
      'reasoning_missing',
    ],
    [
      'E3',
      404,
      "Item with id 'rs_a' not found. Items are not persisted when `store` is set to false.",
      'item_not_stored',
    ],
    ['E4', 400, 'The encrypted content for item rs_a could not be verified.', 'encrypted_content_invalid'],
    ['E5', 400, "Previous response with id 'resp_1' not found.", 'previous_response_not_found'],
    [
      'E5z',
      400,
      'Previous response cannot be used for this organization due to Zero Data Retention.',
      'zero_data_retention',
    ],
    ['E6', 400, 'No tool output found for function call call_a.', 'tool_output_missing'],
    ['E7', 400, 'No tool call found for function call output with call_id call_a.', 'tool_call_missing'],
    ['E8', 400, 'Duplicate item found with id rs_a.', 'duplicate_item'],
    ['E9', 400, "Missing required parameter: 'input[1].summary'.", 'member_missing'],
    ['E10', 400, "Unknown parameter: 'input[1].status'.", 'unknown_member'],
    ['E10b', 400, "Invalid 'input[1].id': 'x'. Expected an ID that begins with 'rs'.", 'item_id_invalid'],
    [
      'E11',
      400,
      'Reasoning input items can only be provided to a reasoning or computer use model.',
      'model_does_not_reason',
    ],
    ['Copilot', 400, 'input[1].type "reasoning" is not a valid input item type', 'reasoning_items_refused'],
    ['another item', 400, 'input[1].type "mcp_call" is not a valid input item type', 'item_type_refused'],
    [
      'DeepSeek',
      400,
      'The `reasoning_text` in the thinking mode must be passed back to the API.',
      'reasoning_text_missing',
    ],
    ['any other', 400, 'Something else is wrong.', 'unclassified'],
  ];
  it.each(REFUSED)('%s', (_, status, message, rejection) => {
    const run = openLoop(THIS_TURN).send().fails(status, message);
    expect(last(run).rejection).toBe(rejection);
  });
  it.each([429, 500, 529])('%s is none', (status) => {
    const run = openLoop(THIS_TURN).send().fails(status, 'Try again later.');
    expect(last(run).rejection).toBeUndefined();
    expect(last(run).verdict).toBe('clean');
  });

  it('a payload that could not be verified: an edit explains it', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { encrypted_content: seal('a').slice(0, 100) }))
        .finds({ edited: 1 })
        .fails(400, 'The encrypted content could not be verified.'),
    ));
  it('or what was made by another model', () =>
    check(
      openLoop('gpt-5.6')
        .with({ model: 'gpt-6.1-sol' })
        .answer(rs('c'), fc('c'))
        .results('c')
        .send()
        .finds({ foreign: 2 })
        .fails(400, 'The encrypted content could not be verified.'),
    ));
  it('or what it names', () =>
    check(
      openLoop(THIS_TURN)
        .send()
        .finds({ foreign: 1 })
        .fails(400, 'The encrypted content for item rs_b could not be verified.'),
    ));
  it('in the middle of a stream', () => {
    const error = { type: 'error', code: 'invalid_encrypted_content', message: 'x', param: null };
    const created = { type: 'response.created', response: { id: 'resp_x', model: THIS_TURN, output: [] } };
    for (const event of [error, { type: 'error', status: 400, error }]) {
      const run = openLoop(THIS_TURN)
        .send()
        .finds({ foreign: 2 })
        .receive({ stream: [created, event] });
      check(run);
      expect(last(run).rejection).toBe('encrypted_content_invalid');
    }
  });
  it('as the status of a response', () => {
    const run = openLoop(THIS_TURN)
      .send()
      .finds({ foreign: 2 })
      .receive({
        id: 'resp_x',
        object: 'response',
        status: 'failed',
        error: { code: 'invalid_encrypted_content', message: 'x' },
        output: [],
      });
    check(run);
  });
  it('a name that means nothing here', () =>
    check(
      openLoop(THIS_TURN, { store: true })
        .send(set('rs_a', { encrypted_content: undefined }))
        .finds({ unsealed: 1 })
        .fails(404, "Item with id 'rs_a' not found. Items are not persisted when `store` is set to false."),
    ));
  it('a pair that only the provider knows of', () =>
    check(
      talk(THIS_TURN)
        .append(user('Go.'), fc('before'), out('before'))
        .send()
        .finds({ orphaned: 1 })
        .fails(
          400,
          "Item 'fc_before' of type 'function_call' was provided without its required 'reasoning' item: 'rs_before'.",
        ),
    ));
  it('a pair in a turn that is over, on a host whose rules nobody knows', () =>
    check(
      talk('qwen3-32b')
        .user('Go.')
        .answer(rs('a'), msg('Gone.'))
        .user('Back.')
        .send(noReasoning)
        .finds({ dropped: 1, orphaned: 1 })
        .fails(400, "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_a'."),
    ));
  it('a copy that only the provider knows of', () =>
    check(
      talk(THIS_TURN)
        .by('conversation')
        .append(user('Go.'), rs('before'), fc('before'), out('before'))
        .send()
        .finds({ duplicated: 1 })
        .fails(400, 'Duplicate item found with id rs_before. Remove duplicate items from your input and try again.'),
    ));
  it('a model that does not reason, on a chain that does', () =>
    check(
      openLoop(ALWAYS, {}, chain)
        .send(undefined, { model: PLAIN, reasoning: undefined })
        .finds({ foreign: 2 })
        .fails(400, 'Reasoning input items can only be provided to a reasoning or computer use model.'),
    ));
});

describe('whether reasoning was there', () => {
  it('always, at the start of a turn', () => {
    const run = talk(ALWAYS, { reasoning: undefined }).user('Go.').answer(rs('a'), msg('Gone.'));
    expect(last(run)).toMatchObject({ expectation: 'expected', present: true, assertion: 'pass', mode: 'medium' });
    const none = talk(ALWAYS, { reasoning: undefined }).user('Go.').answer(msg('Gone.'));
    expect(last(none)).toMatchObject({ expectation: 'expected', present: false, assertion: 'fail' });
  });
  it('a model that decides for itself', () => {
    const run = talk(THIS_TURN).user('Go.').answer(msg('Gone.'));
    expect(last(run)).toMatchObject({ expectation: 'not_applicable', present: false, assertion: 'skip' });
  });
  it('switched off by default', () => {
    const run = talk(THIS_TURN, { reasoning: undefined }).user('Go.').answer(msg('Gone.'));
    expect(last(run)).toMatchObject({ expectation: 'not_expected', assertion: 'skip', mode: 'none' });
  });
  it('switched off in the middle of a cycle', () => {
    const run = openLoop(THIS_TURN)
      .send(undefined, { reasoning: undefined })
      .finds({ mode_toggled: 1 })
      .reply(msg('Done.'));
    expect(last(run)).toMatchObject({ expectation: 'expected', present: false, assertion: 'fail' });
  });
  it('paid for, and nothing to see', () => {
    const usage = { input_tokens: 10, output_tokens: 90, output_tokens_details: { reasoning_tokens: 64 } };
    const run = talk(THIS_TURN).user('Go.').carrying({ usage }).answer(msg('Gone.'));
    expect(last(run)).toMatchObject({ expectation: 'expected', present: false, assertion: 'fail' });
    expect(last(run).remarks).toEqual(['hidden_at_source']);
  });
  it('said once a run, and never where it is shown', () => {
    const usage = { input_tokens: 10, output_tokens: 90, output_tokens_details: { reasoning_tokens: 64 } };
    const hidden = talk(THIS_TURN).user('Go.').carrying({ usage }).answer(fc('a')).results('a').answer(msg('Gone.'));
    expect([...judge(hidden.steps).values()].map(({ remarks }) => remarks)).toEqual([['hidden_at_source'], undefined]);
    const shown = talk(THIS_TURN).user('Go.').carrying({ usage }).answer(rs('a'), msg('Gone.'));
    expect(last(shown).remarks).toBeUndefined();
  });
  it('the default of a model that no page tells is told by its response', () => {
    const run = talk('gpt-5.4', { reasoning: undefined })
      .user('Go.')
      .carrying({ reasoning: { effort: 'none' } })
      .answer(msg('Gone.'));
    expect(last(run)).toMatchObject({ expectation: 'not_expected', mode: 'none' });
  });
  it.each([
    ['encrypted', {}],
    ['summary', { summary: [{ type: 'summary_text', text: 'Considered.' }] }],
    ['full', { content: [{ type: 'reasoning_text', text: 'Hm.' }] }],
  ])('%s', (visibility, members) => {
    expect(last(talk(ALWAYS).user('Go.').answer(rs('a', members), msg('Gone.'))).visibility).toBe(visibility);
  });
  it('named only', () => {
    expect(last(talk(ALWAYS).user('Go.').answer(rsId('a'), msg('Gone.'))).visibility).toBe('omitted');
  });
});

describe('tokens that are sent again', () => {
  const usage = (input: number, reasoning = 1_200, cached = 0) => ({
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: reasoning + 100,
      output_tokens_details: { reasoning_tokens: reasoning },
    },
  });
  it.each([
    ['stateless', talk],
    ['by name', chain],
  ])('five steps of 1,200 each: 12,000 (%s)', (_, start) => {
    const run = start(ALWAYS).user('Go.');
    for (const [step, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      run
        .carrying(usage(1_000 + step * 1_500))
        .answer(rs(name), fc(name))
        .results(name);
    }
    const resent = [...judge(run.steps).values()].map(({ tokens }) => tokens?.resent);
    expect(resent).toEqual([0, 1_200, 2_400, 3_600, 4_800]);
  });
  it('cached is what lies in the cached beginning', () => {
    const run = openLoopWithUsage();
    expect(last(run).tokens).toMatchObject({ resent: 2_400, openCached: 1_200, openFresh: 1_200 });
  });
  const openLoopWithUsage = () =>
    talk(ALWAYS)
      .user('Go.')
      .carrying(usage(1_000))
      .answer(rs('a'), fc('a'))
      .results('a')
      .carrying(usage(2_500, 1_200, 1_000))
      .answer(rs('b'), fc('b'))
      .results('b')
      .carrying(usage(4_000, 1_200, 2_400))
      .answer(rs('c'), msg('Done.'));
  it('a turn that is over is not shown, unless every turn is', () => {
    const run = (model: string) =>
      talk(model)
        .user('Go.')
        .carrying(usage(1_000))
        .answer(rs('a'), msg('Gone.'))
        .user('Back.')
        .carrying(usage(2_500))
        .answer(rs('b'), msg('Here.'));
    expect(last(run(ALWAYS)).tokens?.resent).toBe(0);
    expect(last(run(ALL_TURNS)).tokens).toMatchObject({ resent: 1_200, closedFresh: 1_200 });
  });
});

describe('cycles, runs and calls', () => {
  it.each([
    ['stateless', talk],
    ['by name', chain],
  ])('step and end of a cycle, one run (%s)', (_, start) => {
    const run = openLoop(THIS_TURN, {}, start).answer(rs('c'), msg('Done.')).user('Next.').answer(msg('Yes.'));
    const judged = [...judge(run.steps).values()];
    expect(judged.map(({ cycle }) => `${cycle.state} ${cycle.step}`)).toEqual([
      'closed 1',
      'open 2',
      'open 3',
      'closed 1',
    ]);
    expect(judged.map(({ closedCycle }) => closedCycle)).toEqual([
      undefined,
      undefined,
      { steps: 3, toolCalls: 2 },
      undefined,
    ]);
    expect(new Set(judged.map(({ runId }) => runId)).size).toBe(1);
    expect(judged.map(({ continuity }) => continuity)).toEqual(['not_applicable', 'intact', 'intact', 'intact']);
  });
  it('results between the calls of one answer do not make two steps of it', () => {
    const run = talk(THIS_TURN).user('Go.').answer(rs('a'), fc('a'), fc('b')).results('a', 'b');
    run.edit(order('Go.', 'rs_a', 'fc_a', 'call_a', 'fc_b', 'call_b')).answer(rs('c'), msg('Done.'));
    expect(last(run)).toMatchObject({ cycle: { state: 'open', step: 2 }, closedCycle: { steps: 2, toolCalls: 2 } });
  });
  it('two runs with the same words are two', () => {
    const one = talk(THIS_TURN).user('Go.');
    const other = one.fork();
    one.answer(rs('a'), fc('a'));
    other.answer(rs('b'), fc('b'));
    one.results('a').send();
    other.results('b').send();
    const ids = [...judge(one.steps).values()].map(({ runId }) => runId);
    expect(ids[2]).toBe(ids[0]);
    expect(ids[3]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[1]);
  });
  it('a repeated call', () => {
    const run = talk(THIS_TURN)
      .user('Go.')
      .answer(rs('a'), fc('a', { key: 1, of: 2 }))
      .results('a')
      .answer(rs('b'), fc('b', { of: 2, key: 1 }), fc('c', { key: 2 }))
      .results('b', 'c');
    expect([...judge(run.steps).values()].map(({ toolCalls }) => toolCalls)).toEqual([
      [{ name: 'lookup', repeated: false }],
      [
        { name: 'lookup', repeated: true },
        { name: 'lookup', repeated: false },
      ],
    ]);
  });
  it('a retry without what was refused belongs to the same run', () => {
    const run = openLoop(THIS_TURN)
      .send()
      .fails(400, 'The encrypted content could not be verified.')
      .send(all(noReasoning, noIds));
    const ids = [...judge(run.steps).values()].map(({ runId }) => runId);
    expect(new Set(ids).size).toBe(1);
  });
  it('and is said to have been bought, once it goes through', () => {
    const run = openLoop(THIS_TURN).send().fails(400, 'The encrypted content could not be verified.');
    run.send(all(noReasoning, noIds)).reply(msg('Gone.'));
    expect(last(run).remarks).toEqual(['recovered_by_discarding']);
    const overloaded = openLoop(THIS_TURN).send().fails(503, 'overloaded');
    overloaded.send().reply(msg('Gone.'));
    expect(last(overloaded).remarks).toBeUndefined();
  });
});

describe('each unit is counted once by metrics', () => {
  it('a loss that stays', () => {
    const run = openLoop(THIS_TURN)
      .edit(all(drop('rs_a'), noIds))
      .send()
      .reply(rs('c'), fc('c'))
      .results('c')
      .send();
    const judged = [...judge(run.steps).values()];
    expect(judged.map(({ blocks }) => blocks.newlyDropped)).toEqual([0, 0, 1, 0]);
    expect(judged.map(({ firstSeen }) => firstSeen.expected)).toEqual([0, 1, 1, 1]);
    expect(judged.map(({ firstSeen }) => firstSeen.returned)).toEqual([0, 1, 1, 1]);
    expect(judged[2]?.firstSeen.dropped).toEqual([{ reason: 'omitted_in_cycle', source: 'client', count: 1 }]);
  });
  it('what left as planned', () => {
    const run = closedLoop(THIS_TURN).edit(all(noReasoning, noIds)).send().reply(msg('One.')).user('Thanks.').send();
    const released = [...judge(run.steps).values()].map(({ firstSeen }) => firstSeen.released);
    expect(released).toEqual([[], [], [{ reason: 'turn_boundary', source: 'client', count: 2 }], []]);
  });
});

describe('findings say why and where', () => {
  it('a payload that is gone', () => {
    const run = openLoop(THIS_TURN).send(all(noIds, (items) => items.map(({ encrypted_content: _, ...item }) => item)));
    expect(last(run).findings).toMatchObject([
      { kind: 'edited', count: 2, reason: 'seal_missing', path: 'input.1', cycle: 'open' },
    ]);
  });
  it('part of a run', () => {
    const run = talk(THIS_TURN)
      .user('Go.')
      .answer(rs('a'), rs('b'), fc('a'))
      .results('a')
      .send(all(drop('rs_a'), noIds));
    expect(last(run).findings).toMatchObject([{ kind: 'dropped', reason: 'partial_run' }]);
  });
  it('a chain that broke points at what names it', () => {
    const run = chain(THIS_TURN, { store: false }).user('Go.').answer(rs('a'), fc('a')).results('a').send();
    expect(last(run).findings).toMatchObject([{ kind: 'dropped', path: 'previous_response_id', cycle: 'open' }]);
  });
  it('what a gateway’s upstream may refuse is inferred', () => {
    const run = talk(THIS_TURN)
      .target({ endpoint: 'gateway.example' })
      .user('Go.')
      .answer(rs('a'), fc('a'))
      .results('a')
      .send(put('fc_a', ({ id: _, ...item }) => item));
    expect(last(run).findings).toMatchObject([{ kind: 'orphaned', certainty: 'inferred' }]);
  });
  it('reports agree with findings', () => {
    const run = openLoop(THIS_TURN).send(noReasoning);
    expect(reportOf(last(run))).toEqual({ dropped: 2, orphaned: 2 });
  });
});

describe('switches of model', () => {
  const direction = (from: string, to: string) => last(closedLoop(from).send(undefined, { model: to })).modelSwitch;
  it.each([
    ['gpt-5.1', 'gpt-5.6', 'upgrade'],
    ['gpt-6.2-sol', 'gpt-6', 'downgrade'],
    ['gpt-5', 'gpt-5-mini', 'downgrade'],
    ['gpt-5-nano', 'gpt-5-mini', 'upgrade'],
    ['gpt-6-sol', 'gpt-6-astra', 'lateral'],
    ['gpt-5.1', 'grok-4.7', 'cross_provider'],
  ])('%s to %s: %s', (from, to, expected) => {
    expect(direction(from, to)).toMatchObject({ direction: expected, from, to });
  });
  it('a dated name is the same model', () => {
    expect(direction('gpt-5.1', 'gpt-5.1-2025-11-13')).toBeUndefined();
  });
  it('what survives', () => {
    expect(direction('gpt-5.1', 'gpt-5.6')?.survives).toBe('unknown');
    expect(direction('gpt-5.1', 'grok-4.7')?.survives).toBe('dropped');
    expect(direction('gpt-5.1', 'gpt-4.1')?.survives).toBe('dropped');
  });
  it('by the provider', () => {
    const run = talk('gpt-6.2-sol').user('Go.').carrying({ model: 'gpt-5.6-2026-07-01' }).answer(rs('a'), msg('Gone.'));
    expect(last(run).modelSwitch).toMatchObject({ direction: 'downgrade', from: 'gpt-6.2-sol' });
  });
  it('an alias is none', () => {
    const run = talk('gpt-6.2').user('Go.').carrying({ model: 'gpt-6.2-sol' }).answer(rs('a'), msg('Gone.'));
    expect(last(run).modelSwitch).toBeUndefined();
  });
  it('a deployment that bears its owner’s name is known by its answers', () => {
    const run = talk('our-best', { reasoning: undefined })
      .target({ endpoint: 'eu.openai.azure.com' })
      .user('Go.')
      .carrying({ model: 'gpt-5.6-2026-07-01' })
      .answer(rs('a'), msg('Gone.'))
      .user('Back.')
      .send(all(noReasoning, noIds))
      .finds({ dropped: 1 });
    check(run);
  });
  it('on Azure another deployment has been reported to refuse', () =>
    check(
      talk('gpt-5.1')
        .target({ endpoint: 'eu.openai.azure.com' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(undefined, { model: 'gpt-5.2' })
        .finds({ foreign: 1 }),
    ));
});

it('Grok without ids', () =>
  check(
    talk(GROK)
      .user('Go.')
      .answer(rs('a', { id: undefined }), fc('a', {}, { id: undefined }))
      .results('a')
      .answer(rs('b', { id: undefined }), fc('b', {}, { id: undefined }))
      .results('b')
      .send((items) => items.filter((item) => item.encrypted_content !== seal('a')))
      .finds({ dropped: 1 }),
  ));

describe('a user’s own rows', () => {
  const withRows = (rows: unknown, run: Talk) => {
    const problems: string[] = [];
    const tables = readModelRows(rows, (problem) => problems.push(problem));
    const judged = judge(run.steps, { 'openai.responses': createOpenaiResponses(tables) });
    return { problems, report: reportOf([...judged.values()].at(-1) as Judgement) };
  };
  it('a model of which this release knows nothing', () => {
    const run = closedLoop('house-model').send(all(noReasoning, noIds));
    const rows = { 'house-model': { like: 'gpt-6.2', prefixCheck: false } };
    expect(withRows(rows, run)).toEqual({ problems: [], report: { dropped: 2 } });
  });
  it('who reads whom', () => {
    const run = openLoop('gpt-5.6').send(undefined, { model: 'gpt-5.4' });
    const rows = { 'gpt-5.6': { readers: ['gpt-6'] } };
    expect(withRows(rows, run)).toEqual({ problems: [], report: { foreign: 2 } });
  });
  it('a row that cannot be used is named', () => {
    const run = talk(THIS_TURN).user('Go.').answer(msg('Gone.'));
    const rows = { a: { like: 'nothing' }, b: {}, c: { like: 'gpt-5', context: 'never' } };
    expect(withRows(rows, run).problems).toEqual([
      'a.like: no model nothing',
      'b.like: is missing, and this release has no row for it',
      expect.stringContaining('c.context'),
    ]);
  });
});
