import { describe, expect, it } from 'vitest';
import { call, om, res, system, th, thought, tx, user } from './blocks.ts';
import { check, judge } from './check.ts';
import { all, drop, type Edit, message, noThinking, put, set, splice } from './edits.ts';
import { CHECKED, KEEPS_ALL } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** What stands before a block on the models that tie the two together (platform.claude.com: preserved-thinking). */

const LOOKUP = {
  name: 'lookup',
  description: 'Finds a crate.',
  input_schema: { type: 'object', properties: { key: { type: 'string' }, depth: { type: 'number' } } },
};
const STORE = { name: 'store', input_schema: { type: 'object', properties: { key: { type: 'string' } } } };
const PICTURE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' },
};
const FRAME = { system: 'You count crates.', tools: [LOOKUP, STORE] };

/** Blocks a (in front: the question) and b (in front: also the first answer and its result). */
const bound = (model = CHECKED, frame: Record<string, unknown> = FRAME): Talk =>
  talk(model, frame)
    .user('Which  crates are late today?', PICTURE)
    .answer(om('a'), tx('I will look them up.'), call('c1', { key: 'late', depth: 2 }))
    .results('c1')
    .answer(om('b'), call('c2'))
    .results('c2');
const same: Edit = (history) => history;

describe('which models check', () => {
  it.each([
    'claude-fable-5-2',
    'claude-mythos-5-2',
    'claude-mythos-5-1',
    'claude-fable-5-1',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'us.anthropic.claude-opus-5-5-v1:0',
  ])('%s does', (model) => check(bound(model).send(same, { system: 'You count boxes.' }).finds({ prefix_broken: 2 })));

  it.each([
    'claude-fable-5',
    'claude-mythos-5',
    'claude-opus-5',
    'claude-sonnet-5',
    'claude-opus-4-8',
    'claude-sonnet-4-6',
    'claude-haiku-4-5',
    'MiniMax-M3',
    'someones-model-7b',
  ])('%s does not', (model) => check(bound(model).send(same, { system: 'You count boxes.' })));

  it('whatever the request asks to happen on a mismatch', () =>
    check(
      bound()
        .send(same, {
          system: 'You count boxes.',
          thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
        })
        .finds({ prefix_broken: 2 }),
    ));
});

const cached = { cache_control: { type: 'ephemeral' } };
const DEFERRED = { name: 'refund', description: 'Pays back.', defer_loading: true };

describe('changes that leave later blocks valid', () => {
  const rows: readonly (readonly [string, Edit, Record<string, unknown>?])[] = [
    ['nothing', same],
    ['a cache marker on a text block', message(0, (b) => b.map((one) => ({ ...one, ...cached })))],
    ['a cache marker on a result', message(2, (b) => b.map((one) => ({ ...one, ...cached })))],
    ['a cache marker on a call', set('c1', cached)],
    ['a cache marker on a tool', same, { tools: [LOOKUP, { ...STORE, ...cached }] }],
    ['a cache marker on the system text', same, { system: [{ ...tx('You count crates.'), ...cached }] }],
    ['the order of tools', same, { tools: [STORE, LOOKUP] }],
    ['the order of keys in a tool', same, { tools: [Object.fromEntries(Object.entries(LOOKUP).reverse()), STORE] }],
    ['the order of keys in a call', set('c1', { input: { depth: 2, key: 'late' } })],
    [
      'the order of keys in a block',
      put('I will look them up.', () => ({ text: 'I will look them up.', type: 'text' })),
    ],
    ['system as one text block', same, { system: [tx('You count crates.')] }],
    ['white space around a text', message(0, ([text, ...rest]) => [tx(`\n ${text?.text} `), ...rest])],
    ['a text block of white space', message(0, (b) => [...b, tx(' \n')])],
    [
      'a member that is null',
      message(0, ([text, ...rest]) => [{ ...tx(String(text?.text)), citations: null }, ...rest]),
    ],
    ['empty citations', put('I will look them up.', (block) => ({ ...block, citations: [] }))],
    ['is_error: false', message(2, (b) => b.map((one) => ({ ...one, is_error: false })))],
    [
      'defaults of a tool written out',
      same,
      {
        tools: [
          { ...LOOKUP, strict: false, eager_input_streaming: false, type: 'custom', allowed_callers: ['direct'] },
          { ...STORE, description: '' },
        ],
      },
    ],
    ['effort', same, { output_config: { effort: 'low' } }],
    ['max_tokens', same, { max_tokens: 12 }],
    ['tool_choice', same, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    ['metadata', same, { metadata: { user_id: 'another' } }],
    ['display', same, { thinking: { type: 'adaptive', display: 'summarized' } }],
    ['block_binding', same, { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } } }],
    ['stream', same, { stream: true }],
    ['context management', same, { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }],
    ['a deferred tool that nothing refers to', same, { tools: [LOOKUP, STORE, DEFERRED] }],
    ['a system message at the end', (h) => [...h, system('Two steps are left.')]],
    ['more text behind the newest results', message(4, (b) => [...b, tx('Please hurry.')])],
  ];
  for (const [name, edit, config] of rows) it(name, () => check(bound().send(edit, config)));

  it('one text block as a plain string, and back', () =>
    check(
      talk(CHECKED)
        .user('Which crates are late today?')
        .answer(om('a'), call('c1'))
        .results('c1')
        .send(message(0, () => 'Which crates are late today?')),
    ));

  it.each([
    ['changed', [LOOKUP, STORE, { ...DEFERRED, description: 'Pays half back.' }]],
    ['taken away', [LOOKUP, STORE]],
  ])('a deferred tool that nothing refers to, %s', (_name, tools) =>
    check(bound(CHECKED, { ...FRAME, tools: [LOOKUP, STORE, DEFERRED] }).send(same, { tools })),
  );

  it('a system message between turns that stays where it is', () =>
    check(
      bound()
        .append(system('Two steps are left.'))
        .answer(om('c'), call('c3'))
        .results('c3')
        .append({ role: 'system', content: [tx('One step is left.')], clear_at: 'next_user_message' })
        .answer(om('d'), call('c4'))
        .results('c4')
        .send(),
    ));

  it('a branch that repeats the history up to the fork', () => {
    const main = bound();
    main.fork({}, splice(4, 1, user(res('c2', 'another outcome')))).send();
    check(main.send());
  });

  it('turns of another vendor without reasoning, appended', () =>
    check(
      bound()
        .answer(om('c'), tx('Two are late.'))
        .user('Say it in French.')
        .append({ role: 'assistant', content: [tx('Deux sont en retard.')] })
        .user('Thanks.')
        .send(),
    ));
});

describe('changes that break later blocks', () => {
  const rows: readonly (readonly [string, number, Edit, Record<string, unknown>?])[] = [
    ['the system text', 2, same, { system: 'You count crates. Two steps are left.' }],
    ['a system block more', 2, same, { system: [tx('You count crates.'), tx('Two steps are left.')] }],
    ['no system text', 2, same, { system: undefined }],
    ['a tool more', 2, same, { tools: [LOOKUP, STORE, { name: 'refund' }] }],
    ['a tool less', 2, same, { tools: [LOOKUP] }],
    ['no tools', 2, same, { tools: undefined }],
    ['a tool renamed', 2, same, { tools: [LOOKUP, { ...STORE, name: 'keep' }] }],
    ['a tool described anew', 2, same, { tools: [{ ...LOOKUP, description: 'Finds crates.' }, STORE] }],
    ['a tool with another schema', 2, same, { tools: [LOOKUP, { ...STORE, input_schema: { type: 'object' } }] }],
    ['strict: true', 2, same, { tools: [{ ...LOOKUP, strict: true }, STORE] }],
    ['the question reworded', 2, message(0, ([, ...rest]) => [tx('Which boxes are late?'), ...rest])],
    ['white space inside the question', 2, message(0, ([, ...rest]) => [tx('Which crates are late today?'), ...rest])],
    ['a reminder in the question', 2, message(0, (b) => [...b, tx('Be brief.')])],
    ['a block taken from the question', 2, message(0, (b) => b.slice(0, 1))],
    [
      'image bytes',
      2,
      message(0, ([text]) => [text ?? tx(''), { ...PICTURE, source: { ...PICTURE.source, data: 'AAAABBBBCCCC' } }]),
    ],
    ['a message in front', 2, (h) => [user('Earlier today we spoke.'), { role: 'assistant', content: 'Yes.' }, ...h]],
    ['the input of the first call', 1, set('c1', { input: { key: 'late', depth: 3 } })],
    ['the text of the first answer', 1, put('I will look them up.', () => tx('Looking.'))],
    ['no text in the first answer', 1, drop('I will look them up.')],
    ['the first result shortened', 1, message(2, () => [res('c1', '[cleared]')])],
    ['the first result an error now', 1, message(2, (b) => b.map((one) => ({ ...one, is_error: true })))],
    ['a reminder behind the first result', 1, message(2, (b) => [...b, tx('Be brief.')])],
    ['a system message put in after the first result', 1, splice(3, 0, system('Be brief.'))],
  ];
  for (const [name, count, edit, config] of rows) {
    it(`${name}: ${count}`, () => check(bound().send(edit, config).finds({ prefix_broken: count })));
  }

  it('a deferred tool taken away after the conversation referred to it', () =>
    check(
      talk(CHECKED, { tools: [LOOKUP, DEFERRED] })
        .user('Refund crate 9.')
        .answer(call('c1', { query: 'refund' }, 'lookup'))
        .append(
          user({
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [{ type: 'tool_reference', tool_name: 'refund' }],
          }),
        )
        .answer(om('a'), call('c2', { crate: 9 }, 'refund'))
        .results('c2')
        .send(same, { tools: [LOOKUP] })
        .finds({ prefix_broken: 1 }),
    ));

  it.each([
    ['taken away later', splice(5, 1)],
    ['reworded later', splice(5, 1, system('One step is left.'))],
  ])('a system message %s', (_name, edit) =>
    check(
      bound()
        .append(system('Two steps are left.'))
        .answer(om('c'), call('c3'))
        .results('c3')
        .send(edit)
        .finds({ prefix_broken: 1 }),
    ),
  );

  it.each([
    ['deleted', splice(5, 1)],
    ['reworded', splice(5, 1, { ...system('One step is left.'), clear_at: 'next_user_message' })],
  ])('a message with clear_at, %s by the client', (_name, edit) =>
    check(
      bound()
        .append({ ...system('Two steps are left.'), clear_at: 'next_user_message' })
        .answer(om('c'), call('c3'))
        .results('c3')
        .send(edit)
        .finds({ prefix_broken: 1 }),
    ),
  );

  it('a reminder on the newest results that moves along', () =>
    check(
      talk(CHECKED, FRAME)
        .user('Count them.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .send(message(2, (b) => [...b, tx('Step 2 of 9.')]))
        .reply(om('b'), call('c2'))
        .results('c2')
        .send(message(4, (b) => [...b, tx('Step 3 of 9.')]))
        .finds({ prefix_broken: 1 })
        .reply(om('c'), call('c3'))
        .results('c3')
        .send(message(6, (b) => [...b, tx('Step 4 of 9.')]))
        .finds({ prefix_broken: 2 }),
    ));

  it('finished turns too', () =>
    check(
      bound()
        .answer(om('c'), tx('Two are late.'))
        .user('Which ones?')
        .send(same, { system: 'You count boxes.' })
        .finds({ prefix_broken: 3 }),
    ));

  it('older steps left out: trimmed, and what stays is behind an edited beginning', () =>
    check(bound().send(splice(1, 2)).finds({ trimmed: 1, prefix_broken: 1 })));

  it('a summary in the place of the older turn', () =>
    check(
      bound()
        .answer(om('c'), tx('Two are late.'))
        .user('Which ones?')
        .answer(om('d'), call('c4'))
        .results('c4')
        .send(splice(0, 6, user('Summary: two crates are late. Which ones?')))
        .finds({ trimmed: 3, prefix_broken: 1 }),
    ));
});

describe('each block is compared with the request that produced it', () => {
  const NIGHT = { system: 'You count crates at night.' };

  it('new blocks are bound to the new beginning, old ones stay broken', () =>
    check(
      bound()
        .with(NIGHT)
        .send()
        .finds({ prefix_broken: 2 })
        .reply(om('c'), call('c3'))
        .results('c3')
        .send()
        .finds({ prefix_broken: 2 }),
    ));

  it('and the other way round when the old beginning comes back', () =>
    check(
      bound()
        .send(same, NIGHT)
        .finds({ prefix_broken: 2 })
        .reply(om('c'), call('c3'))
        .results('c3')
        .send()
        .finds({ prefix_broken: 1 }),
    ));

  it('a system text that counts the steps breaks every block of every earlier step', () =>
    check(
      talk(CHECKED, { system: 'Step 1.' })
        .user('Count them.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .with({ system: 'Step 2.' })
        .send()
        .finds({ prefix_broken: 1 })
        .reply(om('b'), call('c2'))
        .results('c2')
        .with({ system: 'Step 3.' })
        .send()
        .finds({ prefix_broken: 2 }),
    ));

  it('a tool that joins in the middle of a run', () =>
    check(
      bound()
        .with({ tools: [LOOKUP, STORE, { name: 'refund' }] })
        .send()
        .finds({ prefix_broken: 2 })
        .reply(om('c'), call('c3', { crate: 9 }, 'refund'))
        .results('c3')
        .send()
        .finds({ prefix_broken: 2 }),
    ));
});

describe('blocks know the block before them', () => {
  const three = () =>
    talk(CHECKED)
      .user('Count them.')
      .answer(om('a'), call('c1'))
      .results('c1')
      .answer(om('b'), call('c2'))
      .results('c2')
      .answer(om('c'), call('c3'))
      .results('c3');

  it.each([
    ['the first', ['a'], { dropped: 1 }],
    ['the first two', ['a', 'b'], { dropped: 2 }],
    ['the last', ['c'], { dropped: 1 }],
    ['the last two', ['b', 'c'], { dropped: 2 }],
    ['all', ['a', 'b', 'c'], { dropped: 3 }],
    ['the middle', ['b'], { dropped: 1, prefix_broken: 1 }],
  ])('%s left out', (_name, names, report) =>
    check(
      three()
        .send(drop(...names))
        .finds(report),
    ),
  );

  it('two in the middle of four', () =>
    check(
      three().answer(om('d'), call('c4')).results('c4').send(drop('b', 'c')).finds({ dropped: 2, prefix_broken: 1 }),
    ));

  it('one in the middle breaks all after it', () =>
    check(three().answer(om('d'), call('c4')).results('c4').send(drop('b')).finds({ dropped: 1, prefix_broken: 2 })));

  it('not on a model that does not check', () =>
    check(
      talk(KEEPS_ALL)
        .user('Count them.')
        .answer(om('a'), call('c1'))
        .results('c1')
        .answer(om('b'), call('c2'))
        .results('c2')
        .answer(om('c'), call('c3'))
        .results('c3')
        .send(drop('b'))
        .finds({ dropped: 1 }),
    ));

  it('a gap across turns is a gap', () =>
    check(
      talk(CHECKED)
        .user('One?')
        .answer(om('a'), tx('The first crate.'))
        .user('Two?')
        .answer(om('b'), tx('The second crate.'))
        .user('Three?')
        .answer(om('c'), tx('The third crate.'))
        .user('Four?')
        .send(drop('b'))
        .finds({ dropped: 1, prefix_broken: 1 }),
    ));

  it('put back later: the blocks produced while it was gone are broken', () =>
    check(
      three()
        .send(drop('b'))
        .finds({ dropped: 1, prefix_broken: 1 })
        .reply(om('d'), call('c4'))
        .results('c4')
        .send()
        .finds({ prefix_broken: 1 }),
    ));

  it('all left out for one step, then put back', () =>
    check(
      three()
        .send(noThinking)
        .finds({ dropped: 3 })
        .reply(om('d'), call('c4'))
        .results('c4')
        .send()
        .finds({ prefix_broken: 1 }),
    ));

  it('left out from then on, the new blocks are fine', () =>
    check(
      three()
        .edit(drop('a'))
        .send()
        .finds({ dropped: 1 })
        .reply(om('d'), call('c4'))
        .results('c4')
        .send()
        .finds({ dropped: 1 }),
    ));

  it('a block turned into text edits the message before the later ones', () =>
    check(
      talk(CHECKED)
        .user('Count them.')
        .answer(th('a'), call('c1'))
        .results('c1')
        .answer(th('b'), call('c2'))
        .results('c2')
        .send(put('a', () => tx(thought('a'))))
        .finds({ converted_to_text: 1, prefix_broken: 1 }),
    ));
});

describe('the list of the provider decides', () => {
  const HEADERS = { headers: { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' } };
  const entry = (at: string, type = 'thinking_dropped', reason = 'prefix_binding_mismatch') => ({
    type,
    path: at,
    reason,
  });
  const A = 'messages.1.content.0';
  const B = 'messages.3.content.0';
  const listed = (list: readonly object[], edit: Edit = same, config: Record<string, unknown> = {}): Talk =>
    bound().target(HEADERS).send(edit, config).carrying({ input_transformations: list });
  const NEW_SYSTEM = { system: 'You count boxes.' };

  it('fewer than the comparison says', () =>
    check(
      listed([entry(A)], same, NEW_SYSTEM)
        .finds({ prefix_broken: 1 })
        .reply(tx('Done.')),
    ));
  it('none', () => check(listed([], same, NEW_SYSTEM).reply(tx('Done.'))));
  it('all of them, shown to the model all the same', () =>
    check(
      listed([entry(A, 'thinking_mismatch_allowed'), entry(B, 'thinking_mismatch_allowed')], same, NEW_SYSTEM)
        .finds({ prefix_broken: 2 })
        .reply(tx('Done.')),
    ));
  it('a break that the comparison cannot see', () =>
    check(
      listed([entry(B)])
        .finds({ prefix_broken: 1 })
        .reply(tx('Done.')),
    ));

  it.each(['model_binding_mismatch', 'organization_binding_mismatch', 'end_user_binding_mismatch'])(
    '%s is foreign',
    (reason) =>
      check(
        listed([entry(A, 'thinking_dropped', reason), entry(B, 'thinking_dropped', reason)])
          .finds({ foreign: 2 })
          .reply(tx('Done.')),
      ),
  );

  it('each entry goes under its own cause', () =>
    check(
      listed([entry(A, 'thinking_dropped', 'model_binding_mismatch'), entry(B)])
        .finds({ foreign: 1, prefix_broken: 1 })
        .reply(tx('Done.')),
    ));

  it('types and reasons of another day are passed over', () =>
    check(listed([entry(A, 'thinking_polished', 'taste'), entry(B, 'thinking_polished', 'taste')]).reply(tx('Done.'))));

  it('a list after a fallback in mid-stream replaces the first', () =>
    check(
      bound()
        .target(HEADERS)
        .send(same, NEW_SYSTEM)
        .finds({ prefix_broken: 1 })
        .receive({
          model: CHECKED,
          stop_reason: 'end_turn',
          content: [tx('Done.')],
          stream: [
            {
              type: 'message_start',
              message: { model: CHECKED, content: [], input_transformations: [entry(A), entry(B)] },
            },
            { type: 'content_block_start', index: 0, content_block: tx('Done.') },
            { type: 'content_block_stop', index: 0 },
            {
              type: 'message_delta',
              delta: { stop_reason: 'end_turn' },
              input_transformations: [entry(B)],
              usage: { output_tokens: 3 },
            },
            { type: 'message_stop' },
          ],
        }),
    ));

  it('what the client left out is still counted beside it', () =>
    check(
      listed([entry(B)], all(drop('a')), NEW_SYSTEM)
        .finds({ dropped: 1, prefix_broken: 1 })
        .reply(tx('Done.')),
    ));
});

describe('a refusal is the word of the provider', () => {
  const REFUSED =
    'messages.1.content.0: This `thinking` block is bound to a different conversation. The prefix does not match.';

  it('on a change that the comparison sees, it adds nothing', () =>
    check(bound().send(same, { system: 'You count boxes.' }).finds({ prefix_broken: 2 }).fails(400, REFUSED)));

  it('on a change that it cannot see, the block that was sent is broken', () =>
    check(
      talk(CHECKED)
        .user('Count them.', { type: 'image', source: { type: 'url', url: 'https://pictures.example/1.png' } })
        .answer(om('a'), call('c1'))
        .results('c1')
        .send()
        .finds({ prefix_broken: 1 })
        .fails(400, REFUSED),
    ));
});

describe('how far an edited beginning reaches is disputed', () => {
  const certainties = (client: Talk): unknown[] =>
    [...judge(client.steps).values()].at(-1)?.findings.map(({ path, count, certainty }) => [path, count, certainty]) ??
    [];
  const edited = (): Talk => bound().send(same, { system: 'You count boxes.' });
  const [FIRST, SECOND] = ['messages.1.content.0', 'messages.3.content.0'];

  it('the first block behind it fails, of the later ones that is inferred', () =>
    expect(certainties(edited())).toEqual([
      [FIRST, 1, 'certain'],
      [SECOND, 1, 'inferred'],
    ]));

  it('of a block that a model made which does not look it is inferred', () => {
    const client = talk(KEEPS_ALL, { system: 'You count crates.' })
      .user('Go.')
      .answer(om('a'), call('c1'))
      .results('c1');
    client.send(same, { model: CHECKED, system: 'You count boxes.' });
    expect(certainties(client)).toEqual([[FIRST, 1, 'inferred']]);
  });

  it('a refusal makes certain the block that it names', () => {
    const refusal = `${SECOND}: This \`thinking\` block is bound to a different conversation. The prefix does not match.`;
    expect(certainties(edited().fails(400, refusal))).toEqual([[FIRST, 2, 'certain']]);
  });

  it('a list makes certain what it lists', () => {
    const listed = ({ path }: { path: string }) => ({
      type: 'thinking_dropped',
      path,
      reason: 'prefix_binding_mismatch',
    });
    const client = edited();
    client.receive({
      model: CHECKED,
      stop_reason: 'end_turn',
      content: [tx('Done.')],
      input_transformations: [FIRST, SECOND].map((path) => listed({ path: String(path) })),
    });
    expect(certainties(client)).toEqual([[FIRST, 2, 'certain']]);
  });
});
