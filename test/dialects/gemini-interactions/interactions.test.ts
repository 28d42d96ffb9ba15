import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { createGeminiInteractions } from '../../../src/dialects/gemini-interactions/index.ts';
import { call, out, result, type Step, seal, search, th, user } from './steps.ts';
import {
  check,
  drop,
  judge,
  KEEPS,
  last,
  noThoughts,
  OLDER,
  put,
  set,
  stateful,
  stateless,
  type Talk,
} from './talk.ts';

const plan = 'First the harbour, then the depot.';
/** Two steps of one open loop, units a and b, and the result of the second call. */
const open = (model?: string): Talk =>
  stateless(model)
    .append(user('Go on.'))
    .answer(th('a', plan), call('c1'))
    .append(result('c1'))
    .answer(th('b'), call('c2'))
    .append(result('c2'));
/** A finished turn, units a and b, and the next question. */
const closed = (model?: string): Talk =>
  stateless(model)
    .append(user('Go on.'))
    .answer(th('a'), call('c1'))
    .append(result('c1'))
    .answer(th('b'), out('The blue one it is.'))
    .append(user('And the red one?'));
const chained = (): Talk => stateful().append(user('Go on.')).answer(th('a'), call('c1')).append(result('c1'));

describe('history sent in full', () => {
  it('whole', () => {
    check(open().send().reply(th('c'), out('Done.')).append(user('And?')).send());
    check(closed().send());
  });
  it.each([
    ['a thought left out', drop('a'), { dropped: 1 }],
    ['all of them', noThoughts, { dropped: 2 }],
    ['a thought without its signature', set('a', { signature: undefined }), { edited: 1 }],
    ['with an empty one', set('b', { signature: '' }), { edited: 1 }],
    ['with one that was cut', set('a', { signature: seal('a').slice(0, 70) }), { edited: 1 }],
    ['with one of nobody', set('a', { signature: seal('of nobody') }), { fabricated: 1, dropped: 1 }],
    ['under another name', set('a', { signature: undefined, thought_signature: seal('a') }), { edited: 1 }],
    ['with another summary', set('a', { summary: [{ type: 'text', text: 'First the harbour.' }] }), { edited: 1 }],
    ['without its summary', set('a', { summary: undefined }), { edited: 1 }],
    [
      'behind its call',
      (history: readonly Step[]) => [0, 2, 1, 3, 4, 5, 6].map((at) => history[at] as Step),
      { reordered: 1 },
    ],
    ['twice', put('a', (step) => [step, step]), { duplicated: 1 }],
    [
      'in the next answer',
      (history: readonly Step[]) => [0, 2, 3, 1, 4, 5, 6].map((at) => history[at] as Step),
      { misplaced: 1 },
    ],
    ['as something said', put('a', () => out(plan)), { converted_to_text: 1 }],
    [
      'one more, invented',
      put('c1', (step) => (step.type === 'function_call' ? [th('of nobody'), step] : step)),
      { fabricated: 1 },
    ],
  ] as const)('%s', (_what, edit, report) => check(open().send(edit).finds(report)));

  it('a step of a tool at the provider without its signature', () => {
    const searched = () =>
      stateless()
        .append(user('Go on.'))
        .answer(th('a'), ...search('s'), call('c1'))
        .append(result('c1'));
    check(searched().send());
    check(
      searched()
        .send(set('s-call', { signature: undefined }))
        .finds({ dropped: 1 }),
    );
    check(searched().send(drop('s-call', 's-result')).finds({ dropped: 2 }));
  });
  it('two answers in one, and one in two', () => {
    const merged = (history: readonly Step[]) => [0, 1, 2, 4, 5, 3, 6].map((at) => history[at] as Step);
    check(open().send(merged).finds({ merged: 1 }));
    const batch = () =>
      stateless().append(user('Both.')).answer(th('a'), call('x'), call('y')).append(result('x'), result('y'));
    check(batch().send());
    check(
      batch()
        .send((history) => [0, 1, 2, 4, 3, 5].map((at) => history[at] as Step))
        .finds({ split: 1 }),
    );
    check(batch().send(drop('y')).finds({ edited: 1 }));
  });
  it('an exchange left out, and an answer alone', () => {
    check(open().send(drop('a', 'c1')).notes({ trimmed: 1 }));
    check(
      open()
        .send((history) => history.filter((_, at) => at !== 1 && at !== 2))
        .finds({ dropped: 1 }),
    );
  });
  it('the result alone', () =>
    check(
      open()
        .send((history) => history.slice(-1))
        .finds({ dropped: 2 }),
    ));
  it.each([
    [KEEPS, 'finds'],
    [OLDER, 'notes'],
    ['gemini-2.5-pro', 'notes'],
  ] as const)('in a finished turn on %s it %s', (model, verdict) =>
    check(closed(model).send(noThoughts)[verdict]({ dropped: 2 })),
  );
  it('counts again at each later request', () =>
    check(
      open()
        .edit(drop('a'))
        .send()
        .finds({ dropped: 1 })
        .reply(th('c'), call('c3'))
        .append(result('c3'))
        .send()
        .finds({ dropped: 1 }),
    ));
  it('history from elsewhere is not judged', () =>
    check(
      stateless()
        .append(user('Go.'), th('old'), call('c0'), result('c0'))
        .answer(th('a'), call('c1'))
        .append(result('c1'))
        .send(drop('old')),
    ));
});

describe('interactions that are named', () => {
  it('hold their thoughts', () => {
    check(
      chained()
        .answer(th('b'), call('c2'))
        .append(result('c2'))
        .send()
        .reply(th('c'), out('Done.'))
        .append(user('And?'))
        .send(),
    );
    expect(last(chained().answer(th('b'), call('c2')).append(result('c2')).send()).blocks).toMatchObject({
      expected: 2,
      returned: 2,
    });
  });
  it('a result without the name of its interaction leaves its thoughts behind', () =>
    check(chained().send(undefined, { previous_interaction_id: undefined }).finds({ dropped: 1 })));
  it('so does the name of an older one', () => {
    const one = chained();
    const older = one.id;
    one.answer(th('b'), call('c2')).append(result('c2'));
    check(one.send(undefined, { previous_interaction_id: older }).finds({ dropped: 1 }));
  });
  it('a fork from an older one is none', () => {
    const one = chained();
    const older = one.id;
    check(
      one.answer(th('b'), out('Done.')).append(user('Or else?')).send(undefined, { previous_interaction_id: older }),
    );
  });
  it('what was not kept cannot be named', () => {
    const one = () =>
      stateful(KEEPS, { store: false }).append(user('Go on.')).answer(th('a'), call('c1')).append(result('c1'));
    check(one().send().finds({ unsealed: 1 }).fails(404, 'Interaction not found.'));
    check(one().send().reply(th('b'), out('Done.')));
  });
  it('sent again beside the name they are there twice', () =>
    check(
      chained()
        .send((fresh) => [th('a'), call('c1'), ...fresh])
        .finds({ duplicated: 1 }),
    ));
  it('one that nobody here saw may hold anything', () =>
    check(stateful().append(result('c9')).send(undefined, { previous_interaction_id: 'int-of-others' })));
  it.each([
    ['the loop is open', KEEPS, [] as const, 'finding' as const],
    ['the next turn reads it', KEEPS, [out('Done.')] as const, 'finding' as const],
    ['nobody reads it any more', OLDER, [out('Done.')] as const, 'note' as const],
  ])('what a chain was begun without is still missing in it, and %s', (_when, model, end, verdict) => {
    const one = stateful(model).append(user('Go on.')).answer(th('a'), call('c1')).append(result('c1'));
    const log = [user('Go on.'), call('c1'), result('c1')];
    one.send(() => log, { previous_interaction_id: undefined }).finds({ dropped: 1 });
    one.reply(th('b'), ...(end.length > 0 ? end : [call('c2')])).append(end.length > 0 ? user('And?') : result('c2'));
    one.send();
    check(verdict === 'finding' ? one.finds({ dropped: 1 }) : one.notes({ dropped: 1 }));
    expect(last(one.reply(th('c'), out('So.')).append(user('Well?')).send()).blocks).toMatchObject({
      expected: model === KEEPS || verdict === 'finding' ? 3 : 2,
      returned: 2,
    });
  });
  it('a continuation names the hop before it and has no input', () =>
    check(
      stateful()
        .append(user('Tell it all.'))
        .send()
        .carrying({ status: 'requires_continuation', continuation_token: 'opaque' })
        .reply(th('a'), out('The first half.'))
        .send(undefined, { input: undefined, continuation_token: 'opaque' }),
    ));
  it('belong to one account', () =>
    check(
      stateful()
        .target({ auth_fingerprint: 'one' })
        .append(user('Go on.'))
        .answer(th('a'), call('c1'))
        .append(result('c1'))
        .target({ auth_fingerprint: 'two' })
        .send()
        .finds({ foreign: 1 }),
    ));
});

describe('who can read what', () => {
  it('Gemini models one another', () => check(open('gemini-2.5-pro').send(undefined, { model: KEEPS })));
  it('not other makers, nor another account', () => {
    const claude = [
      {
        api: 'anthropic.messages',
        request: { model: 'claude-sonnet-4-6', messages: [{ role: 'user', content: 'Go.' }] },
      },
      {
        api: 'anthropic.messages',
        response: {
          model: 'claude-sonnet-4-6',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: seal('claude') },
            { type: 'text', text: 'Yes.' },
          ],
        },
      },
    ];
    check(
      stateless()
        .other(...claude)
        .append(user('Go.'), th('claude'), out('Yes.'), user('And?'))
        .send()
        .finds({ foreign: 1 }),
    );
    const moved = () => open().target({ auth_fingerprint: 'two' });
    check(moved().send());
    const from = stateless()
      .target({ auth_fingerprint: 'one' })
      .append(user('Go on.'))
      .answer(th('a'), call('c1'))
      .append(result('c1'));
    check(from.target({ auth_fingerprint: 'two' }).send().finds({ foreign: 1 }).send(noThoughts));
  });
});

describe('settings are each interaction’s own', () => {
  it('thinking off in an open loop, where it is off by default', () => {
    const level = { generation_config: { thinking_level: 'low' } };
    const one = stateless('gemini-2.5-flash-lite', level)
      .append(user('Go on.'))
      .answer(th('a'), call('c1'))
      .append(result('c1'));
    check(one.send(undefined, { generation_config: undefined }).finds({ mode_toggled: 1 }));
  });
  it('a level or tools that are gone are said', () => {
    const level = { generation_config: { thinking_level: 'low' } };
    const one = (config: object) =>
      last(
        stateful(KEEPS, { ...level, tools: [{ type: 'function', name: 'fn' }] })
          .append(user('Go on.'))
          .answer(th('a'), call('c1'))
          .append(result('c1'))
          .send(undefined, { ...config }),
      );
    expect(one({ generation_config: undefined }).prefixChanged).toBe('config');
    expect(one({ tools: undefined }).prefixChanged).toBe('tools');
    expect(one({}).prefixChanged).toBe('none');
  });
});

describe('forms of input', () => {
  const sent = (input: unknown) => [{ api: 'gemini.interactions', request: { model: KEEPS, input } }];
  it.each([['Go on.'], [{ type: 'text', text: 'Go on.' }], [[{ type: 'text', text: 'Go on.' }]], [[user('Go on.')]]])(
    '%j',
    (input) => {
      const traffic = [
        ...sent(input),
        ...stateless()
          .append(user('Go on.'))
          .answer(th('a'), call('c1'))
          .append(result('c1'))
          .send(drop('a'))
          .traffic.slice(1),
      ];
      expect(judge(traffic).get(2)?.blocks).toMatchObject({ expected: 1, dropped: 1 });
    },
  );
  it.each([undefined, {}, { model: KEEPS }, { input: 'Go.' }, { model: KEEPS, input: 7 }])('none: %j', (body) =>
    expect(createGeminiInteractions().open({ body }, createLedger())).toBeUndefined(),
  );
  it('answers of the schema before May 2026', () => {
    const ledger = createLedger();
    const dialect = createGeminiInteractions();
    const one = dialect.open({ body: { model: OLDER, input: 'Go on.' } }, ledger);
    one?.response({ id: 'i', status: 'completed', outputs: [th('a'), { type: 'text', text: 'Done with it.' }] });
    expect(one?.close('completed')).toMatchObject({ present: true, blocks: { issued: 1 } });
  });
});

describe('streams and ends', () => {
  const events = (steps: readonly object[], ...end: readonly object[]) => [
    { event_type: 'interaction.created', interaction: { id: 'i-1', status: 'in_progress' } },
    ...steps,
    ...end,
  ];
  const thought = [
    { event_type: 'step.start', index: 0, step: { type: 'thought', signature: '' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'thought_signature', signature: seal('a') } },
  ];
  it('the signature is the last delta of a thought', () => {
    const calls = [
      { event_type: 'step.stop', index: 0 },
      { event_type: 'step.start', index: 1, step: call('c1') },
      { event_type: 'step.stop', index: 1 },
    ];
    const one = () =>
      stateless()
        .append(user('Go on.'))
        .send()
        .stream(
          events([...thought, ...calls], {
            event_type: 'interaction.completed',
            interaction: { id: 'i-1', status: 'requires_action' },
          }),
          [th('a'), call('c1')],
        )
        .append(result('c1'));
    check(one().send());
    check(
      one()
        .send(set('a', { signature: '' }))
        .finds({ edited: 1 }),
    );
  });
  it('a thought that never ended may be left out', () =>
    check(
      stateless()
        .append(user('Go on.'))
        .send()
        .stream(events(thought), [th('a')], { aborted: true })
        .append(user('Again.'))
        .send(drop('a')),
    ));
  it('a failed interaction is not to be sent back', () =>
    check(
      stateless()
        .append(user('Go on.'))
        .send()
        .carrying({ status: 'failed' })
        .reply(th('a'), out('Let me see the whole map first.'))
        .append(user('Again.'))
        .send(drop('a')),
    ));
  it('a thought that came without its signature', () =>
    check(
      stateless()
        .append(user('Go on.'))
        .answer({ type: 'thought' }, call('c1'))
        .append(result('c1'))
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));
});

describe('refusals', () => {
  it.each([
    [400, 'Corrupted thought signature.', 'signature_invalid'],
    [400, 'User turns cannot contain thought blocks', 'thoughts_refused'],
    [400, 'Request contains an invalid argument.', 'unclassified'],
    [429, 'Quota exceeded.', undefined],
  ])('%i %s', (status, message, rejection) =>
    expect(last(open().send(noThoughts).fails(status, message)).rejection).toBe(rejection),
  );
  it('of a seal as it was issued', () =>
    check(open().send().finds({ foreign: 2 }).fails(400, 'Corrupted thought signature.')));
  it('of an interaction that is not there', () =>
    expect(last(chained().send().fails(404, 'Not found.')).rejection).toBe('previous_interaction_not_found'));
});

describe('counts', () => {
  it('usage and tokens sent again', () => {
    const usage = (total_input_tokens: number) => ({
      usage: { total_input_tokens, total_output_tokens: 40, total_thought_tokens: 1200, total_cached_tokens: 0 },
    });
    const one = stateful().append(user('Go on.'));
    for (let i = 0; i < 4; i++)
      one
        .carrying(usage(3000 * (i + 1)))
        .answer(th(`s${i}`), call(`c${i}`))
        .append(result(`c${i}`));
    one.carrying(usage(15_000)).answer(th('t'), out('Done.'));
    const judged = [...judge(one.traffic).values()];
    expect(judged.map(({ tokens }) => tokens?.resent)).toEqual([0, 1200, 2400, 3600, 4800]);
    expect(judged.map(({ cycle }) => [cycle.state, cycle.step])).toEqual([
      ['closed', 1],
      ['open', 2],
      ['open', 3],
      ['open', 4],
      ['open', 5],
    ]);
    expect(judged.at(-1)?.closedCycle).toEqual({ steps: 5, toolCalls: 4 });
    expect(new Set(judged.map(({ runId }) => runId)).size).toBe(1);
  });
  it('facts of a call', () => {
    const dialect = createGeminiInteractions();
    const one = dialect.open(
      {
        body: {
          model: KEEPS,
          input: 'Go.',
          stream: true,
          generation_config: { thinking_level: 'low', max_output_tokens: 9 },
        },
      },
      createLedger(),
    );
    one?.event({ event_type: 'interaction.created', interaction: { id: 'i', model: KEEPS, status: 'in_progress' } });
    one?.event({
      event_type: 'interaction.completed',
      interaction: {
        id: 'i',
        status: 'completed',
        usage: { total_input_tokens: 5, total_output_tokens: 2, total_thought_tokens: 3, total_cached_tokens: 1 },
      },
    });
    expect(one?.close('completed')).toMatchObject({ mode: 'low', present: true, visibility: 'omitted' });
    expect(one?.facts()).toEqual({
      provider: 'gcp.gemini',
      operation: 'generate_content',
      requestModel: KEEPS,
      stream: true,
      maxTokens: 9,
      reasoningLevel: 'low',
      responseId: 'i',
      responseModel: KEEPS,
      finishReasons: ['completed'],
      usage: { input: 5, output: 5, reasoning: 3, cacheRead: 1 },
    });
    expect(dialect.isChunk?.({ event_type: 'step.delta' })).toBe(true);
    expect(dialect.isChunk?.({ event_type: 'step.stop' })).toBe(false);
  });
  it('model switches', () => {
    expect(last(open('gemini-2.5-pro').send(undefined, { model: KEEPS })).modelSwitch).toMatchObject({
      direction: 'upgrade',
      survives: 'kept',
    });
    expect(last(open().send()).modelSwitch).toBeUndefined();
  });
});

it('conversations side by side', () => {
  const one = open();
  const other = one.fork();
  one.send();
  other.send(drop('b')).finds({ dropped: 1 });
  check(one);
});
