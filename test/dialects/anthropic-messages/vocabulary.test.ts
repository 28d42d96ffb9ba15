import { describe, it } from 'vitest';
import { assistant, type Block, call, om, red, res, th, thought, tx, user } from './blocks.ts';
import { check } from './check.ts';
import { all, drop, keepBlocks, message, order, put, set, splice } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY, ON_BY_DEFAULT } from './models.ts';
import { talk } from './talk.ts';

/** What each key of a report counts. */

const interleaved = (model = KEEPS_ALL) =>
  talk(model).user('Mend both.').answer(th('a'), call('c1'), th('b'), call('c2')).results('c1', 'c2');
const withText = (model = KEEPS_ALL) =>
  talk(model).user('Mend it.').answer(th('a'), tx('First the parser.'), call('c1')).results('c1');
const parallel = (model = KEEPS_ALL) =>
  talk(model)
    .user('Compare three depots.')
    .answer(th('a'), call('c1'), call('c2'), call('c3'))
    .results('c1', 'c2', 'c3');

describe('dropped: absent while some of the assistant message is still sent', () => {
  it('the call is what is left', () => check(interleaved().send(drop('b')).finds({ dropped: 1 })));

  it('only the visible text is left of a finished answer', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'))
        .user('Again.')
        .send(drop('a'))
        .finds({ dropped: 1 }),
    ));

  it('the same, sent back as a plain string', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'))
        .user('Again.')
        .send(message(1, () => 'Hello to the whole warehouse.'))
        .finds({ dropped: 1 }),
    ));

  it.each(['', '\n', '\n\n'])('the texts of a finished answer joined to one string (by %j), the block gone', (joint) =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'), tx('The gates are open.'))
        .user('Again.')
        .send(message(1, () => `Hello to the whole warehouse.${joint}The gates are open.`))
        .finds({ dropped: 1 }),
    ),
  );

  it('the texts joined, the block kept: visible text is no unit', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'), tx('The gates are open.'))
        .user('Again.')
        .send(
          message(1, ([block]) => [...(block ? [block] : []), tx('Hello to the whole warehouse.The gates are open.')]),
        ),
    ));

  it('the loss goes with the text around it', () =>
    check(withText().send(drop('a', 'First the parser.')).finds({ dropped: 1 })));

  it('the answers hold the same text, one of them loses its block', () =>
    check(
      talk(KEEPS_ALL)
        .user('Start.')
        .answer(th('a'), tx('Understood.'))
        .user('Go on.')
        .answer(th('b'), tx('Understood.'))
        .user('Go on.')
        .answer(th('c'), tx('Understood.'))
        .user('Stop.')
        .send(drop('b'))
        .finds({ dropped: 1 }),
    ));

  it('tool ids that repeat from turn to turn', () =>
    check(
      talk(KEEPS_ALL)
        .user('Start.')
        .answer(th('a'), call('call_0'))
        .results('call_0')
        .answer(th('b'), tx('Finished the first.'))
        .user('Next.')
        .answer(th('c'), call('call_0'))
        .results('call_0')
        .send(drop('c'))
        .finds({ dropped: 1 }),
    ));

  it('tool ids rewritten by the client do not hide it', () =>
    check(
      talk(KEEPS_ALL)
        .user('Start.')
        .answer(th('a'), th('b'), call('c1'))
        .results('c1')
        .send(
          all(
            drop('a'),
            put('c1', (block) => ({ ...block, id: 'call_other' })),
            splice(2, 1, user(res('call_other'))),
          ),
        )
        .finds({ dropped: 1 }),
    ));
});

describe('trimmed: left with the whole assistant message and its tool results', () => {
  const long = (model: string) =>
    closedLoop(model).answer(th('c'), call('c3')).results('c3').answer(th('d'), tx('The blue one.')).user('Book it.');

  it('a window over finished turns', () => check(long(KEEPS_ALL).send(splice(0, 4)).notes({ trimmed: 2 })));

  it('on a model that strips finished turns itself', () =>
    check(long(LAST_TURN_ONLY).send(splice(0, 4)).notes({ trimmed: 2 })));

  it('a middle turn left out', () =>
    check(
      long(KEEPS_ALL).answer(th('e'), tx('Booked for nine.')).user('Thanks.').send(splice(4, 4)).notes({ trimmed: 2 }),
    ));

  it('a summary in the place of what went', () =>
    check(
      long(KEEPS_ALL)
        .send(splice(0, 4, user('Summary: two crates are late.')))
        .notes({ trimmed: 2 }),
    ));

  it('and a loss in what stayed is still a finding', () =>
    check(
      long(KEEPS_ALL)
        .send(all(drop('d'), splice(0, 4)))
        .finds({ trimmed: 2, dropped: 1 }),
    ));

  it('the window stands still for a while: each request says so again', () =>
    check(
      long(KEEPS_ALL)
        .edit(splice(0, 4))
        .send()
        .notes({ trimmed: 2 })
        .reply(th('e'), tx('Booked for nine.'))
        .user('Thanks.')
        .send()
        .notes({ trimmed: 2 }),
    ));
});

describe('edited', () => {
  it('a call removed from the batch of a sealed answer: once for the answer', () =>
    check(
      parallel()
        .send(all(drop('c2', 'c3'), splice(2, 1, user(res('c1')))))
        .finds({ edited: 1 }),
    ));

  it('the same between two sealed blocks', () =>
    check(
      interleaved()
        .send(all(drop('c1'), splice(2, 1, user(res('c2')))))
        .finds({ edited: 1 }),
    ));

  it('beside an edited block of another answer', () =>
    check(
      parallel()
        .answer(th('b'), call('c4'))
        .results('c4')
        .send(all(drop('c2', 'c3'), splice(2, 1, user(res('c1'))), set('b', { thinking: 'Shorter.' })))
        .finds({ edited: 2 }),
    ));

  it('not where no seal of the answer is left', () =>
    check(
      parallel()
        .send(all(drop('a', 'c3'), splice(2, 1, user(res('c1'), res('c2')))))
        .finds({ dropped: 1 }),
    ));

  it('lost visible text does not count', () => check(withText().send(drop('First the parser.'))));
  it('nor does gained visible text', () =>
    check(
      withText().send(message(1, (before) => [...before.slice(0, 2), tx('And then the printer.'), ...before.slice(2)])),
    ));
});

describe('unsigned_on_arrival', () => {
  const bare = (text = 'Look at the tide tables.'): Block => ({ type: 'thinking', thinking: text });

  it('a Claude model through a hop that lost the seals: a finding on each request that carries the block', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer(bare(), call('c1'))
        .results('c1')
        .send()
        .finds({ unsigned_on_arrival: 1 })
        .reply(bare('Check the berth as well.'), call('c2'))
        .results('c2')
        .send()
        .finds({ unsigned_on_arrival: 2 }),
    ));

  it('with an empty signature likewise', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer({ ...bare(), signature: '' }, call('c1'))
        .results('c1')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('a note where the target would not have read it', () =>
    check(
      talk(LAST_TURN_ONLY)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer(bare(), tx('The ship leaves at nine.'))
        .user('And the next one?')
        .send()
        .notes({ unsigned_on_arrival: 1 }),
    ));

  it('a note where the model is not known to seal, in open cycles too', () =>
    check(
      talk('someones-model-7b')
        .user('When does the ship leave?')
        .answer(bare(), call('c1'))
        .results('c1')
        .send()
        .notes({ unsigned_on_arrival: 1 }),
    ));

  it('a finding once that model has delivered a sealed block', () =>
    check(
      talk('someones-model-7b')
        .user('When does the ship leave?')
        .answer(th('a'), call('c1'))
        .results('c1')
        .answer(bare(), call('c2'))
        .results('c2')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('left out, it is nothing', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer(bare(), call('c1'))
        .results('c1')
        .send(keepBlocks(({ type }) => type !== 'thinking')),
    ));

  it('nothing else is counted for it: edited or not', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer(bare(), call('c1'))
        .results('c1')
        .send(message(1, (before) => [{ ...before[0], type: 'thinking', signature: '' }, ...before.slice(1)]))
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('beside a sealed block that is fine', () =>
    check(
      talk(KEEPS_ALL)
        .user('When does the ship leave?')
        .answer(th('a'), bare(), call('c1'))
        .results('c1')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));
});

describe('reordered: the fewest units to take out so that the rest stands in issued order', () => {
  it.each([
    ['clustered by type', ['a', 'b', 'c1', 'c2'], 1],
    ['behind its call', ['c1', 'a', 'b', 'c2'], 1],
    ['both at the end', ['c1', 'c2', 'a', 'b'], 2],
    ['exchanged', ['b', 'c1', 'a', 'c2'], 2],
    ['both in front, exchanged', ['b', 'a', 'c1', 'c2'], 1],
  ])('%s', (_name, names, count) =>
    check(
      interleaved()
        .send(order(1, ...names))
        .finds({ reordered: count }),
    ),
  );

  it.each([
    ['behind the text', ['First the parser.', 'a', 'c1'], 1],
    ['behind the call', ['First the parser.', 'c1', 'a'], 1],
  ])('text counts as well: %s', (_name, names, count) =>
    check(
      withText()
        .send(order(1, ...names))
        .finds({ reordered: count }),
    ),
  );

  it.each([
    [['r', 'a', 'b', 'c1'], 1],
    [['b', 'r', 'a', 'c1'], 2],
    [['b', 'a', 'r', 'c1'], 1],
    [['r', 'b', 'a', 'c1'], 1],
  ])('a run of three as %j', (names, count) =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), red('r'), th('b'), call('c1'))
        .results('c1')
        .send(order(1, ...names))
        .finds({ reordered: count }),
    ),
  );

  it('each answer for itself', () =>
    check(
      withText()
        .answer(th('b'), tx('Now the printer.'), call('c2'))
        .results('c2')
        .send(all(order(1, 'First the parser.', 'a', 'c1'), order(3, 'Now the printer.', 'b', 'c2')))
        .finds({ reordered: 2 }),
    ));
});

describe('misplaced: the right seal at another place than issued', () => {
  it('in the answer after its own', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(
          all(
            drop('a'),
            message(3, (before) => [th('a'), ...before]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));

  it('in the answer before its own', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(
          all(
            drop('b'),
            message(1, (before) => [th('a'), th('b'), ...before.slice(1)]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));

  it('in a user message', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(
          all(
            drop('b'),
            message(4, (before) => [...before, th('b')]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));
});

describe('merged', () => {
  it('two answers joined into one', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(splice(1, 4, assistant(th('a'), call('c1'), th('b'), call('c2')), user(res('c1'), res('c2'))))
        .finds({ merged: 1 }),
    ));

  it('two blocks joined under one seal: the other is dropped as well, gained text is no edit', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), th('b'), call('c1'))
        .results('c1')
        .send(all(drop('a'), set('b', { thinking: thought('a') + thought('b') })))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('the same under the first seal', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), th('b'), call('c1'))
        .results('c1')
        .send(all(drop('b'), set('a', { thinking: `${thought('a')}\n\n${thought('b')}` })))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('where no seal survives they are dropped, nothing else', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), th('b'), call('c1'))
        .results('c1')
        .send(
          all(
            drop('b'),
            put('a', () => ({ type: 'thinking', thinking: thought('a') + thought('b'), signature: '' })),
          ),
        )
        .finds({ dropped: 2 }),
    ));
});

describe('split: surplus pieces of one answer', () => {
  it('the block in a message of its own', () =>
    check(
      withText()
        .send(splice(1, 1, assistant(th('a')), assistant('First the parser.', call('c1'))))
        .finds({ split: 1 }),
    ));

  it('three pieces', () =>
    check(
      withText()
        .send(splice(1, 1, assistant(th('a')), assistant('First the parser.'), assistant(call('c1'))))
        .finds({ split: 2 }),
    ));

  it('a parallel batch played as one call after the other', () =>
    check(
      parallel()
        .send(
          splice(
            1,
            2,
            assistant(th('a'), call('c1')),
            user(res('c1')),
            assistant(call('c2')),
            user(res('c2')),
            assistant(call('c3')),
            user(res('c3')),
          ),
        )
        .finds({ split: 2 }),
    ));

  it('the same with the block copied to every call', () =>
    check(
      parallel()
        .send(
          splice(
            1,
            2,
            assistant(th('a'), call('c1')),
            user(res('c1')),
            assistant(th('a'), call('c2')),
            user(res('c2')),
            assistant(th('a'), call('c3')),
            user(res('c3')),
          ),
        )
        .finds({ split: 2, duplicated: 2 }),
    ));

  it('cut, with the block lost', () =>
    check(
      withText()
        .send(splice(1, 1, assistant('First the parser.'), assistant(call('c1'))))
        .finds({ split: 1, dropped: 1 }),
    ));
});

describe('split_results: surplus user messages for one batch whose answer is whole', () => {
  it('one message a result', () =>
    check(
      parallel()
        .send(splice(2, 1, user(res('c1')), user(res('c2')), user(res('c3'))))
        .finds({ split_results: 2 }),
    ));

  it('two and one', () =>
    check(
      parallel()
        .send(splice(2, 1, user(res('c1'), res('c2')), user(res('c3'))))
        .finds({ split_results: 1 }),
    ));

  it('of an answer without reasoning too', () =>
    check(
      talk(KEEPS_ALL, { thinking: undefined })
        .user('Compare.')
        .answer(call('c1'), call('c2'))
        .send(splice(2, 0, user(res('c1')), user(res('c2'))))
        .finds({ split_results: 1 }),
    ));

  it('in two batches', () =>
    check(
      parallel()
        .answer(call('d1'), call('d2'))
        .results('d1', 'd2')
        .send(
          all(
            splice(4, 1, user(res('d1')), user(res('d2'))),
            splice(2, 1, user(res('c1'), res('c2')), user(res('c3'))),
          ),
        )
        .finds({ split_results: 2 }),
    ));

  it('not: results in another order, text behind them, a user message after them', () =>
    check(
      parallel().send(
        splice(2, 1, user(res('c3'), res('c1'), res('c2'), tx('Hurry, please.')), user('The van is waiting.')),
      ),
    ));

  it('not: the results of two answers in their two messages', () => check(openLoop(KEEPS_ALL).send()));
});

describe('duplicated: copies beyond the first', () => {
  it.each([1, 2])('%i copies in the same answer', (copies) =>
    check(
      openLoop(KEEPS_ALL)
        .send(put('a', (block) => Array.from({ length: copies + 1 }, () => block)))
        .finds({ duplicated: copies }),
    ),
  );

  it('a copy in a later answer', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(message(3, (before) => [th('a'), ...before]))
        .finds({ duplicated: 1 }),
    ));

  it('a copy of a redacted block', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(red('r'), call('c1'))
        .results('c1')
        .send(put('r', (block) => [block, block]))
        .finds({ duplicated: 1 }),
    ));

  it('not: equal texts under two seals', () =>
    check(
      talk(KEEPS_ALL).user('Mend it.').answer(th('a', 'Think.'), th('b', 'Think.'), call('c1')).results('c1').send(),
    ));

  it('a copy without its text is a copy', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(put('a', (block) => [block, om('a')]))
        .finds({ duplicated: 1 }),
    ));
});

describe('fabricated: seals, fillers or blocks that no answer contained', () => {
  const bareCall = () => talk(ON_BY_DEFAULT).user('Mend it.').answer(call('c1')).results('c1');

  it.each([
    ['a made-up seal', th('invented')],
    ['a filler without a seal', { type: 'thinking', thinking: '...' }],
    ['a filler with an empty seal', { type: 'thinking', thinking: 'Let me think.', signature: '' }],
    ['an empty filler', { type: 'thinking', thinking: '', signature: '' }],
    ['a placeholder of another API', { type: 'thinking', thinking: '', signature: 'skip_thought_signature_validator' }],
    ['a redacted block', red('invented')],
  ])('%s in an answer that had none', (_name, block) =>
    check(
      bareCall()
        .send(message(1, (before) => [block, ...before]))
        .finds({ fabricated: 1 }),
    ),
  );

  it('beside the real blocks of the answer', () =>
    check(
      openLoop(KEEPS_ALL)
        .send(message(3, (before) => [th('invented'), ...before]))
        .finds({ fabricated: 1 }),
    ));

  it('in every answer', () =>
    check(
      bareCall()
        .answer(call('c2'))
        .results('c2')
        .send(
          all(
            message(1, (before) => [th('x'), ...before]),
            message(3, (before) => [th('y'), ...before]),
          ),
        )
        .finds({ fabricated: 2 }),
    ));
});

describe('converted_to_text: reasoning sent again as ordinary assistant text', () => {
  it.each([
    ['bare', (text: string) => text],
    ['in tags', (text: string) => `<thinking>\n${text}\n</thinking>`],
    ['with a heading', (text: string) => `**Reasoning**\n\n${text}`],
    ['as a quotation', (text: string) => `> ${text}`],
  ])('%s', (_name, wrap) =>
    check(
      withText()
        .send(put('a', () => tx(wrap(thought('a')))))
        .finds({ converted_to_text: 1 }),
    ),
  );

  it('joined to the text of the answer', () =>
    check(
      withText()
        .send(
          all(
            drop('a'),
            put('First the parser.', () => tx(`${thought('a')}First the parser.`)),
          ),
        )
        .finds({ converted_to_text: 1 }),
    ));

  it('a finished answer as one string', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'))
        .user('Again.')
        .send(message(1, () => `<think>${thought('a')}</think>Hello to the whole warehouse.`))
        .finds({ converted_to_text: 1 }),
    ));

  it('two units in one text', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), th('b'), call('c1'))
        .results('c1')
        .send(
          all(
            drop('b'),
            put('a', () => tx(`${thought('a')}\n${thought('b')}`)),
          ),
        )
        .finds({ converted_to_text: 2 }),
    ));

  it('one converted, the block without text dropped', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), red('r'), call('c1'))
        .results('c1')
        .send(
          all(
            drop('r'),
            put('a', () => tx(thought('a'))),
          ),
        )
        .finds({ converted_to_text: 1, dropped: 1 }),
    ));
});

describe('mode_toggled: reasoning switched off inside an open cycle', () => {
  const off = { thinking: { type: 'disabled' } };
  const gone = { thinking: undefined };

  it.each([
    ['disabled', KEEPS_ALL, off],
    ['disabled', ON_BY_DEFAULT, off],
    ['disabled', LAST_TURN_ONLY, off],
    ['removed, where that means off', KEEPS_ALL, gone],
    ['removed, where that means off', 'claude-opus-4-6', gone],
    ['removed, where that means off', LAST_TURN_ONLY, gone],
  ])('%s on %s; the reasoning that is sent all the same is not counted again', (_name, model, config) =>
    check(openLoop(model).send(undefined, config).finds({ mode_toggled: 1 })),
  );

  it.each([ON_BY_DEFAULT, 'claude-opus-5', 'claude-sonnet-5-5', 'claude-haiku-5-5', CHECKED])(
    'removed on %s, where it stays on',
    (model) => check(openLoop(model).send(undefined, gone)),
  );

  it('removed together with a switch to a model that is off by default', () =>
    check(openLoop(ON_BY_DEFAULT, gone).send(undefined, { model: KEEPS_ALL }).finds({ mode_toggled: 1 })));

  it('together with the blocks', () =>
    check(openLoop(KEEPS_ALL).send(drop('a', 'b'), gone).finds({ mode_toggled: 1, dropped: 2 })));

  it('at every further step of the cycle', () =>
    check(
      openLoop(KEEPS_ALL)
        .with(gone)
        .send()
        .finds({ mode_toggled: 1 })
        .reply(call('c3'))
        .results('c3')
        .send()
        .finds({ mode_toggled: 1 }),
    ));

  it('a step of the cycle that did not think changes nothing', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), call('c1'))
        .results('c1')
        .answer(call('c2'))
        .results('c2')
        .send(undefined, gone)
        .finds({ mode_toggled: 1 }),
    ));

  it('results with text behind them hold the cycle open', () =>
    check(
      talk(KEEPS_ALL)
        .user('Mend it.')
        .answer(th('a'), call('c1'))
        .user(res('c1'), tx('Be quick now.'))
        .send(undefined, gone)
        .finds({ mode_toggled: 1 }),
    ));

  it('not: in a new turn', () => check(closedLoop(KEEPS_ALL).send(undefined, gone)));
  it('not: at a user message that leaves the calls unanswered', () =>
    check(talk(KEEPS_ALL).user('Mend it.').answer(th('a'), call('c1')).user('Never mind.').send(undefined, off)));
  it('not: it was off from the start', () =>
    check(
      talk(KEEPS_ALL, gone)
        .user('Mend it.')
        .answer(call('c1'))
        .results('c1')
        .answer(call('c2'))
        .results('c2')
        .send(undefined, off),
    ));
});

describe('the cycle is open from the first call until an answer without one, or a user message without its results', () => {
  it('a user message in the place of the results closes it', () =>
    check(
      talk(LAST_TURN_ONLY)
        .user('Mend it.')
        .answer(th('a'), call('c1'))
        .user('Never mind.')
        .send(drop('a'))
        .notes({ dropped: 1 }),
    ));

  it('and an answer without a call closes it', () =>
    check(closedLoop(LAST_TURN_ONLY).send(drop('a')).notes({ dropped: 1 })));
});

describe('carried, orphaned and unsealed never stand on this API', () => {
  it('finished turns on a model that strips them', () =>
    check(closedLoop(LAST_TURN_ONLY).send().reply(tx('The blue one.')).user('Good.').send()));
});
