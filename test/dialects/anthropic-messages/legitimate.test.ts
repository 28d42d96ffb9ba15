import { describe, expect, it } from 'vitest';
import { assistant, type Block, call, om, red, res, seal, th, thought, tx, user } from './blocks.ts';
import { check, judge } from './check.ts';
import { drop, keepBlocks, message, noThinking, put, splice } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from './models.ts';
import { talk } from './talk.ts';

/** Changes of the history that a plain comparison would flag, and that are by rule, identity, place or arrival. */

const compaction = (content: string | null = 'Two crates are late.'): Block => ({
  type: 'compaction',
  content,
  encrypted_content: seal('summary'),
});

describe.each([KEEPS_ALL, CHECKED])('compaction by the provider on %s', (model) => {
  const compacted = () =>
    closedLoop(model, { context_management: { edits: [{ type: 'compact_20260112' }] } })
      .answer(compaction(), om('c'), tx('The blue one.'))
      .user('Book it.');

  it('everything before the item may go', () =>
    check(compacted().edit(splice(0, 5)).send().reply(om('d'), call('c4')).results('c4').send()));
  it('or stay', () => check(compacted().send()));
  it('or go in part, thinking first', () => check(compacted().send(drop('a', 'b'))));
  it('or but for the question', () => check(compacted().send(splice(1, 4))));
  it('what came with and after it has to come back', () =>
    check(compacted().edit(splice(0, 5)).send(drop('c')).finds({ dropped: 1 })));
  it('a pause after it', () =>
    check(
      closedLoop(model, { context_management: { edits: [{ type: 'compact_20260112', pause_after_compaction: true }] } })
        .carrying({ stop_reason: 'compaction' })
        .answer(compaction())
        .edit(splice(0, 5))
        .user('Go on.')
        .answer(om('c'), tx('The blue one.'))
        .user('Book it.')
        .send(),
    ));
  it('on demand', () =>
    check(
      closedLoop(model)
        .send(undefined, { compaction: { type: 'summarize' } })
        .carrying({ stop_reason: 'compaction' })
        .reply({ ...compaction(), signature: seal('signed summary') })
        .edit(splice(0, 5))
        .user('Which of them are fragile?')
        .answer(om('c'), tx('The blue one.'))
        .user('Book it.')
        .send(),
    ));
});

it('a compaction that failed is none: what went, went by the client', () =>
  check(
    closedLoop(KEEPS_ALL)
      .answer(compaction(null), om('c'), tx('The blue one.'))
      .user('Book it.')
      .send(splice(0, 4))
      .notes({ trimmed: 2 }),
  ));

it('a compacted history is a new beginning: a change after it breaks what follows', () =>
  check(
    closedLoop(CHECKED)
      .answer(compaction(), om('c'), tx('The blue one.'))
      .edit(splice(0, 5))
      .user('Book it.')
      .answer(om('d'), call('c4'))
      .results('c4')
      .send(message(1, () => [tx('Book it for nine.')]))
      .finds({ prefix_broken: 1 }),
  ));

it('context editing by the server changes nothing in what the client sends', () =>
  check(
    closedLoop(KEEPS_ALL, { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } })
      .carrying({
        context_management: {
          applied_edits: [{ type: 'clear_thinking_20251015', cleared_thinking_turns: 1, cleared_input_tokens: 900 }],
        },
      })
      .answer(th('c'), tx('The blue one.'))
      .user('Book it.')
      .send(),
  ));

describe('threads', () => {
  const started = () =>
    talk(KEEPS_ALL, { thread: { type: 'create' } })
      .user('Which crates are late?')
      .carrying({ id: 'msg_1' })
      .answer(th('a'), call('c1'))
      .results('c1');
  const onlyNew = (count: number) => (history: readonly ReturnType<typeof user>[]) => history.slice(-count);
  const go = (id: string) => ({ thread: { type: 'continue', previous_message_id: id } });

  it('a request that continues a thread sends new messages only', () =>
    check(
      started()
        .send(onlyNew(1), go('msg_1'))
        .carrying({ id: 'msg_2' })
        .reply(th('b'), call('c2'))
        .results('c2')
        .send(onlyNew(1), go('msg_2')),
    ));
  it('an expired one is sent in full', () =>
    check(
      started().send(onlyNew(1), go('msg_1')).carrying({ id: 'msg_2' }).reply(th('b'), call('c2')).results('c2').send(),
    ));
  it('and in full means with the blocks', () =>
    check(
      started()
        .send(onlyNew(1), go('msg_1'))
        .carrying({ id: 'msg_2' })
        .reply(th('b'), call('c2'))
        .results('c2')
        .send(noThinking)
        .finds({ dropped: 2 }),
    ));
});

describe('answers in parts', () => {
  it('pause_turn: the answer goes back without a user message', () =>
    check(
      talk(KEEPS_ALL)
        .user('What is new in port?')
        .carrying({ stop_reason: 'pause_turn' })
        .answer(th('a'), { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'port' } })
        .answer({ type: 'web_search_tool_result', tool_use_id: 's1', content: [] }, th('b'), tx('Nothing is new.'))
        .user('And elsewhere?')
        .send(),
    ));

  it('pause_turn: what is left out of it is dropped', () =>
    check(
      talk(KEEPS_ALL)
        .user('What is new in port?')
        .carrying({ stop_reason: 'pause_turn' })
        .answer(th('a'), { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'port' } })
        .send(drop('a'))
        .finds({ dropped: 1 }),
    ));

  it('a call made by code, and its result', () =>
    check(
      talk(KEEPS_ALL)
        .user('Count them.')
        .answer(
          th('a'),
          { type: 'server_tool_use', id: 's1', name: 'code_execution', input: {} },
          { ...call('c1'), caller: { type: 'code_execution_20260120', tool_id: 's1' } },
        )
        .results('c1')
        .send(undefined, { container: 'container_1' }),
    ));

  it('a tool listing and other unknown blocks are echoed like the rest', () =>
    check(
      talk(KEEPS_ALL)
        .user('Count them.')
        .answer({ type: 'mcp_tool_listing', mcp_server_name: 'yard', tools: [] }, th('a'), call('c1'))
        .results('c1')
        .send(),
    ));

  it('two blocks in a row, without text, before a call', () =>
    check(talk(CHECKED).user('Go.').answer(om('a'), om('b'), call('c1')).results('c1').send()));
});

describe('refusals, retries, forks', () => {
  it('a refused answer is to be discarded', () =>
    check(
      talk(KEEPS_ALL)
        .user('Open the sealed crate.')
        .send()
        .receive({ model: KEEPS_ALL, stop_reason: 'refusal', content: [th('a'), tx('I cannot')] })
        .user('Then weigh it.')
        .answer(th('b'), call('c1'))
        .results('c1')
        .send(),
    ));

  it.each([
    [429, 'Number of requests has exceeded your rate limit'],
    [529, 'Overloaded'],
    [500, 'Internal server error'],
  ])('a %i, and the same request again', (status, message) =>
    check(openLoop(KEEPS_ALL).send().fails(status, message).send().reply(tx('Two are late.')).user('Good.').send()),
  );

  it('an answer that never reached the client, and the same request again', () =>
    check(
      openLoop(KEEPS_ALL)
        .send()
        .receive({ model: KEEPS_ALL, stop_reason: 'tool_use', content: [th('lost'), call('c9')] })
        .answer(th('c'), call('c3'))
        .results('c3')
        .send(),
    ));

  it('a regenerated answer', () =>
    check(
      closedLoop(KEEPS_ALL)
        .send()
        .receive({ model: KEEPS_ALL, stop_reason: 'end_turn', content: [th('first try'), tx('The green one.')] })
        .answer(th('second try'), tx('The blue one.'))
        .user('Book it.')
        .send(),
    ));

  it('a question asked anew, from an earlier point', () =>
    check(
      closedLoop(KEEPS_ALL)
        .answer(th('c'), tx('The blue one.'))
        .edit(splice(4, 2, user('And which of them are heavy?')))
        .answer(th('d'), tx('All of them.'))
        .user('Book it.')
        .send(),
    ));

  it('two branches from one point, each faithful, steps mixed', () => {
    const left = openLoop(CHECKED);
    const right = left.fork({}, splice(4, 1, user(res('c2', 'another outcome'))));
    left.answer(om('l'), call('l1')).results('l1');
    right.answer(om('r'), call('r1')).results('r1');
    left.answer(om('l2'), call('l2')).results('l2');
    right.send();
    check(left.send());
  });

  it('stripped and tried again after a refusal of the prefix: the blocks are dropped', () =>
    check(
      openLoop(CHECKED, { system: 'Day.' })
        .with({ system: 'Night.' })
        .send()
        .finds({ prefix_broken: 2 })
        .fails(400, 'messages.1.content.0: this `thinking` block is bound to a different conversation')
        .send(noThinking)
        .finds({ dropped: 2 }),
    ));

  it('another conversation that begins with the same question', () => {
    const first = openLoop(KEEPS_ALL);
    talk(KEEPS_ALL);
    const second = first.fork({}, (history) => history.slice(0, 1));
    second.answer(call('k1')).results('k1').send();
    check(first.send());
  });
});

describe('streams that were cut', () => {
  const start = { type: 'message_start', message: { model: KEEPS_ALL, role: 'assistant', content: [] } };
  const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
  const delta = (index: number, one: object) => ({ type: 'content_block_delta', index, delta: one });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const empty = { type: 'thinking', thinking: '', signature: '' };
  const think = (thinking: string) => ({ type: 'thinking_delta', thinking });
  const sign = (signature: string) => ({ type: 'signature_delta', signature });
  const cut = (stream: readonly object[], content: readonly Block[]) =>
    [{ model: KEEPS_ALL, content, stream }, { aborted: true }] as const;

  it('a block that never got its seal may be left out', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(...cut([start, open(0, empty), delta(0, think('First of all'))], [th('x', 'First of all')]))
        .user('Are you there?')
        .answer(th('a'), tx('Yes.'))
        .user('Good.')
        .send(),
    ));

  it('nor a block that stopped without one', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(
          ...cut(
            [
              start,
              open(0, empty),
              delta(0, think('First of all')),
              stop(0),
              open(1, tx('')),
              delta(1, { type: 'text_delta', text: 'The two' }),
            ],
            [{ type: 'thinking', thinking: 'First of all', signature: '' }, tx('The two')],
          ),
        )
        .append(assistant('The two'))
        .user('Go on.')
        .send(),
    ));

  it('nor may it be echoed: a block without its seal is refused', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(
          ...cut(
            [start, open(0, empty), delta(0, think('First of all')), stop(0)],
            [{ type: 'thinking', thinking: 'First of all', signature: '' }],
          ),
        )
        .append(assistant({ type: 'thinking', thinking: 'First of all', signature: '' }, 'The two'))
        .user('Go on.')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('unfinished thinking is to be left out, not inlined', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(
          ...cut(
            [start, open(0, empty), delta(0, think(thought('x')))],
            [{ type: 'thinking', thinking: thought('x'), signature: '' }],
          ),
        )
        .append(assistant(thought('x')))
        .user('Go on.')
        .send()
        .finds({ converted_to_text: 1 }),
    ));

  it('a finished block of a cut answer that goes on is a unit like any other', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(
          ...cut(
            [
              start,
              open(0, empty),
              delta(0, think(thought('a'))),
              delta(0, sign(seal('a'))),
              stop(0),
              open(1, tx('')),
              delta(1, { type: 'text_delta', text: 'The two crates on' }),
            ],
            [th('a'), tx('The two crates on')],
          ),
        )
        .append(assistant('The two crates on'))
        .user('Go on.')
        .send()
        .finds({ dropped: 1 }),
    ));

  it('a call that never completed is not missing from its batch', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive(
          ...cut(
            [
              start,
              open(0, empty),
              delta(0, think(thought('a'))),
              delta(0, sign(seal('a'))),
              stop(0),
              open(1, { type: 'tool_use', id: 'c1', name: 'lookup', input: {} }),
              delta(1, { type: 'input_json_delta', partial_json: '{"ke' }),
            ],
            [th('a'), call('c1', {})],
          ),
        )
        .append(assistant(th('a')))
        .user('Go on.')
        .send(),
    ));

  it('the turn sent again', () =>
    check(
      openLoop(KEEPS_ALL)
        .send()
        .receive(
          ...cut([start, open(0, empty), delta(0, think('Now')), delta(0, sign(seal('c'))), stop(0)], [th('c', 'Now')]),
        )
        .answer(th('d'), call('c3'))
        .results('c3')
        .send(),
    ));

  it('the seal may come in pieces, the omitted text as an empty delta or none', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .send()
        .receive({
          model: KEEPS_ALL,
          stop_reason: 'tool_use',
          content: [om('a'), om('b'), call('c1')],
          stream: [
            start,
            open(0, empty),
            delta(0, think('')),
            delta(0, sign(seal('a').slice(0, 50))),
            delta(0, sign(seal('a').slice(50))),
            stop(0),
            open(1, empty),
            delta(1, sign(seal('b'))),
            stop(1),
            open(2, { ...call('c1'), input: {} }),
            delta(2, { type: 'input_json_delta', partial_json: JSON.stringify({ key: 'c1' }) }),
            stop(2),
            { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } },
            { type: 'message_stop' },
          ],
        })
        .append(assistant(om('a'), om('b'), call('c1')))
        .results('c1')
        .send()
        .send(drop('a'))
        .finds({ dropped: 1 }),
    ));

  it('a snapshot taken before the seal arrived is an edit', () =>
    check(
      talk(KEEPS_ALL)
        .user('Which crates are late?')
        .answer(th('a'), call('c1'))
        .results('c1')
        .send(put('a', () => ({ ...empty, thinking: thought('a') })))
        .finds({ edited: 1 }),
    ));
});

describe('a summary by the client', () => {
  it('as one user message is a new beginning: no finding', () => {
    const one = closedLoop(KEEPS_ALL).send(() => [
      user('So far: two crates are late, the blue one is fragile. Book it.'),
    ]);
    const judged = judge(one.steps);
    expect([...judged.values()].at(-1)?.verdict).not.toBe('finding');
  });
});

describe('what the server strips itself may stay or go', () => {
  it('re-sent on a model that forgets finished turns: clean', () => check(closedLoop(LAST_TURN_ONLY).send()));
  it('left out there: a note', () =>
    check(
      closedLoop(LAST_TURN_ONLY)
        .send(keepBlocks(({ type }) => type !== 'thinking'))
        .notes({ dropped: 2 }),
    ));
  it('a redacted block left out there: a note', () =>
    check(
      talk(LAST_TURN_ONLY)
        .user('Hello.')
        .answer(red('r'), tx('Hello to you all.'))
        .user('Bye.')
        .send(drop('r'))
        .notes({ dropped: 1 }),
    ));
});
