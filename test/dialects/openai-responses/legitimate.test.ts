import { describe, expect, it } from 'vitest';
import { check, judge, reportOf } from './check.ts';
import { all, drop, keep, noIds, noReasoning, put, set, splice } from './edits.ts';
import {
  assistant,
  compaction,
  developer,
  fc,
  msg,
  out,
  ref,
  rs,
  rsSum,
  seal,
  search,
  user,
  without,
} from './items.ts';
import { closedLoop, openLoop, STARTS } from './loops.ts';
import { ALL_TURNS, ALWAYS, CHECKED, GROK, PLAIN, THIS_TURN } from './models.ts';
import { chain, talk } from './talk.ts';

/** Differences that a plain comparison would flag, and that are by rule, identity, place, arrival or scope. */

describe.each(STARTS)('a faithful client, %s', (_, start) => {
  it.each([THIS_TURN, ALL_TURNS, CHECKED, ALWAYS, GROK])('on %s', (model) =>
    check(
      closedLoop(model, {}, start)
        .answer(rs('c'), msg('Let me see.'), fc('c'), fc('d'))
        .results('c', 'd')
        .answer(rs('e'), search('e'), rs('f'), msg('The blue one.'))
        .user('Book it.')
        .answer(rsSum('g'), fc('g'))
        .results('g')
        .send(),
    ),
  );
});

describe('the turn is over', () => {
  it('its reasoning and ids may go', () => check(closedLoop(THIS_TURN).send(all(noReasoning, noIds))));
  it('or go with the answer sent as a plain string', () =>
    check(
      closedLoop(ALWAYS).send(
        all(
          keep((item) => item.type !== 'reasoning' && item.type !== 'function_call'),
          drop('call_a'),
          put('Two crates are late.', () => assistant('Two crates are late.')),
        ),
      ),
    ));
  it('or come back where nobody reads it', () => check(closedLoop(THIS_TURN).send()));
  it('the response says that only this turn was read', () =>
    check(
      closedLoop(ALL_TURNS)
        .send(all(noReasoning, noIds))
        .carrying({ reasoning: { effort: 'medium', context: 'current_turn' } })
        .reply(rs('c'), msg('The blue one.')),
    ));
  it('an earlier response said so', () =>
    check(
      talk('gpt-6-luna')
        .user('Go.')
        .carrying({ reasoning: { effort: 'medium', context: 'current_turn' } })
        .answer(rs('a'), msg('Gone.'))
        .user('Back.')
        .send(all(noReasoning, noIds)),
    ));
  it('the request asked for this turn only', () =>
    check(closedLoop(ALL_TURNS, { reasoning: { context: 'current_turn' } }).send(all(noReasoning, noIds))));
  it('the request asked for every turn', () =>
    check(
      closedLoop(THIS_TURN, { reasoning: { effort: 'low', context: 'all_turns' } })
        .send(all(noReasoning, noIds))
        .finds({ dropped: 2 }),
    ));
  it('the response says that every turn was read', () =>
    check(
      closedLoop('gpt-5.5')
        .send(all(noReasoning, noIds))
        .finds({ dropped: 2 })
        .carrying({ reasoning: { effort: 'medium', context: 'all_turns' } })
        .reply(rs('c'), msg('The blue one.')),
    ));
  it('a developer message does not end it', () =>
    check(openLoop(THIS_TURN).append(developer('Be brief.')).send(all(noReasoning, noIds)).finds({ dropped: 2 })));
});

describe('by name', () => {
  it('a new question on a chain', () => check(closedLoop(THIS_TURN, {}, chain).send()));
  it('two answers to one response: a fork', () => {
    const one = closedLoop(ALL_TURNS, {}, chain);
    const other = one.fork();
    one.answer(rs('c'), msg('The blue one.')).user('Book it.');
    other
      .edit(splice(6, 1, user('And which are heavy?')))
      .answer(rs('d'), msg('The red one.'))
      .user('Leave it.');
    one.send();
    other.send();
    check(one);
  });
  it('from by name to the whole list', () => check(openLoop(THIS_TURN, {}, chain).by('stateless').send()));
  it('and from the whole list to by name', () =>
    check(
      talk(THIS_TURN, { store: true })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .by('chain')
        .answer(rs('b'), fc('b'))
        .results('b')
        .send(),
    ));
  it('a retry with the whole list where the name was not found', () =>
    check(
      chain(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .by('stateless')
        .answer(rs('b'), fc('b'))
        .results('b')
        .send(),
    ));
  it('a response without output: warming up', () =>
    check(
      chain(ALL_TURNS, { generate: false })
        .append(developer('Be kind.'))
        .answer()
        .with({ generate: undefined })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(),
    ));
  it('steered by the provider: it goes on by itself', () =>
    check(
      chain('gpt-6-sol')
        .user('Go.')
        .carrying({ status: 'incomplete', incomplete_details: { reason: 'steered' } })
        .answer(rs('a'))
        .user('Go left.')
        .answer(rs('b'), fc('b'))
        .results('b')
        .send(),
    ));
  it('over the socket, where nothing is stored', () =>
    check(
      chain(THIS_TURN, { store: false, type: 'response.create' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(),
    ));
  it('a response that went through shows that what it named was kept', () =>
    check(
      chain(THIS_TURN, { store: false })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .answer(rs('b'), fc('b'))
        .results('b')
        .send()
        .finds({ dropped: 2 }),
    ));
  it('a chain that began before this process', () =>
    check(
      chain(THIS_TURN)
        .append(out('before'))
        .with({ previous_response_id: 'resp_before' })
        .answer(rs('a'), fc('a'))
        .results('a')
        .with({ previous_response_id: undefined })
        .send(),
    ));
  it('items by reference', () =>
    check(
      closedLoop(ALL_TURNS, { store: true }).send((items) =>
        items.map((item) => (item.id === undefined ? item : ref(item))),
      ),
    ));
  it('named instead of sent, without saying so', () =>
    check(
      closedLoop(ALL_TURNS, { store: true }).send((items) =>
        items.map((item) => (item.id === undefined ? item : without(ref(item), 'type'))),
      ),
    ));
});

describe('form', () => {
  it('members that come with an answer and are no part of it', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(
          rs('a', { status: 'completed', created_by: 'x', content: null }),
          fc('a', {}, { status: 'completed', parsed_arguments: {} }),
        )
        .results('a')
        .send(
          all(
            put('rs_a', (item) => without(item, 'status', 'created_by', 'content')),
            put('fc_a', (item) => without(item, 'status', 'parsed_arguments')),
          ),
        ),
    ));
  it('members that a helper of the SDK adds', () =>
    check(
      openLoop(CHECKED).send(
        all(set('fc_a', { parsed_arguments: { key: 'a' } }), set('rs_a', { status: 'completed' })),
      ),
    ));
  it('input as one string', () =>
    check(
      talk(THIS_TURN)
        .send(undefined, { input: 'Go.' })
        .reply(rs('a'), fc('a'))
        .edit((items) => [user('Go.'), ...items])
        .results('a')
        .send(),
    ));
  it('either of two final payloads of one item', () => {
    const stream = [
      { type: 'response.created', response: { id: 'resp_1', model: THIS_TURN, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: rs('a', { encrypted_content: seal('partial') }) },
      { type: 'response.output_item.done', output_index: 0, item: rs('a', { encrypted_content: seal('done') }) },
      { type: 'response.output_item.done', output_index: 1, item: fc('a') },
      {
        type: 'response.completed',
        response: { id: 'resp_1', model: THIS_TURN, status: 'completed', output: [rs('a'), fc('a')] },
      },
    ];
    const sent = (payload: string) =>
      talk(THIS_TURN)
        .user('Go.')
        .send()
        .receive({ model: THIS_TURN, stream })
        .append(rs('a', { encrypted_content: payload }), fc('a'), out('a'));
    check(sent(seal('done')).send());
    check(sent(seal('a')).send());
    check(sent(seal('partial')).send().finds({ edited: 1 }));
    check(sent(seal('partial')).send(noIds).finds({ edited: 1 }));
  });
  it('a stream that ended before the item was done: it may be left out', () => {
    const stream = [
      { type: 'response.created', response: { id: 'resp_1', model: THIS_TURN, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: rs('a', { encrypted_content: seal('part') }) },
    ];
    check(
      talk(THIS_TURN)
        .user('Go.')
        .send()
        .receive({ model: THIS_TURN, stream }, { aborted: true })
        .answer(rs('b'), fc('b'))
        .results('b')
        .send(),
    );
  });
  it('what was shown of it, sent back: half a payload, and nothing behind it', () => {
    const stream = [
      { type: 'response.created', response: { id: 'resp_1', model: THIS_TURN, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: rs('a', { encrypted_content: seal('part') }) },
    ];
    check(
      talk(THIS_TURN)
        .user('Go.')
        .send()
        .receive({ model: THIS_TURN, stream }, { aborted: true })
        .append(rs('a', { encrypted_content: seal('part') }))
        .user('Go on.')
        .send()
        .finds({ edited: 1, orphaned: 1 }),
    );
  });
  it('the same question from two runs', () => {
    const one = talk(THIS_TURN).user('Go.');
    const other = one.fork();
    one.answer(rs('a'), fc('a', { key: 1 })).results('a');
    other.answer(rs('b'), fc('b', { key: 1 })).results('b');
    one.send();
    other.send();
    check(one);
  });
  it('the two sides of a gateway', () => {
    const steps = ['client', 'gateway'].map((leg) => {
      const side = talk(THIS_TURN).target({ leg, endpoint: leg === 'client' ? 'gateway.example' : 'api.openai.com' });
      return side.user('Go.').carrying({ id: 'resp_1' }).answer(rs('a'), fc('a')).results('a').send();
    });
    const [client, egress] = steps.map((side) => side.steps);
    const both = [client?.[0], egress?.[0], egress?.[1], client?.[1], client?.[2], egress?.[2]].map((step, at) =>
      step?.response === undefined ? step : { ...step, meta: { ...step.meta, answers: at === 2 ? 1 : 0 } },
    ) as object[];
    for (const judgement of judge(both).values()) expect(judgement.findings).toEqual([]);
  });
  it('the two sides of a gateway that hands out ids of its own, and one that does not take them back', () => {
    const model = THIS_TURN;
    const own = [rs('a', { id: 'item_1' }), fc('a', {}, { id: 'item_2' })];
    const issued = [rs('a'), fc('a', {})];
    const asks = (leg: string, ...items: readonly object[]) => ({
      api: 'openai.responses',
      meta: { leg },
      request: { model, store: false, reasoning: { effort: 'high' }, input: [user('Go.'), ...items] },
    });
    const says = (leg: string, answers: number, output: readonly object[]) => ({
      api: 'openai.responses',
      meta: { leg, answers },
      response: { id: `resp_${leg}`, model, status: 'completed', output },
    });
    const before = [asks('client'), asks('gateway'), says('gateway', 1, issued), says('client', 0, own)];
    const reports = (sent: readonly object[]) =>
      [...judge([...before, asks('client', ...own, out('a')), asks('gateway', ...sent, out('a'))]).values()].map(
        reportOf,
      );
    expect(reports(issued)).toEqual([{}, {}, {}, {}]);
    expect(reports(own)).toEqual([{}, {}, {}, { edited: 1 }]);
  });
});

describe('compaction', () => {
  it('everything before the item may go', () =>
    check(
      closedLoop(ALL_TURNS)
        .answer(compaction('x'), rs('c'), fc('c'))
        .edit(splice(0, 7))
        .results('c')
        .answer(rs('d'), fc('d'))
        .results('d')
        .send(),
    ));
  it.each([ALL_TURNS, CHECKED])('or stay, whole or in part (%s)', (model) => {
    const compacted = () => closedLoop(model).answer(compaction('x'), rs('c'), msg('The blue one.')).user('Book it.');
    check(compacted().send());
    check(compacted().send(splice(1, 3)));
    check(compacted().send(drop('rs_a', 'fc_a', 'call_a')));
  });
  it('after it the prefix counts anew', () =>
    check(
      closedLoop(CHECKED)
        .answer(compaction('x'), rs('c'), msg('The blue one.'))
        .edit(splice(0, 7))
        .user('Book it.')
        .answer(rs('d'), fc('d'))
        .results('d')
        .send(put('Book it.', () => user('Book it for nine.')))
        .finds({ prefix_broken: 1 }),
    ));
  it('by the provider on a chain', () =>
    check(
      closedLoop(CHECKED, {}, chain)
        .answer(compaction('x'), rs('c'), fc('c'))
        .results('c')
        .answer(rs('d'), fc('d'))
        .results('d')
        .send(),
    ));
  it('by a trigger, which is gone afterwards', () =>
    check(
      closedLoop(CHECKED)
        .send((items) => [...items, { type: 'compaction_trigger' }])
        .reply(compaction('x'), rs('c'), msg('The blue one.'))
        .user('Book it.')
        .send(),
    ));
  it('on demand: its window is the new history', () =>
    check(
      closedLoop(CHECKED)
        .send()
        .receive({
          id: 'resp_c',
          object: 'response.compaction',
          output: [{ type: 'message', role: 'user', content: 'Which crates are late today?' }, compaction('x')],
        })
        .edit(() => [user('Which crates are late today?'), compaction('x'), user('Book it.')])
        .answer(rs('c'), fc('c'))
        .results('c')
        .send(),
    ));
  it('two in a row', () =>
    check(
      closedLoop(ALL_TURNS)
        .answer(compaction('x'), rs('c'), msg('The blue one.'))
        .user('Book it.')
        .answer(compaction('y'), rs('d'), fc('d'))
        .results('d')
        .send((items) => items.slice(items.findIndex(({ id }) => id === 'cmp_y'))),
    ));
});

describe('switches and retries', () => {
  it('reasoning that the new maker cannot read is left out', () =>
    check(openLoop(GROK).with({ model: THIS_TURN }).send(all(noReasoning, noIds))));
  it('and stays out', () =>
    check(
      openLoop(GROK)
        .with({ model: THIS_TURN })
        .edit(all(noReasoning, noIds))
        .answer(rs('c'), fc('c'))
        .results('c')
        .send(),
    ));
  it('for another host', () =>
    check(openLoop(THIS_TURN).target({ endpoint: 'eu.openai.azure.com' }).send(noReasoning)));
  it('for a model that does not reason', () =>
    check(openLoop(THIS_TURN).with({ model: PLAIN }).send(all(noReasoning, noIds))));
  it('after a refusal for it, and from there on', () =>
    check(
      openLoop(THIS_TURN)
        .send()
        .finds({ foreign: 2 })
        .fails(400, 'The encrypted content gAAAA could not be verified.')
        .edit(all(noReasoning, noIds))
        .answer(rs('c'), fc('c'))
        .results('c')
        .send(),
    ));
  it('after a refusal by another account, but not for the one that can read it', () =>
    check(
      talk(THIS_TURN)
        .target({ auth_fingerprint: 'one' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .target({ auth_fingerprint: 'two' })
        .send()
        .finds({ foreign: 1 })
        .fails(400, 'The encrypted content gAAAA could not be verified.')
        .edit(all(noReasoning, noIds))
        .answer(rs('b'), fc('b'))
        .results('b')
        .send()
        .target({ auth_fingerprint: 'one' })
        .send(all(noReasoning, noIds))
        .finds({ dropped: 1 }),
    ));
  it('after a host has refused reasoning items as such', () =>
    check(
      openLoop(THIS_TURN)
        .target({ endpoint: 'api.githubcopilot.com' })
        .edit(all(noReasoning, noIds))
        .answer(rs('c'), fc('c'))
        .results('c')
        .send()
        .fails(400, 'input[3].type "reasoning" is not a valid input item type')
        .edit(all(noReasoning, noIds))
        .send(),
    ));
  it('another refusal is no licence', () =>
    check(
      openLoop(THIS_TURN)
        .send()
        .finds({ orphaned: 1 })
        .fails(400, "Item 'rs_a' of type 'reasoning' was provided without its required following item.")
        .send(all(noReasoning, noIds))
        .finds({ dropped: 2 }),
    ));
  it('the same request again', () =>
    check(openLoop(THIS_TURN).send().fails(529, 'Overloaded').send().fails(500, 'x').send()));
  it('a request that goes through was readable after all', () =>
    check(
      talk(THIS_TURN)
        .target({ auth_fingerprint: 'one' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .target({ auth_fingerprint: 'two' })
        .answer(rs('b'), fc('b'))
        .results('b')
        .send()
        .finds({ foreign: 1 }),
    ));
});

describe('other requests', () => {
  it('a title for the visible history', () => {
    const run = closedLoop(ALL_TURNS, { instructions: 'You mend.', tools: [{ name: 'lookup' }] });
    run.fork({ model: 'gpt-5-nano', instructions: 'Write a title.', tools: undefined }, all(noReasoning, noIds)).send();
    check(run.send());
  });
  it('a title in the middle of a cycle', () => {
    const run = openLoop(THIS_TURN, { instructions: 'You mend.', tools: [{ name: 'lookup' }] });
    run.fork({ model: 'gpt-5-nano', instructions: 'Write a title.', tools: undefined }, all(noReasoning, noIds)).send();
    check(run.send());
  });
  it('a line of progress in the middle of a cycle, by a model that need not reason for it', () => {
    const run = openLoop(THIS_TURN, { instructions: 'You mend.', tools: [{ name: 'lookup' }] });
    const aside = { instructions: 'Say how far it is.', tools: undefined, reasoning: { effort: 'none' } };
    run.fork(aside, all(noReasoning, noIds)).send();
    check(run.send());
  });
  it('an agent of its own in between', () => {
    const run = openLoop(ALL_TURNS);
    const agent = talk('gpt-5-nano').user('Read the file.').answer(rs('x'), fc('x')).results('x');
    for (const step of agent.steps) run.steps.push(step);
    check(run.send());
  });
  it('a turn made over', () => {
    const run = closedLoop(ALL_TURNS);
    const again = run.fork({}, splice(6, 1));
    run.answer(rs('c'), msg('The blue one.')).user('Book it.').send();
    again.user('And which are heavy?').send();
    check(run);
  });
  it('several agents of one response are seen, not judged', () =>
    check(
      talk('gpt-6-sol', { betas: ['responses_multi_agent=v1'] })
        .user('Go.')
        .answer(rs('a', { agent: { agent_name: 'one' } }), fc('a', {}, { agent: { agent_name: 'one' } }))
        .results('a')
        .send(all(noReasoning, noIds)),
    ));
  it('nothing was ever issued', () =>
    check(
      talk(PLAIN, { reasoning: undefined })
        .user('Go.')
        .answer(fc('a'))
        .results('a')
        .answer(msg('Gone.'))
        .user('Back.')
        .send(),
    ));
});
