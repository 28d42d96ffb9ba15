import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, drop, keep, move, noIds, noReasoning, noReasoningIds, order, put, set, splice } from './edits.ts';
import {
  assistant,
  compaction,
  developer,
  fc,
  msg,
  out,
  ref,
  rs,
  rsId,
  rsSum,
  rsText,
  seal,
  search,
  thought,
  user,
  without,
} from './items.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ALL_TURNS, ALWAYS, CHECKED, GROK, THIS_TURN } from './models.ts';
import { chain, conversation, talk } from './talk.ts';

/** What each key of a report counts. */

const batch = (model = THIS_TURN) =>
  talk(model).user('Compare three depots.').answer(rs('a'), fc('a'), fc('b'), fc('c')).results('a', 'b', 'c');
const interleaved = (model = THIS_TURN) =>
  talk(model).user('Mend both.').answer(rs('a'), fc('a'), rs('b'), fc('b')).results('a', 'b');

describe('dropped: absent while some of its answer is still sent', () => {
  it('reasoning and ids stripped: accepted, and lost', () =>
    check(openLoop(THIS_TURN).send(all(noReasoning, noIds)).finds({ dropped: 2 })));
  it('and the calls are given other ids', () =>
    check(
      batch()
        .send(
          all(noReasoning, noIds, (items) =>
            items.map((item) => (item.call_id === undefined ? item : { ...item, call_id: `own_${item.call_id}` })),
          ),
        )
        .finds({ dropped: 1 }),
    ));
  it('one of two', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(drop('rs_b'), noIds))
        .finds({ dropped: 1 }),
    ));
  it('the calls keep their ids: refused as well', () =>
    check(openLoop(THIS_TURN).send(noReasoning).finds({ dropped: 2, orphaned: 2 })));
  it('a loss counts at each step that shows it', () =>
    check(
      openLoop(THIS_TURN)
        .edit(all(drop('rs_a'), noIds))
        .send()
        .finds({ dropped: 1 })
        .reply(rs('c'), fc('c'))
        .results('c')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('one of two in a run that leads to one call', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), rs('b'), fc('a'))
        .results('a')
        .send(drop('rs_a'))
        .finds({ dropped: 1 }),
    ));
  it('only the text of a finished answer is left, and its model reads every turn', () =>
    check(
      closedLoop(ALL_TURNS)
        .send(all(drop('rs_a', 'rs_b'), noIds))
        .finds({ dropped: 2 }),
    ));
  it('the text goes back as a plain string', () =>
    check(
      closedLoop(ALL_TURNS)
        .send(
          all(
            drop('rs_b'),
            put('Two crates are late.', () => assistant('Two crates are late.')),
          ),
        )
        .finds({ dropped: 1 }),
    ));
  it('on Grok, of a turn that is over', () =>
    check(closedLoop(GROK).send(all(noReasoning, noIds)).finds({ dropped: 2 })));
  it('call ids that repeat from turn to turn', () =>
    check(
      talk(ALL_TURNS)
        .user('Start.')
        .answer(rs('a'), fc('0', {}, { id: 'fc_1' }))
        .append(out('0'))
        .answer(rs('b'), msg('Finished the first.'))
        .user('Next.')
        .answer(rs('c'), fc('0', {}, { id: 'fc_2' }))
        .append(out('0'))
        .send(all(drop('rs_c'), noIds))
        .finds({ dropped: 1 }),
    ));
  it('all that is left are the results', () =>
    check(openLoop(THIS_TURN).send(splice(1, 5)).finds({ dropped: 1, trimmed: 1 })));
});

describe('trimmed: left with its whole answer and the results of that', () => {
  const long = (model: string) =>
    closedLoop(model).answer(rs('c'), fc('c')).results('c').answer(rs('d'), msg('The blue one.')).user('Book it.');

  it('a window over finished turns, where every turn is read', () =>
    check(long(ALL_TURNS).send(splice(0, 6)).notes({ trimmed: 2 })));
  it('where only this turn is read nothing is owed', () => check(long(THIS_TURN).send(splice(0, 6))));
  it('steps of the turn that is going on', () => check(openLoop(THIS_TURN).send(splice(1, 3)).notes({ trimmed: 1 })));
  it('with a loss in what stayed', () =>
    check(
      long(ALL_TURNS)
        .send(all(splice(0, 6), drop('rs_c'), noIds))
        .finds({ trimmed: 2, dropped: 1 }),
    ));
  it('where the prefix counts, what stays is behind a change', () =>
    check(long(CHECKED).send(splice(0, 6)).finds({ trimmed: 2, prefix_broken: 2 })));
});

describe('edited', () => {
  it('the payload, under its id', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { encrypted_content: `${seal('a').slice(0, 90)}AAAA${seal('a').slice(94)}` }))
        .finds({ edited: 1 }),
    ));
  it('any other payload under the same id', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { encrypted_content: seal('unheard') }))
        .finds({ edited: 1 }),
    ));
  it('a cut payload without its id', () =>
    check(
      openLoop(THIS_TURN)
        .send(
          all(noIds, (items) =>
            items.map((item) =>
              item.encrypted_content === seal('a') ? { ...item, encrypted_content: seal('a').slice(0, 120) } : item,
            ),
          ),
        )
        .finds({ edited: 1 }),
    ));
  it('two payloads exchanged', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(set('rs_a', { encrypted_content: seal('b') }), set('rs_b', { encrypted_content: seal('a') })))
        .finds({ edited: 2 }),
    ));
  it('another id', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { id: 'rs_other' }))
        .finds({ edited: 1 }),
    ));
  it('no id and no payload', () =>
    check(
      openLoop(THIS_TURN)
        .send(
          all(noIds, (items) =>
            items.map((item) => (item.encrypted_content === seal('a') ? without(item, 'encrypted_content') : item)),
          ),
        )
        .finds({ edited: 1 }),
    ));
  it('the text, under its id and at a host that could look it up', () => {
    const open = () =>
      talk('gpt-oss-20b', { store: true })
        .target({ endpoint: 'vllm' })
        .user('Go.')
        .answer(rsText('a'), fc('a'))
        .results('a');
    const saying = (text: string) => set('rs_a', { content: [{ type: 'reasoning_text', text }] });
    check(
      open()
        .send(saying(thought('a').slice(0, 40)))
        .finds({ edited: 1 }),
    );
    check(open().send(saying('')).finds({ dropped: 1, fabricated: 1 }));
    check(open().send(set('rs_a', { content: undefined })));
  });
  it('the text, where it is ignored', () => {
    const closed = (config: object) =>
      talk('deepseek-v4-pro', { ...config })
        .user('Go.')
        .answer(rsText('a'), msg('Gone to the depot.'))
        .user('Back.');
    const cut = set('rs_a', { content: [{ type: 'reasoning_text', text: thought('a').slice(0, 40) }] });
    check(
      closed({ tools: [{ type: 'function', name: 'lookup' }] })
        .send(cut)
        .finds({ edited: 1 }),
    );
    check(closed({}).send(cut).notes({ edited: 1 }));
  });
  it('another name for the payload', () =>
    check(
      openLoop(THIS_TURN)
        .send(put('rs_a', (item) => ({ ...without(item, 'encrypted_content'), encryptedContent: seal('a') })))
        .finds({ edited: 1 }),
    ));
  it('another type for the item', () =>
    check(
      openLoop(THIS_TURN)
        .send(
          all(noIds, (items) =>
            items.map((item) => (item.encrypted_content === seal('a') ? { ...item, type: 'thinking' } : item)),
          ),
        )
        .finds({ edited: 1 }),
    ));
  it('the summary list is gone', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { summary: undefined }))
        .finds({ edited: 1 }),
    ));
  it('the summary says something else: nobody checks it', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rsSum('a'), fc('a'))
        .results('a')
        .send(set('rs_a', { summary: [{ type: 'summary_text', text: 'Considered.' }] }))
        .notes({ edited: 1 }),
    ));
  it('the summary was emptied', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rsSum('a'), fc('a'))
        .results('a')
        .send(set('rs_a', { summary: [] }))
        .notes({ edited: 1 }),
    ));
  it('readable text under an intact payload, where there was none', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { content: [{ type: 'reasoning_text', text: 'Considered.' }] }))
        .finds({ edited: 1 }),
    ));
  it('readable text moved to the summary under an intact payload', () =>
    check(
      talk(GROK)
        .user('Go.')
        .answer(rs('a', { content: [{ type: 'reasoning_text', text: 'Considered.' }] }), fc('a'))
        .results('a')
        .send(set('rs_a', { content: undefined, summary: [{ type: 'summary_text', text: 'Considered.' }] }))
        .finds({ edited: 1 }),
    ));
  it('a phase is lost, on each message that had one', () =>
    check(
      talk('gpt-5.4')
        .user('Go.')
        .answer(rs('a'), msg('Let me look at it.', { phase: 'commentary' }), fc('a'))
        .results('a')
        .answer(rs('b'), msg('It is the third crate.', { phase: 'final_answer' }))
        .user('Thanks.')
        .send((items) => items.map((item) => without(item, 'phase')))
        .notes({ edited: 2 }),
    ));
  it('a phase is wrong', () =>
    check(
      talk('gpt-5.4')
        .user('Go.')
        .answer(rs('a'), msg('Let me look at it.', { phase: 'commentary' }), fc('a'))
        .results('a')
        .send(set('Let me look at it.', { phase: 'final_answer' }))
        .notes({ edited: 1 }),
    ));
  it('a call that is no direct follower is taken out of the batch', () =>
    check(batch().send(drop('fc_c', 'call_c')).finds({ edited: 1 })));
  it('a unit in two elements is one edit', () =>
    check(
      openLoop(THIS_TURN)
        .send(
          put('rs_b', (item) => [
            { ...item, encrypted_content: seal('b').slice(0, 80) },
            { ...without(item, 'id'), encrypted_content: seal('b').slice(80) },
          ]),
        )
        .finds({ edited: 1 }),
    ));
});

describe('unsealed: named by an id where nothing is kept', () => {
  it('the payload is stripped', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { encrypted_content: undefined }))
        .finds({ unsealed: 1 }),
    ));
  it('the payload is null', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('rs_a', { encrypted_content: null }))
        .finds({ unsealed: 1 }),
    ));
  it('it never had one', () =>
    check(talk(THIS_TURN).user('Go.').answer(rsId('a'), fc('a')).results('a').send().finds({ unsealed: 1 })));
  it('named instead of sent', () => check(openLoop(THIS_TURN).send(put('rs_a', ref)).finds({ unsealed: 1 })));
  it('where the responses are kept an id is enough', () =>
    check(openLoop(THIS_TURN, { store: true }).send(set('rs_a', { encrypted_content: undefined }))));
  it('kept then, though not now', () =>
    check(openLoop(THIS_TURN, { store: true }).send(set('rs_a', { encrypted_content: undefined }), { store: false })));
});

describe('orphaned: reasoning and what it led to, ids on both or on neither', () => {
  it('the call lost its id', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('fc_a', { id: undefined }))
        .finds({ orphaned: 1 }),
    ));
  it('the reasoning lost its id, the call did not', () =>
    check(openLoop(THIS_TURN).send(noReasoningIds).finds({ orphaned: 2 })));
  it('both lost theirs', () => check(openLoop(THIS_TURN).send(noIds)));
  it('the call is gone', () => check(openLoop(THIS_TURN).send(drop('fc_b', 'call_b')).finds({ orphaned: 1 })));
  it('a message stands between them', () =>
    check(
      openLoop(THIS_TURN)
        .send(splice(2, 0, assistant('Let me look that up.')))
        .finds({ orphaned: 1 }),
    ));
  it('in a turn that is over, by its follower', () =>
    check(closedLoop(ALWAYS).send(drop('rs_b')).finds({ orphaned: 1, dropped: 1 })));
  it('one partner of three calls', () => check(batch().send(drop('rs_a')).finds({ orphaned: 1, dropped: 1 })));
  it('a run is one partner', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), rs('b'), fc('a'))
        .results('a')
        .send(noReasoning)
        .finds({ orphaned: 1, dropped: 2 }),
    ));
  it('calls in another order still stand behind their reasoning', () =>
    check(batch().send(order('Compare three depots.', 'rs_a', 'fc_b', 'fc_a', 'fc_c', 'call_a', 'call_b', 'call_c'))));
  it('a message that it led to stands behind the call', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), msg('Let me look at it.'), fc('a'))
        .results('a')
        .send(order('Go.', 'rs_a', 'fc_a', 'Let me look at it.', 'call_a'))
        .finds({ orphaned: 1 }),
    ));
  it('before a call that the provider ran', () =>
    check(
      talk(ALWAYS)
        .user('What is new?')
        .answer(rs('a'), search('a'), rs('b'), msg('Nothing is new.'))
        .user('And elsewhere?')
        .send(drop('ws_a'))
        .finds({ orphaned: 1 }),
    ));
  it('reasoning at the end of a response that was cut, sent again', () =>
    check(
      talk(ALWAYS)
        .user('Go.')
        .carrying({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
        .answer(rs('a'))
        .user('Go on.')
        .send()
        .finds({ orphaned: 1 }),
    ));
  it('left out, which is the repair', () =>
    check(
      talk(ALWAYS)
        .user('Go.')
        .carrying({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
        .answer(rs('a'))
        .edit(drop('rs_a'))
        .user('Go on.')
        .send(),
    ));
  it('or followed by name', () =>
    check(
      chain(ALWAYS)
        .user('Go.')
        .carrying({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
        .answer(rs('a'))
        .user('Go on.')
        .send()
        .finds({ orphaned: 1 }),
    ));
  it('named items keep their ids', () =>
    check(
      openLoop(ALWAYS, { store: true }).send(
        all(put('rs_a', ref), put('fc_a', ref), put('rs_b', ref), put('fc_b', ref)),
      ),
    ));
  it('the call is named, its reasoning is not there', () =>
    check(
      openLoop(ALWAYS, { store: true })
        .send(all(drop('rs_a'), put('fc_a', ref)))
        .finds({ orphaned: 1, dropped: 1 }),
    ));
  it('not on xAI, which pairs nothing', () => check(openLoop(GROK).send(noReasoningIds)));
  it('nor on a server of one’s own', () =>
    check(
      talk('qwen3-32b', { store: true })
        .target({ endpoint: '127.0.0.1:8000' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(noReasoningIds),
    ));
});

describe('reordered, misplaced: known reasoning at another place', () => {
  it('clustered at the front of its answer, ids kept', () =>
    check(
      interleaved()
        .send(order('Mend both.', 'rs_a', 'rs_b', 'fc_a', 'fc_b', 'call_a', 'call_b'))
        .finds({ reordered: 1, orphaned: 1 }),
    ));
  it('clustered, without ids', () =>
    check(
      interleaved()
        .send(all(order('Mend both.', 'rs_a', 'rs_b', 'fc_a', 'fc_b', 'call_a', 'call_b'), noIds))
        .finds({ reordered: 1 }),
    ));
  it('behind its call', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(move('rs_b', 5), noIds))
        .finds({ reordered: 1 }),
    ));
  it('in front of a call of its answer instead of the text that it led to', () =>
    check(
      talk(THIS_TURN)
        .user('Mend it.')
        .answer(rs('a'), msg('Opening it first.'), fc('a'))
        .results('a')
        .send(all(move('fc_a', 2), noIds))
        .finds({ reordered: 1 }),
    ));
  it('in front of another call of the same batch: they share it', () =>
    check(batch().send(all(move('fc_c', 2), noIds))));
  it('behind the result of its call, or behind the next question', () => {
    check(talk(GROK).user('Go.').answer(rs('a'), fc('a')).results('a').send(move('rs_a', 3)).finds({ misplaced: 1 }));
    check(
      talk(GROK).user('Go.').answer(rs('a'), msg('Gone.')).user('Back.').send(move('rs_a', 3)).finds({ misplaced: 1 }),
    );
  });
  it('among the items of another answer', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(move('rs_b', 1), noIds))
        .finds({ misplaced: 1 }),
    ));
  it('the same with ids: the pair is broken, too', () =>
    check(openLoop(THIS_TURN).send(move('rs_b', 1)).finds({ misplaced: 1, orphaned: 1 })));
  it('in front of results that stood before it', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(move('rs_b', 3), noIds))
        .finds({ misplaced: 1 }),
    ));
  it('two answers with all results at the end', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(order('Which crates are late today?', 'rs_a', 'rs_b', 'fc_a', 'fc_b', 'call_a', 'call_b'), noIds))
        .finds({ reordered: 1 }),
    ));
  it('another run’s, in the place of its own', () => {
    const run = talk(THIS_TURN).user('Compare three depots.');
    run.fork().answer(rs('b'), fc('b'));
    run.answer(rs('a'), fc('a')).results('a');
    return check(
      run
        .send(
          all(
            put('rs_a', () => rs('b')),
            noIds,
          ),
        )
        .finds({ misplaced: 1, dropped: 1 }),
    );
  });
  it('its payload on the call, and where it was', () =>
    check(
      openLoop(THIS_TURN)
        .send(set('fc_b', { encrypted_content: seal('b') }))
        .finds({ duplicated: 1 }),
    ));
  it('its payload on the call', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(drop('rs_b'), set('fc_b', { encrypted_content: seal('b') }), noIds))
        .finds({ misplaced: 1 }),
    ));
});

describe('fabricated', () => {
  it('a payload that no response contained, in the place of one', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(set('rs_b', { encrypted_content: seal('unheard'), id: undefined }), noIds))
        .finds({ fabricated: 1, dropped: 1 }),
    ));
  it('reasoning before a call that had none', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(fc('a'))
        .results('a')
        .send(splice(1, 0, rs('unheard')))
        .finds({ fabricated: 1 }),
    ));
  it('an item between two that have no ids', () =>
    check(
      openLoop(THIS_TURN)
        .send(all(noIds, splice(2, 0, assistant('Let me look that up.'))))
        .finds({ fabricated: 1 }),
    ));
  it('history that nobody here saw is not judged', () =>
    check(
      talk(THIS_TURN)
        .append(user('Go.'), rs('before'), fc('before'), out('before'))
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(),
    ));
});

describe('converted_to_text', () => {
  const spoken = (model: string) => talk(model).user('Go.').answer(rsSum('a'), fc('a')).results('a');
  it('the summary is pasted as a message of its own', () =>
    check(
      spoken(THIS_TURN)
        .send(
          all(
            put('rs_a', () => assistant(thought('a'))),
            noIds,
          ),
        )
        .finds({ converted_to_text: 1 }),
    ));
  it('into the answer', () =>
    check(
      talk(ALL_TURNS)
        .user('Go.')
        .answer(rsSum('a'), msg('It is the third crate.'))
        .user('Thanks.')
        .send(
          all(
            drop('rs_a'),
            put('It is the third crate.', () => assistant(`<think>${thought('a')}</think>It is the third crate.`)),
          ),
        )
        .finds({ converted_to_text: 1 }),
    ));
  it('in a turn that is over and not read', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rsSum('a'), msg('It is the third crate.'))
        .user('Thanks.')
        .send(
          all(
            put('rs_a', () => assistant(thought('a'))),
            noIds,
          ),
        )
        .notes({ converted_to_text: 1 }),
    ));
});

describe('duplicated', () => {
  it('an item twice', () =>
    check(
      openLoop(THIS_TURN)
        .send(put('rs_a', (item) => [item, item]))
        .finds({ duplicated: 1 }),
    ));
  it('one for each call, where each call is to have one', () =>
    check(
      talk('deepseek-v4-pro', { tools: [{ type: 'function', name: 'lookup' }] })
        .user('Go.')
        .answer(rsText('a'), fc('a'), fc('b'))
        .results('a', 'b')
        .send(put('fc_b', (item) => [rsText('a'), item])),
    ));
  it('one for each call', () =>
    check(
      batch()
        .send(
          all(
            put('fc_b', (item) => [rs('a'), item]),
            put('fc_c', (item) => [rs('a'), item]),
          ),
        )
        .finds({ duplicated: 2 }),
    ));
  it('a whole answer', () =>
    check(
      openLoop(THIS_TURN)
        .send(splice(4, 0, rs('a'), fc('a'), out('a')))
        .finds({ duplicated: 1 }),
    ));
  it('history on top of a chain that holds it', () =>
    check(
      chain(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send((items) => [user('Go.'), rs('a'), fc('a'), ...items])
        .finds({ duplicated: 1 }),
    ));
  it('named on top of a conversation that holds it', () =>
    check(
      conversation(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send((items) => [ref(rs('a')), ...items])
        .finds({ duplicated: 1 }),
    ));
});

describe('merged', () => {
  it('two items in one, under the payload of the last', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rsSum('a'), rsSum('b'), fc('a'))
        .results('a')
        .send(
          all(
            drop('rs_a'),
            set('rs_b', { summary: [thought('a'), thought('b')].map((text) => ({ type: 'summary_text', text })) }),
          ),
        )
        .finds({ merged: 1, dropped: 1 }),
    ));
  it('two payloads in one: neither survives', () =>
    check(
      talk(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), rs('b'), fc('a'))
        .results('a')
        .send(
          all(
            drop('rs_a'),
            set('rs_b', { encrypted_content: seal('a') + seal('b'), id: undefined }),
            set('fc_a', { id: undefined }),
          ),
        )
        .finds({ dropped: 2 }),
    ));
});

describe('foreign', () => {
  it('another maker’s payload', () =>
    check(openLoop(GROK).with({ model: THIS_TURN }).send(noIds).finds({ foreign: 2 })));
  it('another account', () =>
    check(
      talk(THIS_TURN)
        .target({ auth_fingerprint: 'one' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .target({ auth_fingerprint: 'two' })
        .send()
        .finds({ foreign: 1 }),
    ));
  it('another host', () =>
    check(openLoop(THIS_TURN).target({ endpoint: 'eu.openai.azure.com' }).send().finds({ foreign: 2 })));
  it('another upstream of a router, as the answer says', () => {
    const routed = (model: string) =>
      talk(model)
        .target({ endpoint: 'openrouter.ai' })
        .user('Go.')
        .carrying({ provider: 'OpenAI' })
        .answer(rs('a'), fc('a'))
        .results('a');
    const goesOn = (model: string, provider: string) =>
      routed(model).send(noReasoningIds).carrying({ provider }).reply(rs('b'), fc('b'));
    check(goesOn('openai/gpt-5.5', 'OpenAI'));
    check(
      routed('openai/gpt-5.5')
        .send(noReasoningIds)
        .finds({ foreign: 1 })
        .carrying({ provider: 'Azure' })
        .reply(rs('b')),
    );
    check(goesOn('anthropic/claude-opus-4.8', 'Google'));
  });
  it('another resource of one host', () =>
    check(
      talk(THIS_TURN)
        .target({ endpoint: 'eu.openai.azure.com' })
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .target({ endpoint: 'us.openai.azure.com' })
        .send()
        .finds({ foreign: 1 }),
    ));
  it('the vendor’s own host by any of its names is one', () =>
    check(openLoop(THIS_TURN).target({ endpoint: 'api.openai.com' }).send()));
  it('another model of the maker reads it, as far as anybody knows', () =>
    check(openLoop('gpt-6.1-sol').with({ model: 'gpt-5.6' }).send()));
});

describe('split_results', () => {
  const asked = (start: typeof talk) => start(THIS_TURN).user('Both.').answer(rs('a'), fc('a'), fc('b'));
  it('one of two results, by name', () => check(asked(chain).results('a').send().finds({ split_results: 1 })));
  it('the other one a step later', () =>
    check(
      asked(chain)
        .results('a')
        .send()
        .finds({ split_results: 1 })
        .reply()
        .results('b')
        .send()
        .finds({ split_results: 1 }),
    ));
  it('a call that says it is asynchronous', () =>
    check(
      chain(THIS_TURN)
        .user('Both.')
        .answer(rs('a'), fc('a'), fc('b', {}, { async: true }))
        .results('a')
        .send(),
    ));
  it('an approval that waits', () =>
    check(
      chain(THIS_TURN)
        .user('Both.')
        .answer(rs('a'), fc('a'), { type: 'mcp_approval_request', id: 'mcpr_1', name: 'delete', arguments: '{}' })
        .results('a')
        .send(),
    ));
  it('results between the calls are no split', () =>
    check(batch().send(order('Compare three depots.', 'rs_a', 'fc_a', 'call_a', 'fc_b', 'call_b', 'fc_c', 'call_c'))));
});

describe('mode_toggled', () => {
  it('the parameter is gone, and the default is not to reason', () =>
    check(openLoop(THIS_TURN).send(undefined, { reasoning: undefined }).finds({ mode_toggled: 1 })));
  it('effort none', () =>
    check(
      openLoop(ALL_TURNS)
        .send(undefined, { reasoning: { effort: 'none' } })
        .finds({ mode_toggled: 1 }),
    ));
  it('on a chain, which does not inherit it', () =>
    check(
      chain(THIS_TURN)
        .user('Go.')
        .answer(rs('a'), fc('a'))
        .results('a')
        .send(undefined, { reasoning: undefined })
        .finds({ mode_toggled: 1 }),
    ));
  it('by an item of the history', () =>
    check(
      openLoop('gpt-6-sol')
        .append({ type: 'configuration_update', reasoning: { effort: 'none' } })
        .send()
        .finds({ mode_toggled: 1 }),
    ));
  it('a default that reasons may be left to itself', () =>
    check(openLoop(ALWAYS).send(undefined, { reasoning: undefined })));
  it('between two turns anything goes', () => check(closedLoop(THIS_TURN).send(undefined, { reasoning: undefined })));
  it('another effort is no switch', () =>
    check(openLoop(THIS_TURN).send(undefined, { reasoning: { effort: 'high' } })));
});

describe('prefix_broken, where the model checks what stood before', () => {
  it('a result is shortened: what comes after it', () =>
    check(
      openLoop(CHECKED)
        .send(set('call_a', { output: '[cleared]' }))
        .finds({ prefix_broken: 1 }),
    ));
  it('on a model that does not check', () => check(openLoop(ALL_TURNS).send(set('call_a', { output: '[cleared]' }))));
  it('the question', () =>
    check(
      openLoop(CHECKED)
        .send(splice(0, 1, user('Which crates?')))
        .finds({ prefix_broken: 2 }),
    ));
  it('an item is put in', () =>
    check(
      openLoop(CHECKED)
        .send(splice(4, 0, developer('Be brief.')))
        .finds({ prefix_broken: 1 }),
    ));
  it('the tools', () =>
    check(
      openLoop(CHECKED, { tools: [{ type: 'function', name: 'lookup' }] })
        .send(undefined, {
          tools: [
            { type: 'function', name: 'lookup' },
            { type: 'function', name: 'send' },
          ],
        })
        .finds({ prefix_broken: 2 }),
    ));
  it('the order of the tools', () =>
    check(
      openLoop(CHECKED, { tools: [{ name: 'a' }, { name: 'b' }] })
        .send(undefined, { tools: [{ name: 'b' }, { name: 'a' }] })
        .finds({ prefix_broken: 2 }),
    ));
  it('the output format, on a chain', () =>
    check(
      openLoop(CHECKED, {}, chain)
        .send(undefined, { text: { format: { type: 'json_object' } } })
        .finds({ prefix_broken: 2 }),
    ));
  it('instructions do not count', () =>
    check(openLoop(CHECKED, { instructions: 'Be kind.' }).send(undefined, { instructions: 'Be brief.' })));
  it('nor does what is appended', () =>
    check(
      openLoop(CHECKED)
        .append(developer('Be brief.'), { type: 'additional_tools', role: 'developer', tools: [] })
        .send(),
    ));
  it('nor key order, spacing, ids, status or annotations', () =>
    check(
      openLoop(CHECKED).send(
        all(noIds, (items) =>
          items.map((item) =>
            item.type === 'function_call'
              ? {
                  arguments: `{ "key" :  ${JSON.stringify(String(item.call_id).slice(5))} }`,
                  ...without(item, 'arguments'),
                  status: 'completed',
                }
              : item,
          ),
        ),
      ),
    ));
  it('reasoning left out in the middle', () =>
    check(
      openLoop(CHECKED)
        .answer(rs('c'), fc('c'))
        .results('c')
        .send(all(drop('rs_b'), noIds))
        .finds({ dropped: 1, prefix_broken: 1 }),
    ));
  it('and put back: what was produced while it was gone', () =>
    check(
      openLoop(CHECKED)
        .send(all(drop('rs_a'), noIds))
        .finds({ dropped: 1, prefix_broken: 1 })
        .reply(rs('c'), fc('c'))
        .results('c')
        .send()
        .finds({ prefix_broken: 1 }),
    ));
});

describe('text is all there is: reasoning of open weights', () => {
  it.each([
    ['qwen3-32b', {}],
    ['glm-5', {}],
    ['minimax-m2', { dropped: 1 }],
  ])('of a turn that is over, on %s', (model, report) => {
    const run = talk(model).user('Go.').answer(rsText('a'), msg('Gone.')).user('Back.').send(noReasoning);
    check('dropped' in report ? run.finds(report) : run);
  });
  it.each(['kimi-k3', 'anthropic/claude-opus-4.8', 'google/gemini-3.5-flash'])(
    'of a turn that is over, on %s, which reads every turn',
    (model) =>
      check(
        talk(model)
          .target({ endpoint: 'openrouter.ai' })
          .user('Go.')
          .answer(rs('a'), msg('Gone.'))
          .user('Back.')
          .send(noReasoning)
          .finds({ dropped: 1 }),
      ),
  );
  it('of a turn that is over, on a model that nobody knows', () =>
    check(
      talk('house-model')
        .user('Go.')
        .answer(rsText('a'), msg('Gone.'))
        .user('Back.')
        .send(noReasoning)
        .notes({ dropped: 1 }),
    ));
  const local = (model = 'deepseek-v4-pro') =>
    talk(model, { store: undefined, tools: [{ name: 'lookup' }] })
      .target({ endpoint: 'inference.example:8000' })
      .with({ store: false })
      .user('Go.')
      .answer(rsText('a'), fc('a'))
      .results('a');
  it('comes back', () => check(local().send()));
  it('is left out', () => check(local().send(noReasoning).finds({ dropped: 1 })));
  it('says something else', () =>
    check(
      local()
        .send(set('rs_a', { content: [{ type: 'reasoning_text', text: `${thought('a').slice(0, -14)}.` }] }))
        .finds({ edited: 1 }),
    ));
  it('is blank', () =>
    check(
      local()
        .send(set('rs_a', { content: [{ type: 'reasoning_text', text: ' ' }] }))
        .finds({ dropped: 1, fabricated: 1 }),
    ));
  it('is a constant', () =>
    check(
      local()
        .send(set('rs_a', { id: undefined, content: [{ type: 'reasoning_text', text: 'ok' }] }))
        .finds({ dropped: 1, fabricated: 1 }),
    ));
  it('has only a summary left', () =>
    check(
      local()
        .send(set('rs_a', { content: undefined }))
        .finds({ edited: 1 }),
    ));
  it('without tools nobody asks for it', () =>
    check(talk('deepseek-v4-pro').user('Go.').answer(rsText('a'), msg('Gone.')).user('Back.').send(noReasoning)));
  it('with tools everybody does, of every turn', () =>
    check(
      talk('deepseek-v4-pro', { tools: [{ name: 'lookup' }] })
        .user('Go.')
        .answer(rsText('a'), msg('Gone.'))
        .user('Back.')
        .send(noReasoning)
        .finds({ dropped: 1 }),
    ));
});

describe('compaction items are carried like reasoning', () => {
  const compacted = (model = ALL_TURNS) =>
    closedLoop(model).answer(compaction('x'), rs('c'), msg('The blue one.')).user('Book it.');
  it('altered', () =>
    check(
      compacted()
        .send(set('cmp_x', { encrypted_content: seal('unheard') }))
        .finds({ edited: 1 }),
    ));
  it('left out', () => check(compacted().send(drop('cmp_x')).finds({ dropped: 1 })));
  it('what came with and after it has to come back', () =>
    check(
      compacted()
        .send(all(splice(0, 7), drop('rs_c'), noIds))
        .finds({ dropped: 1 }),
    ));
  it('what stood before it need not', () => check(compacted().send(splice(0, 7))));
});

it('several things at once stand beside one another', () =>
  check(
    openLoop(THIS_TURN)
      .answer(rs('c'), fc('c'))
      .results('c')
      .send(
        all(
          drop('rs_a'),
          put('rs_b', (item) => [item, item]),
          set('rs_c', { id: 'rs_z' }),
        ),
      )
      .finds({ dropped: 1, orphaned: 1, duplicated: 1, edited: 1 }),
  ));

it('a filter that keeps messages only leaves the results behind', () =>
  check(
    closedLoop(THIS_TURN)
      .answer(rs('c'), fc('c'))
      .results('c')
      .send(keep((item) => item.type !== 'reasoning' && item.type !== 'function_call'))
      .finds({ dropped: 3, orphaned: 1 }),
  ));
