import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, content, drop, put, scatter, set, splice, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { call, carrier, model, type Part, result, sc, seal, signed, thought, tx, user } from './parts.ts';
import { type Talk, talk } from './talk.ts';

/** Order and boundaries: of parts in an answer, of answers in the history. */

const batch = (name: string = STRICT) =>
  talk(name).user('All three.').answer(sc('a'), call('x'), call('y')).results('a', 'x', 'y');
/** The batch as one call after the other, each with its own content and result. */
const oneByOne =
  (...parts: readonly Part[]) =>
  (history: readonly { readonly parts: readonly Part[] }[]) => [
    ...history.slice(0, 1),
    ...parts.flatMap((part) => {
      const { name } = part.functionCall as { name: string };
      return [model(part), user(result(name.replace('fn_', '')))];
    }),
  ];

describe('reordered: the signed parts to take out so that the rest stands as issued', () => {
  it('the signed call behind its sibling', () =>
    check(
      batch()
        .send(content(1, ([a, x, y]) => [x, a, y] as Part[]))
        .finds({ reordered: 1 }),
    ));
  it('the signed call before the text', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(tx('Let me look.'), sc('a'))
        .results('a')
        .send(content(1, (parts) => [...parts].reverse()))
        .finds({ reordered: 1 }),
    ));
  it('unsigned siblings among themselves say nothing', () =>
    check(batch().send(content(1, ([a, x, y]) => [a, y, x] as Part[]))));
  it('one of three signed parts', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(signed('t', tx('Let me look.')), signed('u', { inlineData: { mimeType: 'a', data: 'bbbb' } }), sc('a'))
        .results('a')
        .send(content(1, ([t, u, a]) => [u, a, t] as Part[]))
        .finds({ reordered: 1 }),
    ));
  it('two exchanges of a run that changed places', () =>
    check(
      openLoop(STRICT)
        .answer(sc('c'))
        .results('c')
        .send((history) => [0, 3, 4, 1, 2, 5, 6].map((at) => history[at] ?? user()))
        .finds({ reordered: 1 }),
    ));
});

describe('merged: never a signed part with another one', () => {
  const told = (...parts: readonly Part[]) =>
    talk(KEEPS)
      .user('Continue the story.')
      .answer(...parts)
      .user('Then what?');
  const A = tx('The door creaked.');
  const B = tx(' Nobody came.');
  const joined = (name: string, ...parts: readonly Part[]) =>
    content(1, () => [signed(name, tx(parts.map(({ text }) => text).join('')))]);

  it.each([
    ['an unsigned text with the signed one behind it', [A, signed('t', B)], 't', { merged: 1 }],
    ['a signed text with the unsigned one behind it', [signed('t', A), B], 't', { merged: 1 }],
    ['a text with the empty carrier behind it', [A, carrier('t')], 't', { merged: 1 }],
    ['two signed texts: the later seal stays', [signed('s', A), signed('t', B)], 't', { merged: 1, dropped: 1 }],
    ['two signed texts: the earlier seal stays', [signed('s', A), signed('t', B)], 's', { merged: 1, dropped: 1 }],
    ['a text and two seals', [A, signed('s', B), carrier('t')], 't', { merged: 2, dropped: 1 }],
  ] as const)('%s', (_what, parts, name, report) =>
    check(
      told(...parts)
        .send(joined(name, A, B.text && parts.some((part) => part.text === B.text) ? B : tx('')))
        .finds(report),
    ),
  );

  it('where no seal survives they are dropped, nothing else', () =>
    check(
      told(signed('s', A), signed('t', B))
        .send(content(1, () => [tx('The door creaked. Nobody came.')]))
        .finds({ dropped: 2 }),
    ));

  it('joined with a line between them', () =>
    check(
      told(signed('s', tx('The old door creaked.')), signed('t', tx('But nobody came in.')))
        .send(content(1, () => [signed('t', tx('The old door creaked.\n---\nBut nobody came in.'))]))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('unsigned neighbours may be joined', () =>
    check(told(A, B, carrier('t')).send(content(1, () => [tx('The door creaked. Nobody came.'), carrier('t')]))));

  it('two steps of one loop in one content', () =>
    check(
      openLoop(STRICT)
        .send(splice(1, 4, model(sc('a'), sc('b')), user(result('a'), result('b'))))
        .finds({ merged: 1 }),
    ));
  it('two steps in one content, without a seal', () =>
    check(
      openLoop(STRICT)
        .send(all(splice(1, 4, model(sc('a'), sc('b')), user(result('a'), result('b'))), stripAll))
        .finds({ dropped: 2 }),
    ));
});

describe('split: the API takes each content with a call for a step', () => {
  it.each([STRICT, KEEPS, ADVISORY])('a batch played as one call after the other, on %s', (name) =>
    check(
      batch(name)
        .send(oneByOne(sc('a'), call('x'), call('y')))
        .finds({ split: 2 }),
    ),
  );
  it('the same with the seal copied to every call', () =>
    check(
      batch()
        .send(oneByOne(sc('a'), { ...call('x'), thoughtSignature: seal('a') }, call('y')))
        .finds({ split: 2, duplicated: 1 }),
    ));
  it('and without any seal', () =>
    check(
      batch()
        .send(oneByOne(call('a'), call('x'), call('y')))
        .finds({ split: 2, dropped: 1 }),
    ));
  it('in neighbouring contents, as the chunks of a stream in the SDK chat', () =>
    check(batch().send(scatter(1)).finds({ split: 2 })));
  it('in a finished turn', () =>
    check(
      batch()
        .answer(tx('Done with it.'))
        .user('And?')
        .send((history) => [...oneByOne(sc('a'), call('x'), call('y'))(history), ...history.slice(3)])
        .finds({ split: 2 }),
    ));
  it('not: text and one call in neighbouring contents', () =>
    check(talk(STRICT).user('Go on.').answer(tx('Let me look at it.'), sc('a')).results('a').send(scatter(1))));
  it('not: text and its carrier in neighbouring contents', () =>
    check(talk(KEEPS).user('Go on.').answer(tx('Done with it.'), carrier('t')).user('And?').send(scatter(1))));
});

describe('split_results: the results of a batch in several contents', () => {
  it('one each', () =>
    check(
      batch()
        .send((history) => [...history.slice(0, 2), ...['a', 'x', 'y'].map((key) => user(result(key)))])
        .finds({ split_results: 2 }),
    ));
  it('two and one, in a finished turn', () =>
    check(
      batch()
        .answer(tx('Done with it.'))
        .user('And?')
        .send(splice(2, 1, user(result('a'), result('x')), user(result('y'))))
        .finds({ split_results: 1 }),
    ));
  it('not: in another order, or with text behind them', () =>
    check(batch().send(splice(2, 1, user(result('y'), result('x'), result('a'), 'Mind the time.')))));
});

describe('edited: a call taken out of a sealed batch', () => {
  it('once for the answer', () =>
    check(
      batch()
        .send(all(drop('x', 'y'), splice(2, 1, user(result('a')))))
        .finds({ edited: 1 }),
    ));
  it('not where no seal of the answer is left', () =>
    check(
      batch()
        .send(all(drop('a', 'y'), splice(2, 1, user(result('x')))))
        .finds({ dropped: 1 }),
    ));
  it('lost text does not count', () =>
    check(talk(STRICT).user('Go on.').answer(tx('Let me look.'), sc('a')).results('a').send(drop('Let me look.'))));
});

describe('trimmed and dropped: whole answers gone', () => {
  const long = (): Talk => openLoop(KEEPS).answer(sc('c')).results('c');
  it('with its results, a window', () => check(long().send(splice(1, 2)).notes({ trimmed: 1 })));
  it('finished exchanges', () =>
    check(
      closedLoop(KEEPS)
        .answer(tx('The blue one.'), carrier('c'))
        .user('Book it.')
        .send(splice(0, 4))
        .notes({ trimmed: 2 }),
    ));
  it('its results stay behind', () => check(long().send(splice(3, 1)).finds({ dropped: 1 })));
  it('and a loss in what stayed is still a finding', () =>
    check(
      long()
        .send(all(splice(1, 2), unsign('b')))
        .finds({ trimmed: 1, dropped: 1 }),
    ));
});

describe('converted_to_text: a summary of thoughts said aloud', () => {
  const plan = 'First the harbour, then the depot.';
  const thinking = () => talk(STRICT).user('Plan it.').answer(thought(plan), sc('a')).results('a');
  it('in the place of the seal', () =>
    check(
      thinking()
        .send(all(set(plan, { thought: undefined }), unsign('a')))
        .finds({ converted_to_text: 1 }),
    ));
  it('the seal kept', () =>
    check(
      thinking()
        .send(set(plan, { thought: undefined }))
        .finds({ converted_to_text: 1 }),
    ));
  it('in tags, before the answer', () =>
    check(
      talk(KEEPS)
        .user('Plan it.')
        .answer(thought(plan), tx('The harbour it is, then.'), carrier('t'))
        .user('And?')
        .send(content(1, () => [tx(`<think>${plan}</think>The harbour it is, then.`)]))
        .finds({ converted_to_text: 1 }),
    ));
  it('a note where nobody reads that turn', () =>
    check(
      talk(STRICT)
        .user('Plan it.')
        .answer(thought(plan), sc('a'))
        .results('a')
        .answer(tx('Done with it.'))
        .user('And?')
        .send(all(set(plan, { thought: undefined }), unsign('a')))
        .notes({ converted_to_text: 1 }),
    ));
  it('a signed summary that lost its flag', () =>
    check(
      talk(ADVISORY)
        .user('Plan it.')
        .answer(signed('t', thought(plan)), call('x'))
        .results('x')
        .send(set('t', { thought: undefined }))
        .finds({ converted_to_text: 1 }),
    ));
  it('not: said by the model itself in the same words', () =>
    check(
      talk(KEEPS).user('Plan it.').answer(thought(plan), tx(plan), carrier('t')).user('And?').send(drop('nothing')),
    ));
  it('not: the summary sent as it came, or left out', () =>
    check(
      thinking()
        .send()
        .reply(sc('b'))
        .results('b')
        .send(put(plan, () => [])),
    ));
});
