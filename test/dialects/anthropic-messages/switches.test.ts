import { describe, it } from 'vitest';
import { call, om, red, th, tx } from './blocks.ts';
import { check } from './check.ts';
import { drop, noThinking } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ACCOUNT_BOUND, CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** Who reads whose blocks: models, platforms, vendors, accounts, and the fallback of the provider. */

const answered = (producer: string): Talk =>
  talk(producer).user('Which crates are late?').answer(om('a'), tx('Two crates are late.')).user('Which ones?');

describe('readable', () => {
  it.each([
    ['claude-fable-5-2', 'claude-mythos-5-2'],
    ['claude-mythos-5-2', 'claude-fable-5-2'],
    ['claude-fable-5-1', 'claude-mythos-5-1'],
    ['claude-mythos-5-1', 'claude-fable-5-1'],
    ['claude-opus-5-5', 'claude-fable-5-1'],
    ['claude-opus-5-5', 'claude-mythos-5-1'],
    ['claude-sonnet-5-5', 'claude-opus-5-5'],
    ['claude-haiku-5-5', 'claude-opus-5-5'],
    ['claude-haiku-5-5', 'claude-sonnet-5-5'],
    ['claude-opus-5', 'claude-opus-5-5'],
    ['claude-opus-5', 'claude-fable-5-1'],
    ['claude-opus-5', 'claude-mythos-5-1'],
    ['claude-fable-5', 'claude-fable-5-1'],
    ['claude-fable-5', 'claude-mythos-5-1'],
    ['claude-mythos-5', 'claude-fable-5-1'],
    ['claude-mythos-5', 'claude-mythos-5-1'],
    ['claude-sonnet-5', 'claude-sonnet-5-5'],
    ['claude-sonnet-5', 'claude-opus-5-5'],
    ['claude-sonnet-5', 'claude-fable-5-1'],
    ['claude-opus-4-8', 'claude-sonnet-5-5'],
    ['claude-opus-4-8', 'claude-mythos-5-1'],
    ['claude-haiku-4-5', 'claude-opus-5-5'],
    ['claude-sonnet-4-20250514', 'claude-fable-5-1'],
  ])('%s by %s', (producer, reader) =>
    check(answered(producer).send(undefined, { model: reader, thinking: { type: 'adaptive' } })),
  );

  it.each([
    ['claude-fable-5-1', 'claude-fable-5-2', 'the 5-2 family as reader'],
    ['claude-opus-5-5', 'claude-fable-5-2', 'the 5-2 family as reader'],
    ['claude-sonnet-4-6', 'claude-opus-4-7', 'two older models'],
    ['claude-opus-4-5', 'claude-opus-4-8', 'two older models'],
    ['claude-opus-4-8', 'claude-haiku-5-5', 'haiku-5-5 as reader'],
    ['MiniMax-M2', 'MiniMax-M3', 'two models of a vendor without a table'],
  ])('%s by %s counts as readable: nobody has said (%s)', (producer, reader) =>
    check(answered(producer).send(undefined, { model: reader, thinking: { type: 'adaptive' } })),
  );

  it('the same model by another name, host or date', () =>
    check(
      answered('claude-opus-4-8')
        .send(undefined, { model: 'us.anthropic.claude-opus-4-8-v1:0' })
        .send(undefined, { model: 'claude-opus-4-8@20260501' })
        .send(undefined, { model: 'anthropic/claude-opus-4-8' }),
    ));
});

describe('foreign: not readable', () => {
  it.each([
    ['claude-fable-5-2', 'claude-fable-5-1'],
    ['claude-fable-5-2', 'claude-opus-5-5'],
    ['claude-mythos-5-2', 'claude-mythos-5-1'],
    ['claude-fable-5-1', 'claude-fable-5'],
    ['claude-fable-5-1', 'claude-opus-5-5'],
    ['claude-fable-5-1', 'claude-sonnet-5-5'],
    ['claude-fable-5-1', 'claude-opus-4-8'],
    ['claude-mythos-5-1', 'claude-sonnet-5'],
    ['claude-opus-5-5', 'claude-opus-5'],
    ['claude-opus-5-5', 'claude-opus-4-8'],
    ['claude-opus-5-5', 'claude-sonnet-5-5'],
    ['claude-sonnet-5-5', 'claude-sonnet-5'],
    ['claude-sonnet-5-5', 'claude-fable-5-1'],
    ['claude-haiku-5-5', 'claude-fable-5-1'],
    ['claude-opus-5', 'claude-sonnet-5-5'],
    ['claude-fable-5', 'claude-opus-5-5'],
    ['claude-fable-5', 'claude-sonnet-5-5'],
    ['claude-mythos-5', 'claude-opus-5-5'],
    ['claude-opus-4-8', 'MiniMax-M3'],
    ['MiniMax-M3', 'claude-opus-4-8'],
    ['kimi-k2.5', 'claude-sonnet-5'],
    ['deepseek-v4', 'MiniMax-M3'],
  ])('%s by %s', (producer, reader) =>
    check(
      answered(producer)
        .send(undefined, { model: reader, thinking: { type: 'adaptive' } })
        .finds({ foreign: 1 }),
    ),
  );

  it('in an open cycle', () => check(openLoop(CHECKED).send(undefined, { model: KEEPS_ALL }).finds({ foreign: 2 })));

  it('in an open cycle on a model that forgets finished turns', () =>
    check(
      openLoop(CHECKED)
        .send(undefined, { model: LAST_TURN_ONLY, thinking: { type: 'enabled', budget_tokens: 4000 } })
        .finds({ foreign: 2 }),
    ));

  it('redacted blocks as well', () =>
    check(
      talk(CHECKED)
        .user('Go.')
        .answer(red('r'), call('c1'))
        .results('c1')
        .send(undefined, { model: KEEPS_ALL })
        .finds({ foreign: 1 }),
    ));

  it('only the blocks of the other model', () =>
    check(
      closedLoop(KEEPS_ALL)
        .with({ model: CHECKED })
        .answer(om('c'), tx('The blue one.'))
        .user('Book it.')
        .with({ model: KEEPS_ALL })
        .send()
        .finds({ foreign: 1 }),
    ));

  it('switching back makes them readable again', () =>
    check(
      answered(CHECKED)
        .send(undefined, { model: KEEPS_ALL })
        .finds({ foreign: 1 })
        .reply(tx('The blue ones.'))
        .user('Book them.')
        .send(),
    ));

  it('on a platform where the pair is not offered', () =>
    check(
      answered('us.anthropic.claude-opus-5-5-v1:0')
        .send(undefined, { model: 'us.anthropic.claude-fable-5-1-v1:0' })
        .finds({ foreign: 1 }),
    ));
});

describe('the producer is who answered, not who was asked', () => {
  it('a gateway that serves another model', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .carrying({ model: CHECKED })
        .answer(om('a'), tx('Two crates are late.'))
        .user('Which ones?')
        .send()
        .finds({ foreign: 1 }),
    ));

  it('and one that serves an older model than was asked for', () =>
    check(
      talk(CHECKED)
        .user('Which crates are late?')
        .carrying({ model: KEEPS_ALL })
        .answer(om('a'), tx('Two crates are late.'))
        .user('Which ones?')
        .send(),
    ));
});

describe('leaving out at a switch', () => {
  it('what the new model cannot read is clean', () =>
    check(
      closedLoop(CHECKED)
        .send(noThinking, { model: KEEPS_ALL })
        .reply(th('c'), tx('The blue one.'))
        .user('Book it.')
        .send(drop('a', 'b'), { model: KEEPS_ALL }),
    ));

  it('in an open cycle too', () => check(openLoop(CHECKED).send(noThinking, { model: KEEPS_ALL })));
  it('and at another vendor', () => check(closedLoop(KEEPS_ALL).send(noThinking, { model: 'MiniMax-M3' })));

  it('what it could have read is dropped', () =>
    check(closedLoop(KEEPS_ALL).send(noThinking, { model: CHECKED }).finds({ dropped: 2 })));

  it('back at the model that reads them, they are missing', () =>
    check(
      closedLoop(CHECKED)
        .send(noThinking, { model: KEEPS_ALL })
        .reply(tx('The blue one.'))
        .user('Book it.')
        .send(noThinking)
        .finds({ dropped: 2 }),
    ));
});

describe('accounts', () => {
  const across = (model: string) =>
    talk(model)
      .target({ auth_fingerprint: 'account-1' })
      .user('Which crates are late?')
      .answer(om('a'), tx('Two crates are late.'))
      .user('Which ones?')
      .target({ auth_fingerprint: 'account-2' });

  it.each([ACCOUNT_BOUND, 'claude-haiku-5-5'])('%s blocks are bound to theirs', (model) =>
    check(across(model).send().finds({ foreign: 1 })),
  );

  it('whoever reads them', () =>
    check(across(ACCOUNT_BOUND).send(undefined, { model: 'claude-opus-5-5' }).finds({ foreign: 1 })));

  it.each([CHECKED, KEEPS_ALL, 'claude-opus-5-5', 'claude-fable-5-2'])('%s blocks are not', (model) =>
    check(across(model).send()),
  );

  it('without knowing the account nothing is said', () =>
    check(answered(ACCOUNT_BOUND).target({ auth_fingerprint: 'account-2' }).send()));

  it('the same account again', () => check(across(ACCOUNT_BOUND).target({ auth_fingerprint: 'account-1' }).send()));
});

describe('fallback of the provider', () => {
  const marker = (from: string, to: string) => ({
    type: 'fallback',
    from: { model: from },
    to: { model: to },
    trigger: { type: 'refusal' },
  });
  const MARK = marker('claude-fable-5', 'claude-opus-4-8');
  const fallen = (): Talk =>
    talk('claude-fable-5', { fallbacks: [{ model: 'claude-opus-4-8' }] }).user('Explain the report.');
  const withoutFirst = (history: Parameters<typeof noThinking>[0]) => drop('pre')(history);

  it('what stood before the marker is to be left out', () =>
    check(
      fallen().answer(om('pre'), tx('It says'), MARK, om('post'), tx(' nothing new.')).user('So?').send(withoutFirst),
    ));

  it('redacted blocks, narration and calls before it as well', () =>
    check(
      fallen()
        .answer(
          om('pre'),
          red('pre2'),
          { type: 'connector_text', text: 'Looking.' },
          call('p1'),
          MARK,
          om('post'),
          call('c1'),
        )
        .results('c1')
        .send((history) =>
          history.map((message) =>
            message.role !== 'assistant' || typeof message.content === 'string'
              ? message
              : { ...message, content: message.content.slice(message.content.indexOf(MARK)) },
          ),
        ),
    ));

  it('with two markers, before the last', () => {
    const second = marker('claude-opus-4-8', 'claude-sonnet-4-6');
    check(
      fallen()
        .answer(om('pre'), MARK, om('pre2'), second, om('post'), tx('Nothing new.'))
        .user('So?')
        .send(drop('pre', 'pre2')),
    );
  });

  it('the marker may be the first block', () =>
    check(fallen().answer(MARK, om('post'), tx('Nothing new.')).user('So?').send()));

  it('what stands after it has to come back', () =>
    check(
      fallen()
        .answer(om('pre'), MARK, om('post'), call('c1'))
        .results('c1')
        .send(drop('pre', 'post'))
        .finds({ dropped: 1 }),
    ));

  it('the marker missing between two producers is one merge', () =>
    check(
      fallen()
        .answer(om('pre'), MARK, om('post'), call('c1'))
        .results('c1')
        .send((history) =>
          history.map((message) =>
            typeof message.content === 'string'
              ? message
              : { ...message, content: message.content.filter(({ type }) => type !== 'fallback') },
          ),
        )
        .finds({ merged: 1 }),
    ));

  it('the producer after the marker is the model named there', () =>
    check(
      talk('claude-fable-5-1', { fallbacks: [{ model: 'claude-opus-5-5' }] })
        .user('Explain the report.')
        .answer(om('pre'), marker('claude-fable-5-1', 'claude-opus-5-5'), om('post'), tx('Nothing new.'))
        .user('So?')
        .send(withoutFirst, { model: 'claude-opus-4-8' })
        .finds({ foreign: 1 }),
    ));

  it('and is read by that model', () =>
    check(
      talk('claude-fable-5-1', { fallbacks: [{ model: 'claude-opus-4-8' }] })
        .user('Explain the report.')
        .answer(om('pre'), marker('claude-fable-5-1', 'claude-opus-4-8'), om('post'), tx('Nothing new.'))
        .user('So?')
        .send(withoutFirst, { model: 'claude-opus-4-8' }),
    ));

  it('a later turn that goes straight to the fallback has no marker', () =>
    check(
      talk('claude-fable-5-1', { fallbacks: 'default' })
        .user('Explain the report.')
        .carrying({
          model: 'claude-opus-4-8',
          usage: { output_tokens: 9, iterations: [{ type: 'fallback_message', model: 'claude-opus-4-8' }] },
        })
        .answer(om('a'), tx('Nothing new.'))
        .user('So?')
        .send(),
    ));
});
