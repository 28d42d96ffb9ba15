import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, drop, noIds, noReasoning, splice } from './edits.ts';
import { assistant, fc, msg, out, rs, rsSum, thought, user } from './items.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ALL_TURNS, ALWAYS, CHECKED, THIS_TURN } from './models.ts';
import { chain, conversation, talk } from './talk.ts';

/** Where the provider keeps the history (guides/conversation-state): what breaks when it does not. */

describe('a chain that broke', () => {
  it('results of a response that is not named', () =>
    check(
      openLoop(THIS_TURN, {}, chain)
        .by('stateless')
        .send((items) => items.slice(-1))
        .finds({ dropped: 1, trimmed: 1 }),
    ));
  it('an older response is named', () =>
    check(openLoop(THIS_TURN, {}, chain).send(undefined, { previous_response_id: 'resp_1' }).finds({ dropped: 1 })));
  it('a fork from an older response with a new question is none', () =>
    check(
      closedLoop(ALL_TURNS, {}, chain)
        .answer(rs('c'), msg('The blue one.'))
        .user('Book it.')
        .send(undefined, { previous_response_id: 'resp_3' }),
    ));
  it('the named response was not stored', () =>
    check(
      chain(THIS_TURN, { store: false }).user('Go.').answer(rs('a'), fc('a')).results('a').send().finds({ dropped: 1 }),
    ));
  it('nor was any before it', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .answer(rs('b'), fc('b'))
        .results('b')
        .by('chain')
        .send()
        .finds({ dropped: 2 }),
    ));
  it('the response said that it was not stored', () =>
    check(
      chain(THIS_TURN)
        .user('Go.')
        .carrying({ store: false })
        .answer(rs('a'), fc('a'))
        .results('a')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('named all the same, with the whole list', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(undefined, { previous_response_id: 'resp_1' }),
    ));
  it('and answered: the list was what counted, or everything would have been there twice', () =>
    check(
      talk(THIS_TURN, { store: false })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(undefined, { previous_response_id: 'resp_1' })
        .reply(rs('b'), msg('Gone.')),
    ));
  it('at a host that keeps nothing', () =>
    check(
      chain(THIS_TURN)
        .target({ endpoint: 'openrouter.ai' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('at another host', () =>
    check(openLoop(THIS_TURN, {}, chain).target({ endpoint: 'eu.openai.azure.com' }).send().finds({ dropped: 2 })));
  it('the response has expired', () =>
    check(
      openLoop(THIS_TURN, {}, chain)
        .send()
        .finds({ dropped: 2 })
        .fails(400, "Previous response with id 'resp_3' not found."),
    ));
  it('the organisation keeps nothing', () =>
    check(
      openLoop(THIS_TURN, {}, chain)
        .send()
        .finds({ dropped: 2 })
        .fails(400, 'Previous response cannot be used for this organization due to Zero Data Retention.'),
    ));
  it('and then the whole list', () =>
    check(
      openLoop(THIS_TURN, {}, chain)
        .send()
        .finds({ dropped: 2 })
        .fails(400, "Previous response with id 'resp_3' not found.")
        .by('stateless')
        .send(),
    ));
  it('restarted as a transcript of texts', () =>
    check(
      closedLoop(ALL_TURNS, {}, chain)
        .by('stateless')
        .send(() => [
          user('Which crates are late today?'),
          assistant('Two crates are late.'),
          user('And which of them are fragile?'),
        ])
        .finds({ dropped: 1, trimmed: 1 }),
    ));
});

describe('a conversation', () => {
  it('is another one in the middle of a cycle', () =>
    check(
      openLoop(THIS_TURN, {}, conversation)
        .send(undefined, { conversation: { id: 'conv_2' } })
        .finds({ dropped: 1, trimmed: 1 }),
    ));
  it('was given nothing', () =>
    check(
      conversation(THIS_TURN, { store: false })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('named by the response, and then by the request', () =>
    check(
      talk(THIS_TURN, { store: true, conversation: undefined })
        .user('Go.')
        .carrying({ conversation: { id: 'conv_1' } })
        .answer(rs('a'), fc('a'))
        .results('a')
        .by('conversation')
        .send((items) => items.slice(-1)),
    ));
  it('left for the whole list', () => check(openLoop(THIS_TURN, {}, conversation).by('stateless').send()));
  it('left for a list without reasoning', () =>
    check(openLoop(THIS_TURN, {}, conversation).by('stateless').send(all(noReasoning, noIds)).finds({ dropped: 2 })));
  it('of somebody else holds what it holds', () =>
    check(
      openLoop(THIS_TURN)
        .by('conversation')
        .send((items) => items.slice(-1)),
    ));
});

describe('a loss does not heal by being stored', () => {
  it('stripped in a list, then followed by name', () =>
    check(
      talk(THIS_TURN, { store: true })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .edit(all(noReasoning, noIds))
        .send()
        .finds({ dropped: 1 })
        .reply(rs('b'), fc('b'))
        .results('b')
        .by('chain')
        .send()
        .finds({ dropped: 1 }),
    ));
});

describe('steps of one turn, one lost at a time', () => {
  const long = () => openLoop(THIS_TURN).answer(rs('c'), fc('c')).results('c').answer(rs('d'), fc('d')).results('d');
  it.each(['a', 'b', 'c', 'd'])('%s', (name) =>
    check(
      long()
        .send(all(drop(`rs_${name}`), noIds))
        .finds({ dropped: 1 }),
    ),
  );
});

describe('on a model that checks what stood before', () => {
  it('a chain keeps it', () => check(openLoop(CHECKED, {}, chain).send()));
  it('a chain with other tools does not', () =>
    check(
      openLoop(CHECKED, { tools: [{ name: 'a' }] }, chain)
        .send(undefined, { tools: [{ name: 'a' }, { name: 'b' }] })
        .finds({ prefix_broken: 2 }),
    ));
  it('from a chain to the list: a result was shortened on the way', () =>
    check(
      openLoop(CHECKED, {}, chain)
        .by('stateless')
        .send(splice(3, 1, out('a', '[cleared]')))
        .finds({ prefix_broken: 1 }),
    ));
  it('a home-made summary at the front', () =>
    check(
      closedLoop(CHECKED)
        .answer(rs('c'), fc('c'))
        .results('c')
        .send(splice(0, 6, user('Summary: two crates are late.')))
        .finds({ trimmed: 2, prefix_broken: 1 }),
    ));
  it('another end user', () =>
    check(
      openLoop(CHECKED, { safety_identifier: 'one' })
        .send(undefined, { safety_identifier: 'two' })
        .finds({ foreign: 2 }),
    ));
  it('which older models do not look at', () =>
    check(openLoop(ALL_TURNS, { safety_identifier: 'one' }).send(undefined, { safety_identifier: 'two' })));
  it('a call was rewritten between two pieces of reasoning of one answer', () =>
    check(
      talk(CHECKED)
        .user('Go.')
        .answer(rs('a'), fc('a'), rs('b'), fc('b'))
        .results('a', 'b')
        .send((items) => items.map((item) => (item.id === 'fc_a' ? fc('a', { key: 'z' }) : item)))
        .finds({ prefix_broken: 1 }),
    ));
});

describe('the summary stands in for the item', () => {
  it('as a user message it is no assistant text', () =>
    check(
      talk(ALWAYS)
        .user('Go.')
        .answer(rsSum('a'), fc('a'))
        .results('a')
        .send(all((items) => items.map((item) => (item.id === 'rs_a' ? user(thought('a')) : item)), noIds))
        .finds({ dropped: 1 }),
    ));
});
