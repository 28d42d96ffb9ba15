import { describe, it } from 'vitest';
import { check, responses, type Talk } from './talk.ts';
import {
  ahead,
  all,
  bare,
  dev,
  easy,
  exactly,
  fc,
  out,
  ref,
  rs,
  say,
  seal,
  set,
  stored,
  thought,
  user,
  without,
} from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;

const ASK = 'Which of the six depots is short of salt?';
/** One step of a loop, answered by its tool: user, reasoning, call, output. */
const step = (model = 'gpt-5.2', config = {}, meta?: Record<string, unknown>): Talk =>
  responses(model, config, meta).user(ASK).answer(rs('a'), fc('c1')).results('c1');
const twoSteps = (model = 'gpt-5.2', config = {}): Talk => step(model, config).answer(rs('b'), fc('c2')).results('c2');
/** A finished turn and a new question. */
const turn = (model = 'gpt-5.2', config = {}, meta?: Record<string, unknown>): Talk =>
  responses(model, config, meta).user(ASK).answer(rs('a'), say('m', 'Depot four.')).user('Since when?');

// P1, P2: a reasoning item and the item it led to travel together, ids kept or stripped on both.
describe('pairing', () => {
  clean('both whole', () => step().send());
  // 3.3: kept ciphertext, dropped the rs_ id and the follower's server id: accepted, reasoning kept.
  clean('ids off both, payload kept', () => step().send(bare('rs_a', 'fc_c1')));
  // P2: "ciphertext alone excuses the missing rs_ id only when the follower too is sent without its server id".
  judged('id off the reasoning only', () => step().send(bare('rs_a')).finds({ orphaned: 1 }));
  // "a reasoning item with its server id not directly followed by its follower with its server id".
  judged('id off the call only', () => step().send(bare('fc_c1')).finds({ orphaned: 1 }));
  // "a follower re-sent with its server id without its reasoning (absent …)", and the unit is gone: dropped as well.
  judged('reasoning gone, call keeps its id', () => step().send(without('rs_a')).finds({ dropped: 1, orphaned: 1 }));
  judged('reasoning gone before a final message that keeps its id, on a model that reads the turn only', () =>
    turn('gpt-5-mini').send(without('rs_a')).finds({ dropped: 1, orphaned: 1 }),
  );
  // 3.3: stripped reasoning and the server ids of what it led to: 200, reasoning lost.
  judged('reasoning and all ids gone', () =>
    step()
      .send(all(without('rs_a'), bare('fc_c1')))
      .finds({ dropped: 1 }),
  );
  // A removed follower is orphaned, not edited.
  judged('follower removed', () => step().send(without('fc_c1', 'out_c1')).finds({ orphaned: 1 }));
  // P3: a message put between the two, which keep their ids, breaks P1; counted once a missing partner.
  judged('a commentary message put between', () =>
    step()
      .send(ahead('fc_c1', easy('Looking that up now.')))
      .finds({ orphaned: 1 }),
  );
  // "Where neither side has a server id … an item between them that no response contained is fabricated".
  judged('the same without ids', () =>
    step()
      .send(all(ahead('fc_c1', easy('Looking that up now.')), bare('rs_a', 'fc_c1')))
      .finds({ fabricated: 1 }),
  );
  // "… an issued one reordered": the smallest number to take out is one.
  judged('an issued message put between, without ids', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(say('m', 'I will ask the stock list.'), rs('a'), fc('c1'))
      .results('c1')
      .send(
        exactly(
          user(ASK),
          { ...rs('a'), id: undefined },
          { ...say('m', 'I will ask the stock list.'), id: undefined },
          { ...fc('c1'), id: undefined },
          out('c1'),
        ),
      )
      .finds({ reordered: 1 }),
  );
  // A run of reasoning items is one partner.
  judged('two reasoning items before one call', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), rs('b'), fc('c1'))
      .results('c1')
      .send(without('rs_a', 'rs_b'))
      .finds({ dropped: 2, orphaned: 1 }),
  );
  // P3: several calls may share one leading reasoning item.
  clean('parallel calls behind one item', () =>
    responses('gpt-5.2').user(ASK).answer(rs('a'), fc('c1'), fc('c2')).results('c1', 'c2').send(),
  );
  // "once per answer, a call removed from the batch of a sealed answer one of whose seals is still present".
  judged('one of two parallel calls removed', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'), fc('c2'))
      .results('c1', 'c2')
      .send(without('fc_c2', 'out_c2'))
      .finds({ edited: 1 }),
  );
  // P7: a response that ended right after reasoning is refused when it is replayed.
  judged('an incomplete answer of reasoning alone, replayed', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, rs('a'))
      .add(rs('a'))
      .user('Go on.')
      .send()
      .finds({ orphaned: 1 }),
  );
  // 10: removal of a trailing orphan before replay is the recommended repair.
  clean('the same, left out', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, rs('a'))
      .user('Go on.')
      .send(),
  );
  // Scope: pairing is judged at OpenAI and Azure.
  judged('on Azure', () =>
    step('gpt-5.2', {}, { endpoint: 'https://unit.openai.azure.com' }).send(bare('fc_c1')).finds({ orphaned: 1 }),
  );
  // … not at xAI.
  clean('not on xAI: the id of the call', () => step('grok-4.7').send(bare('fc_c1')));
  judged('not on xAI: reasoning gone', () => step('grok-4.7').send(without('rs_a')).finds({ dropped: 1 }));
  // Copies are never orphaned; copies beyond the first are duplicated.
  judged('a copy at the end', () =>
    step()
      .send((items) => [...items, rs('a')])
      .finds({ duplicated: 1 }),
  );
  judged('the answer twice, after a retry', () =>
    step()
      .send((items) => [...items, rs('a'), fc('c1'), out('c1')])
      .finds({ duplicated: 1 }),
  );
  // reordered stands with the unit, orphaned beside it.
  judged('reasoning behind its call, ids kept', () =>
    step()
      .send(all(without('rs_a'), ahead('out_c1', rs('a'))))
      .finds({ reordered: 1, orphaned: 1 }),
  );
  judged('reasoning behind its call, without ids', () =>
    step()
      .send(all(without('rs_a'), ahead('out_c1', rs('a')), bare('rs_a', 'fc_c1')))
      .finds({ reordered: 1 }),
  );
});

describe('identity', () => {
  // "A different id is edited".
  judged('id rewritten', () =>
    step()
      .send(set('rs_a', { id: 'rs_local_1' }))
      .finds({ edited: 1 }),
  );
  // "on Responses any other payload under the same id".
  judged('payload cut', () =>
    step()
      .send(set('rs_a', { encrypted_content: seal('a').slice(0, 150) }))
      .finds({ edited: 1 }),
  );
  judged('another payload under the same id', () =>
    step()
      .send(set('rs_a', { encrypted_content: seal('nobody') }))
      .finds({ edited: 1 }),
  );
  judged('payload re-encoded, without ids', () =>
    step()
      .send(
        all(
          set('rs_a', { encrypted_content: seal('a').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') }),
          bare('rs_a', 'fc_c1'),
        ),
      )
      .finds({ edited: 1 }),
  );
  // "an unrelated value is fabricated, and the issued seal dropped".
  judged('an unrelated payload, without ids', () =>
    step()
      .send(all(set('rs_a', { encrypted_content: seal('nobody') }), bare('rs_a', 'fc_c1')))
      .finds({ fabricated: 1, dropped: 1 }),
  );
  // S5: the value of `added` is not the one of `done`.
  judged('the unfinished payload of the added event', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({
        output: [rs('a'), fc('c1')],
        stream: [
          { type: 'response.output_item.added', output_index: 0, item: { ...rs('a'), encrypted_content: 'gAAAAB12' } },
          { type: 'response.output_item.done', output_index: 0, item: rs('a') },
          { type: 'response.output_item.done', output_index: 1, item: fc('c1') },
        ],
      })
      .add({ ...rs('a'), encrypted_content: 'gAAAAB12' }, fc('c1'), out('c1'))
      .send()
      .finds({ edited: 1 }),
  );
  // 10: ciphertext equal to any final value seen for that id.
  for (const name of ['a', 'second'])
    clean(`either final payload of one item: ${name}`, () =>
      responses('gpt-5.2')
        .user(ASK)
        .send()
        .receive({
          output: [{ ...rs('a'), encrypted_content: seal('second') }, fc('c1')],
          stream: [
            { type: 'response.output_item.done', output_index: 0, item: rs('a') },
            { type: 'response.output_item.done', output_index: 1, item: fc('c1') },
            {
              type: 'response.completed',
              response: {
                id: 'resp_x',
                model: 'gpt-5.2',
                status: 'completed',
                output: [{ ...rs('a'), encrypted_content: seal('second') }, fc('c1')],
              },
            },
          ],
        })
        .add({ ...rs('a'), encrypted_content: seal(name) }, fc('c1'), out('c1'))
        .send(),
    );
  // Always notes: an edited summary under an intact payload.
  for (const [title, summary] of [
    ['changed', [{ type: 'summary_text', text: 'Something else.' }]],
    ['emptied', []],
    ['truncated', [{ type: 'summary_text', text: thought('a').slice(0, 75) }]],
  ] as const)
    judged(`summary ${title}`, () =>
      responses('gpt-5.2')
        .user(ASK)
        .answer(rs('a', thought('a')), fc('c1'))
        .results('c1')
        .send(set('rs_a', { summary }))
        .notes({ edited: 1 }),
    );
  // 2.1: `summary` is required on input even when empty; without a mandatory member the unit is edited, and refused.
  judged('summary member gone', () =>
    step()
      .send(set('rs_a', { summary: undefined }))
      .finds({ edited: 1 }),
  );
  // 10, 11.3: status, created_by, content: null are no edits.
  clean('status and null members', () =>
    step().send(set('rs_a', { status: 'completed', content: null, created_by: 'x' })),
  );
  clean('status and annotations off the rest', () => step().send(set('fc_c1', { status: undefined })));
  // Fabricated: a reasoning-bearing item that no response contained.
  judged('reasoning invented for an answer without', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(fc('c1'))
      .results('c1')
      .send(ahead('fc_c1', rs('made')))
      .finds({ fabricated: 1 }),
  );
  // 3.3, S21: the summary pasted back as an assistant message.
  judged('summary as an assistant message', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a', thought('a')), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), easy(thought('a')), { ...fc('c1'), id: undefined }, out('c1')))
      .finds({ converted_to_text: 1 }),
  );
  judged('summary in tags', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a', thought('a')), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), easy(`<think>${thought('a')}</think>`), { ...fc('c1'), id: undefined }, out('c1')))
      .finds({ converted_to_text: 1 }),
  );
  // merged: items of which a seal survives; the unit that lost its seal is dropped as well, gained text is no edit.
  judged('two items joined into one', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a', thought('a')), rs('b', thought('b')), fc('c1'))
      .results('c1')
      .send(
        all(
          without('rs_b'),
          set('rs_a', { summary: [{ type: 'summary_text', text: `${thought('a')}\n\n${thought('b')}` }] }),
          bare('rs_a', 'fc_c1'),
        ),
      )
      .finds({ merged: 1, dropped: 1 }),
  );
});

describe('what is stored', () => {
  const kept = (): Talk => responses('gpt-5.2', { store: true }).user(ASK).answer(stored('a'), fc('c1')).results('c1');
  clean('by id', () => kept().send());
  clean('by reference', () => kept().send(exactly(user(ASK), ref('rs_a'), ref('fc_c1'), out('c1'))));
  clean('stored unless said otherwise', () =>
    responses('gpt-5.2', { store: undefined }).user(ASK).answer(stored('a'), fc('c1')).results('c1').send(),
  );
  clean('the payload off where the id is enough', () =>
    step('gpt-5.2', { store: true }).send(set('rs_a', { encrypted_content: undefined })),
  );
  // unsealed: id-only reasoning where nothing is stored; this key alone.
  for (const value of [undefined, null, ''])
    judged(`nothing is stored, payload ${value}`, () =>
      step()
        .send(set('rs_a', { encrypted_content: value }))
        .finds({ unsealed: 1 }),
    );
  judged('a reference where nothing is stored', () =>
    step()
      .send(exactly(user(ASK), ref('rs_a'), fc('c1'), out('c1')))
      .finds({ unsealed: 1 }),
  );
  // S23, and unsigned_on_arrival is not a key of this API.
  judged('it arrived without', () =>
    responses('gpt-5.2').user(ASK).answer(stored('a'), fc('c1')).results('c1').send().finds({ unsealed: 1 }),
  );

  // 10: with previous_response_id nothing but new items is expected.
  clean('chained', () => {
    const talk = kept();
    return talk.send(exactly(out('c1')), { previous_response_id: talk.last });
  });
  // P5, S9: re-sent on top of a chain that holds it.
  judged('chained and sent again', () => {
    const talk = kept();
    return talk.send(undefined, { previous_response_id: talk.last }).finds({ duplicated: 1 });
  });
  clean('a chain of three', () => {
    const talk = kept();
    talk.send(exactly(out('c1')), { previous_response_id: talk.last }).reply(stored('b'), fc('c2'));
    return talk.send(exactly(out('c2')), { previous_response_id: talk.last });
  });
  // A fork: an older parent with a new question only.
  clean('a branch from an older response', () => {
    const talk = kept();
    const first = talk.last;
    talk.send(exactly(out('c1')), { previous_response_id: first }).reply(stored('b'), say('m', 'Depot four.'));
    return talk.send(exactly(out('c1', 'another result')), { previous_response_id: first });
  });
  clean('a conversation', () =>
    kept()
      .with({ conversation: 'conv_1' })
      .send(exactly(out('c1'))),
  );
});

describe('turns and models', () => {
  // 10: on a current_turn model the reasoning of closed turns may be absent.
  clean('closed, current_turn', () => turn('gpt-5.2').send(all(without('rs_a'), bare('msg_m'))));
  clean('closed, text alone', () => turn('gpt-5.2').send(exactly(user(ASK), easy('Depot four.'), user('Since when?'))));
  // `all_turns` is the default of the gpt-5.6 family: the target still reads it.
  judged('closed, all_turns', () =>
    turn('gpt-5.6')
      .send(all(without('rs_a'), bare('msg_m')))
      .finds({ dropped: 1 }),
  );
  judged('closed, all_turns, text alone', () =>
    turn('gpt-5.6')
      .send(exactly(user(ASK), easy('Depot four.'), user('Since when?')))
      .finds({ dropped: 1 }),
  );
  clean('closed, current_turn asked for', () =>
    turn('gpt-5.6', { reasoning: { effort: 'medium', context: 'current_turn' } }).send(
      all(without('rs_a'), bare('msg_m')),
    ),
  );
  // 5.1: what the response reports is the truth.
  clean('closed, current_turn used', () =>
    turn('gpt-5.6')
      .send(all(without('rs_a'), bare('msg_m')))
      .receive({ reasoning: { effort: 'medium', context: 'current_turn' } }, say('n', 'Since May.')),
  );
  judged('closed, all_turns asked for and used', () =>
    turn('gpt-5.4', { reasoning: { effort: 'medium', context: 'all_turns' } })
      .send(all(without('rs_a'), bare('msg_m')))
      .finds({ dropped: 1 })
      .receive({ reasoning: { effort: 'medium', context: 'all_turns' } }, say('n', 'Since May.')),
  );
  // 3.3: earlier turns sent to a current_turn model: ignored, harmless; never carried on Responses.
  clean('closed and sent', () => turn('gpt-5.2').send());
  // The turn of Grok is preserved across user messages (section 7 of the companion).
  judged('closed, xAI', () => turn('grok-4.7').send(without('rs_a')).finds({ dropped: 1 }));
  // 11.5: a developer message starts no turn.
  judged('open behind a developer message', () =>
    step()
      .add(dev('Answer in one line.'))
      .send(all(without('rs_a'), bare('fc_c1')))
      .finds({ dropped: 1 }),
  );
  // The cycle ends with a user message that holds no result.
  clean('a user message closes', () =>
    step()
      .user('Never mind, which is fullest?')
      .send(all(without('rs_a'), bare('fc_c1'))),
  );
  // Counts describe the request.
  judged('a loss counts at each step', () =>
    step()
      .edit(all(without('rs_a'), bare('fc_c1')))
      .send()
      .finds({ dropped: 1 })
      .reply(rs('b'), fc('c2'))
      .results('c2')
      .send()
      .finds({ dropped: 1 }),
  );
  // trimmed: left together with the whole answer and its results; always a note.
  judged('a step trimmed', () =>
    twoSteps()
      .send(without('rs_a', 'fc_c1', 'out_c1'))
      .notes({ trimmed: 1 }),
  );
  // A user's own summary, on a model that reads earlier turns.
  judged('a turn summarised', () =>
    turn('gpt-5.6')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(exactly(user('So far: depot four is short; asked since when.'), rs('b'), fc('c1'), out('c1')))
      .notes({ trimmed: 1 }),
  );
  // 10: items before the newest compaction item.
  clean('before the compaction item', () => {
    const cmp = { type: 'compaction', id: 'cmp_1', encrypted_content: seal('cmp') };
    return twoSteps('gpt-5.6')
      .answer(cmp, rs('c'), fc('c3'))
      .results('c3')
      .send(exactly(cmp, rs('c'), fc('c3'), out('c3')));
  });
  // 5.7: gpt-5.1 and 5.2 do not reason unless told to.
  judged('effort removed in the loop, default none', () =>
    step().send(undefined, { reasoning: undefined }).finds({ mode_toggled: 1 }),
  );
  judged('effort none in the loop', () =>
    step()
      .send(undefined, { reasoning: { effort: 'none' } })
      .finds({ mode_toggled: 1 }),
  );
  clean('effort removed, default medium', () => step('gpt-5-mini').send(undefined, { reasoning: undefined }));
  clean('effort changed in the loop', () => step().send(undefined, { reasoning: { effort: 'low' } }));
  clean('effort none in a new turn', () => turn().send(undefined, { reasoning: { effort: 'none' } }));
  judged('dropped and switched off', () =>
    step()
      .send(all(without('rs_a'), bare('fc_c1')), { reasoning: { effort: 'none' } })
      .finds({ dropped: 1, mode_toggled: 1 }),
  );
  // A lost or wrong phase label: a note.
  const labelled = (): Talk =>
    responses('gpt-5.4')
      .user(ASK)
      .answer(rs('a'), say('m', 'One moment.', 'commentary'), fc('c1'))
      .results('c1');
  clean('phase kept', () => labelled().send());
  judged('phase lost', () =>
    labelled()
      .send(set('msg_m', { phase: undefined }))
      .notes({ edited: 1 }),
  );
  judged('phase wrong', () =>
    labelled()
      .send(set('msg_m', { phase: 'final_answer' }))
      .notes({ edited: 1 }),
  );
  judged('phase lost in a text-only rebuild of a closed turn', () =>
    responses('gpt-5.4')
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.', 'final_answer'))
      .user('Since when?')
      .send(set('msg_m', { phase: undefined }))
      .notes({ edited: 1 }),
  );
});

describe('switches', () => {
  // The account is part of what can read a payload.
  judged('account', () =>
    turn('gpt-5.2', {}, { auth_fingerprint: 'acct-1' }).to({ auth_fingerprint: 'acct-2' }).send().finds({ foreign: 1 }),
  );
  clean('account unchanged', () => turn('gpt-5.2', {}, { auth_fingerprint: 'acct-1' }).send());
  clean('account, reasoning left out', () =>
    turn('gpt-5.2', {}, { auth_fingerprint: 'acct-1' })
      .to({ auth_fingerprint: 'acct-2' })
      .send(all(without('rs_a'), bare('msg_m'))),
  );
  // 5.6: OpenAI, Azure, xAI do not read one another's.
  judged('Azure', () =>
    turn('gpt-5.2', {}, { endpoint: 'api.openai.com' })
      .to({ endpoint: 'https://unit.openai.azure.com' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('xAI', () => step('gpt-5.2').with({ model: 'grok-4.7' }).send(bare('rs_a', 'fc_c1')).finds({ foreign: 1 }));
  judged('from xAI', () =>
    step('grok-4.7').with({ model: 'gpt-5.2' }).send(bare('rs_a', 'fc_c1')).finds({ foreign: 1 }),
  );
  clean('xAI, left out', () =>
    step('gpt-5.2')
      .with({ model: 'grok-4.7' })
      .send(all(without('rs_a'), bare('fc_c1'))),
  );
  // Within the vendor the list of readers is UNVERIFIED: counts as able to read.
  clean('an older model of the same vendor', () => turn('gpt-5.6').with({ model: 'gpt-5.4' }).send());
  // The request is judged together with its own error; E4 tells what the request alone could not.
  judged('refused as of another organisation', () =>
    turn()
      .send()
      .finds({ foreign: 1 })
      .fails(
        400,
        'The encrypted content gAAA… could not be verified. Reason: Encrypted content organization_id did not match the target organization.',
      ),
  );
  // 10: removal as a retry after E4 is the only valid move.
  clean('the retry without', () =>
    turn()
      .send()
      .finds({ foreign: 1 })
      .fails(
        400,
        'The encrypted content gAAA… could not be verified. Reason: Encrypted content organization_id did not match the target organization.',
      )
      .send(all(without('rs_a'), bare('msg_m'))),
  );
  // What the provider lists goes under its cause.
  const removed = (reason: string, ...names: string[]) => ({
    input_transformations: names.map((name) => ({ id: `rs_${name}`, type: 'reasoning', action: 'removed', reason })),
  });
  judged('removed: model_mismatch', () =>
    turn('gpt-6.2-sol')
      .with({ model: 'gpt-6.2-luna' })
      .send()
      .finds({ foreign: 1 })
      .receive(removed('model_mismatch', 'a'), say('n', 'Since May.')),
  );
  judged('removed: organization_mismatch', () =>
    turn('gpt-6.2-sol')
      .send()
      .finds({ foreign: 1 })
      .receive(removed('organization_mismatch', 'a'), say('n', 'Since May.')),
  );
  judged('removed: prefix_mismatch', () =>
    turn('gpt-6.2-sol')
      .send()
      .finds({ prefix_broken: 1 })
      .receive(removed('prefix_mismatch', 'a'), say('n', 'Since May.')),
  );
  // turn_boundary is the service's doing, not a drop.
  clean('removed: turn_boundary', () =>
    turn('gpt-6.2-sol').send().receive(removed('turn_boundary', 'a'), say('n', 'Since May.')),
  );
  // A provider's own list decides the count.
  judged('the list says one of two', () =>
    twoSteps('gpt-6.2-sol')
      .send(set('out_c1', { output: '[cleared]' }))
      .finds({ prefix_broken: 1 })
      .receive(removed('prefix_mismatch', 'b'), say('n', 'Depot four.')),
  );
  clean('the list is empty', () =>
    twoSteps('gpt-6.2-sol')
      .send(set('out_c1', { output: '[cleared]' }))
      .receive({ input_transformations: [] }, say('n', 'Depot four.')),
  );
});

describe('what stands before it (gpt-6.2 and later)', () => {
  const NEW = 'gpt-6.2-sol';
  clean('nothing changed', () => twoSteps(NEW).send());
  judged('a tool output shortened', () =>
    twoSteps(NEW)
      .send(set('out_c1', { output: '[cleared]' }))
      .finds({ prefix_broken: 1 }),
  );
  clean('the newest output, behind all reasoning', () =>
    twoSteps(NEW).send(set('out_c2', { output: 'another result' })),
  );
  clean('the same on a model that does not check', () =>
    twoSteps('gpt-5.6').send(set('out_c1', { output: '[cleared]' })),
  );
  judged('a message inserted at the head', () =>
    twoSteps(NEW)
      .send((items) => [dev('Today is Monday.'), ...items])
      .finds({ prefix_broken: 2 }),
  );
  judged('a message inserted between the steps', () =>
    twoSteps(NEW)
      .send(ahead('rs_b', dev('Be brief.')))
      .finds({ prefix_broken: 1 }),
  );
  judged('the question rewritten', () =>
    twoSteps(NEW)
      .send((items) => [user('Which depot is short of salt?'), ...items.slice(1)])
      .finds({ prefix_broken: 2 }),
  );
  clean('a message appended', () => twoSteps(NEW).send((items) => [...items, dev('Be brief.')]));
  const TOOLS = ['lookup', 'stock'].map((name) => ({ type: 'function', name }));
  judged('a tool added', () =>
    twoSteps(NEW, { tools: TOOLS })
      .send(undefined, { tools: [...TOOLS, { type: 'function', name: 'more' }] })
      .finds({ prefix_broken: 2 }),
  );
  // On OpenAI the order of tools is part of the beginning.
  judged('tools in another order', () =>
    twoSteps(NEW, { tools: TOOLS })
      .send(undefined, { tools: [...TOOLS].reverse() })
      .finds({ prefix_broken: 2 }),
  );
  // From 6.2 instructions stand after the input.
  clean('other instructions', () =>
    twoSteps(NEW, { instructions: 'Depot clerk.' }).send(undefined, { instructions: 'Depot clerk of the night.' }),
  );
  judged('another text format', () =>
    twoSteps(NEW, { text: { format: { type: 'text' } } })
      .send(undefined, { text: { format: { type: 'json_object' } } })
      .finds({ prefix_broken: 2 }),
  );
  clean('configuration_update appended', () =>
    twoSteps(NEW).send((items) => [
      ...items,
      { type: 'configuration_update', text: { format: { type: 'json_object' } } },
    ]),
  );
  // Leaving out a unit in the middle also breaks those after it.
  judged('one left out', () =>
    twoSteps(NEW)
      .send(all(without('rs_a'), bare('fc_c1')))
      .finds({ dropped: 1, prefix_broken: 1 }),
  );
  // … and so does putting it back for those produced while it was gone.
  judged('one left out, and put back later', () =>
    twoSteps(NEW)
      .send(all(without('rs_a'), bare('fc_c1')))
      .finds({ dropped: 1, prefix_broken: 1 })
      .reply(rs('c'), fc('c3'))
      .results('c3')
      .send()
      .finds({ prefix_broken: 1 }),
  );
  // As on Claude: what was produced behind the summary is bound to the summary.
  judged('a home-made summary of the first turn', () =>
    responses(NEW)
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.'))
      .user('Order some.')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(exactly(user('So far: depot four is short; order some.'), rs('b'), fc('c1'), out('c1')))
      .finds({ prefix_broken: 1, trimmed: 1 }),
  );
  clean('compaction of the provider is exempt', () => {
    const cmp = { type: 'compaction', id: 'cmp_1', encrypted_content: seal('cmp') };
    return twoSteps(NEW)
      .answer(cmp, rs('c'), fc('c3'))
      .results('c3')
      .send(exactly(cmp, rs('c'), fc('c3'), out('c3')));
  });
});

describe('other conversations', () => {
  clean('regenerated from the question', () => step().send(exactly(user(ASK))));
  clean('sent again after a 429', () => step().send().fails(429, 'Rate limit reached').send());
  clean('a helper call in between', () => {
    const talk = step();
    responses('gpt-5-mini', {}, undefined, talk.wire).user(`Title for: ${ASK}`).answer(rs('t'), say('t', 'Salt'));
    return talk.send();
  });
  clean('two runs in turn', () => {
    const talk = step();
    const other = responses('gpt-5.2', {}, undefined, talk.wire).user('And of grit?').answer(rs('g'), fc('g1'));
    talk.answer(rs('b'), fc('c2')).results('c2');
    other.results('g1').answer(rs('h'), fc('g2')).results('g2');
    talk.send();
    other.send();
    return talk;
  });
  // Units that this transcript never saw issued are not judged.
  clean('a history that begins mid-way', () =>
    responses('gpt-5.2')
      .add(user(ASK), { ...fc('c1') }, out('c1'))
      .send(),
  );
  clean('… with reasoning', () => responses('gpt-5.2').add(user(ASK), rs('unseen'), fc('c1'), out('c1')).send());
  // A unit that never completed may be left out.
  clean('a cut stream, left out', () => {
    const talk = step().send();
    talk.wire.steps.push({
      api: 'openai.responses',
      response: {
        id: 'resp_cut',
        status: 'in_progress',
        model: 'gpt-5.2',
        output: [],
        stream: [
          { type: 'response.output_item.added', output_index: 0, item: { ...rs('b'), encrypted_content: 'gAAA' } },
        ],
      },
      meta: { aborted: true },
    });
    return talk.send();
  });
});
