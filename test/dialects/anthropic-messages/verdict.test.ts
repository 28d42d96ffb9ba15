import { describe, it } from 'vitest';
import { call, om, red, res, seal, th, thought, tx, user } from './blocks.ts';
import { check } from './check.ts';
import { all, drop, message, noThinking, order, put, set, splice } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY, ON_BY_DEFAULT } from './models.ts';
import { talk } from './talk.ts';

/** Finding, note or clean: what decides it, and what is never anything. */

describe('a loss in an open cycle is a finding', () => {
  it.each([KEEPS_ALL, ON_BY_DEFAULT, LAST_TURN_ONLY, CHECKED, 'claude-opus-4-1', 'claude-3-7-sonnet-20250219'])(
    'on %s, all blocks gone',
    (model) => check(openLoop(model).send(noThinking).finds({ dropped: 2 })),
  );

  it('of an earlier answer of the cycle too', () =>
    check(openLoop(LAST_TURN_ONLY).send(drop('a')).finds({ dropped: 1 })));

  it('and it counts again at each later step', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late today?')
        .answer(th('a'), call('c1'))
        .results('c1')
        .edit(drop('a'))
        .send()
        .finds({ dropped: 1 })
        .reply(th('b'), call('c2'))
        .results('c2')
        .send()
        .finds({ dropped: 1 })
        .reply(call('c3'))
        .results('c3')
        .send()
        .finds({ dropped: 1 }),
    ));
});

describe('in a closed cycle a loss is a finding only where the target still reads earlier reasoning', () => {
  it.each([
    'claude-opus-4-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-opus-5-5',
    'claude-sonnet-4-6',
    'claude-sonnet-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'claude-fable-5',
    'claude-fable-5-1',
    'claude-fable-5-2',
    'claude-mythos-5',
    'claude-mythos-preview',
  ])('%s keeps all', (model) => check(closedLoop(model).send(noThinking).finds({ dropped: 2 })));

  it.each([
    'claude-sonnet-4-5',
    'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5',
    'claude-haiku-4-5-20251001',
    'claude-opus-4-1-20250805',
    'claude-opus-4-20250514',
    'claude-sonnet-4-20250514',
    'claude-3-7-sonnet-20250219',
  ])('%s strips earlier turns itself', (model) => check(closedLoop(model).send(noThinking).notes({ dropped: 2 })));

  it.each([
    ['us.anthropic.claude-opus-4-8-v1:0', 'adaptive', 'finding'],
    ['anthropic.claude-sonnet-4-6', 'adaptive', 'finding'],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'enabled', 'note'],
    ['claude-sonnet-4-5@20250929', 'enabled', 'note'],
  ] as const)('platform spelling %s is the same model', (model, type, verdict) => {
    const one = closedLoop(model, { thinking: { type, budget_tokens: 4000 } }).send(noThinking);
    check(verdict === 'note' ? one.notes({ dropped: 2 }) : one.finds({ dropped: 2 }));
  });

  it('or refuses the shape: a block without its seal kills the request wherever it stands', () =>
    check(
      closedLoop(LAST_TURN_ONLY)
        .send(set('a', { signature: undefined }))
        .finds({ edited: 1 }),
    ));

  it('a text edited in a finished turn that the target no longer reads is a note', () =>
    check(
      closedLoop(LAST_TURN_ONLY)
        .send(set('a', { thinking: 'Something shorter.' }))
        .notes({ edited: 1 }),
    ));

  it('and a finding where the target reads it', () =>
    check(
      closedLoop(KEEPS_ALL)
        .send(set('a', { thinking: 'Something shorter.' }))
        .finds({ edited: 1 }),
    ));

  it('an own clear_thinking that keeps all makes a last-turn-only model read earlier turns', () =>
    check(
      closedLoop(LAST_TURN_ONLY, {
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      })
        .send(noThinking)
        .finds({ dropped: 2 }),
    ));

  it('an own clear_thinking that keeps one turn makes a keep-all model forget the turns before it', () =>
    check(
      closedLoop(KEEPS_ALL, {
        context_management: {
          edits: [{ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } }],
        },
      })
        .answer(th('c'), tx('The blue crate is fragile.'))
        .user('Thanks, book it.')
        .send(drop('a', 'b'))
        .notes({ dropped: 2 }),
    ));
});

describe('keys of a turn, a pair or the request, and duplicated, are findings in open and closed cycles alike', () => {
  const closedParallel = (model: string) =>
    talk(model)
      .user('Compare both depots.')
      .answer(th('a'), call('c1'), call('c2'))
      .results('c1', 'c2')
      .answer(th('b'), tx('The northern depot is fuller.'))
      .user('By how much?');

  it.each([KEEPS_ALL, LAST_TURN_ONLY])('split_results in a finished turn on %s', (model) =>
    check(
      closedParallel(model)
        .send(splice(2, 1, user(res('c1')), user(res('c2'))))
        .finds({ split_results: 1 }),
    ),
  );

  it('duplicated in a finished turn that the target does not read', () =>
    check(
      closedLoop(LAST_TURN_ONLY)
        .send(put('a', (block) => [block, block]))
        .finds({ duplicated: 1 }),
    ));

  it('split in a finished turn', () =>
    check(
      closedParallel(LAST_TURN_ONLY)
        .send(
          splice(
            1,
            2,
            { role: 'assistant', content: [th('a'), call('c1')] },
            user(res('c1')),
            { role: 'assistant', content: [call('c2')] },
            user(res('c2')),
          ),
        )
        .finds({ split: 1 }),
    ));

  it('fabricated in a finished turn', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(tx('Hello to the whole warehouse.'))
        .user('Again.')
        .send(message(1, (before) => [th('invented'), ...before]))
        .finds({ fabricated: 1 }),
    ));
});

describe('always notes', () => {
  it('trimmed: a whole finished exchange left out', () =>
    check(
      closedLoop(KEEPS_ALL)
        .answer(th('c'), tx('The blue crate is fragile.'))
        .user('Thanks, book it.')
        .send(splice(0, 4))
        .notes({ trimmed: 2 }),
    ));

  it('trimmed: the older steps of an open loop left out', () =>
    check(openLoop(KEEPS_ALL).send(splice(1, 2)).notes({ trimmed: 1 })));
});

describe('clean', () => {
  it('no answer held reasoning: none can be missing', () =>
    check(
      talk(KEEPS_ALL).user('Go.').answer(call('c1')).results('c1').answer(tx('Done with it.')).user('More.').send(),
    ));

  it.each([
    ['budget', 'claude-opus-4-5', { thinking: { type: 'enabled', budget_tokens: 9000 } }],
    ['effort', KEEPS_ALL, { output_config: { effort: 'max' } }],
    ['display', KEEPS_ALL, { thinking: { type: 'adaptive', display: 'summarized' } }],
    ['max_tokens', KEEPS_ALL, { max_tokens: 64 }],
    ['tool_choice', KEEPS_ALL, { tool_choice: { type: 'none' } }],
    ['temperature', KEEPS_ALL, { temperature: 1 }],
    ['metadata', KEEPS_ALL, { metadata: { user_id: 'someone-else' } }],
    ['the default written out', ON_BY_DEFAULT, { thinking: { type: 'adaptive' } }],
    ['the default left unwritten', ON_BY_DEFAULT, { thinking: undefined }],
  ])('%s changed in an open cycle', (_name, model, config) => check(openLoop(model).send(undefined, config)));

  it('display changed between steps: the seal is the same whatever was displayed', () =>
    check(
      talk(KEEPS_ALL, { thinking: { type: 'adaptive', display: 'summarized' } })
        .user('Which crates are late today?')
        .answer(th('a'), call('c1'))
        .results('c1')
        .with({ thinking: { type: 'adaptive', display: 'omitted' } })
        .answer(om('b'), call('c2'))
        .results('c2')
        .send(),
    ));

  it.each([KEEPS_ALL, LAST_TURN_ONLY, CHECKED])('finished turns re-sent whole on %s', (model) =>
    check(closedLoop(model).send().reply(th('d'), tx('The blue one.')).user('Thanks.').send()),
  );

  it('a placeholder is none: no block of Claude has one', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(call('c1'))
        .results('c1')
        .send(message(1, (before) => [{ type: 'thinking', thinking: '', signature: 'skip_validation' }, ...before]))
        .finds({ fabricated: 1 }),
    ));
});

describe('one key for each damaged unit, the first that holds', () => {
  it('converted and gone is converted', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(put('a', () => tx(thought('a'))))
        .finds({ converted_to_text: 1 }),
    ));

  it('edited and out of order is edited', () =>
    check(
      talk(KEEPS_ALL)
        .user('Go.')
        .answer(th('a'), tx('A look at the map.'), call('c1'))
        .results('c1')
        .send(all(order(1, 'A look at the map.', 'a', 'c1'), set('a', { thinking: 'Shorter.' })))
        .finds({ edited: 1 }),
    ));

  it('edited behind a changed beginning is edited; only intact units are prefix_broken', () =>
    check(
      openLoop(CHECKED, { system: 'Day shift.' })
        .send(set('a', { signature: seal('a').slice(0, 99) }), { system: 'Night shift.' })
        .finds({ edited: 1, prefix_broken: 1 }),
    ));

  it('foreign before everything', () =>
    check(
      openLoop(CHECKED)
        .send(set('a', { thinking: 'Shorter.' }), { model: KEEPS_ALL })
        .finds({ foreign: 2 }),
    ));

  it('different damage to different units stands side by side', () =>
    check(
      talk(KEEPS_ALL)
        .user('Go.')
        .answer(th('a'), red('r'), call('c1'))
        .results('c1')
        .answer(th('b'), call('c2'))
        .results('c2')
        .answer(th('c'), call('c3'))
        .results('c3')
        .send(
          all(
            drop('r'),
            set('a', { thinking: 'Shorter.' }),
            put('b', () => tx(thought('b'))),
            put('c', (block) => [block, block]),
          ),
        )
        .finds({ dropped: 1, edited: 1, converted_to_text: 1, duplicated: 1 }),
    ));
});

describe('scope', () => {
  it('a changed beginning means nothing on a model that does not check it', () =>
    check(openLoop(KEEPS_ALL, { system: 'Day shift.' }).send(undefined, { system: 'Night shift.' })));

  it('reasoning items without a follower are no pair here', () =>
    check(talk(KEEPS_ALL).user('Go.').answer(th('a')).user('And?').send()));

  it('a helper call with the conversation as one text is clean', () => {
    const main = openLoop(KEEPS_ALL);
    main
      .fork({ model: 'claude-haiku-4-5', thinking: undefined, system: 'Make a title.' }, () => [
        user('Title for: Which crates are late today?'),
      ])
      .send();
    check(main.send());
  });

  it('nor is a helper call in the middle of a loop that takes no reasoning along and does without', () => {
    const main = openLoop(KEEPS_ALL, { system: 'Agent.', tools: [{ name: 'lookup' }] });
    main.fork({ system: 'One line of progress.', tools: undefined, thinking: { type: 'disabled' } }, noThinking).send();
    check(main.send());
  });

  it('a side request that re-sends issued units is judged', () => {
    const main = openLoop(KEEPS_ALL);
    main
      .fork({ system: 'Summarise the work so far.' }, set('a', { signature: undefined }))
      .send()
      .finds({ edited: 1 });
    check(main.send());
  });

  it('a faithful side request with the blocks is clean, and so is the main line after it', () => {
    const main = openLoop(KEEPS_ALL);
    main.fork({ system: 'Summarise the work so far.' }).send().reply(th('x'), tx('They looked twice.'));
    check(main.send().reply(tx('Two crates are late.')).user('Thanks.').send());
  });
});
