import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, content, move, set, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { call, carrier, sc, seal, signed, tx } from './parts.ts';
import { talk } from './talk.ts';

describe('a loss in an open cycle is a finding', () => {
  it.each([STRICT, KEEPS, ADVISORY, 'gemini-2.5-pro', 'gemini-3.1-flash-lite', 'gemini-4-argon', 'gemini-7-nova'])(
    'on %s',
    (name) => check(openLoop(name).send(stripAll).finds({ dropped: 2 })),
  );
  it('of a seal that no API checks, too', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(signed('t', tx('Let me look.')), sc('a'))
        .results('a')
        .send(unsign('t'))
        .finds({ dropped: 1 }),
    ));
});

describe('in a closed cycle only where the target reads earlier turns', () => {
  it.each([KEEPS, 'gemini-3.5-flash', 'gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-4-argon', 'gemini-3.9-pro'])(
    'a finding on %s',
    (name) => check(closedLoop(name).send(stripAll).finds({ dropped: 2 })),
  );
  it.each([STRICT, 'gemini-3.1-pro-preview', 'gemini-3-flash-preview', ADVISORY, 'gemini-2.5-pro'])(
    'a note on %s',
    (name) => check(closedLoop(name).send(stripAll).notes({ dropped: 2 })),
  );
  it('what serves an alias decides, not its name', () => {
    const routed = closedLoop('gemini-flash-latest');
    check(routed.send(stripAll).finds({ dropped: 2 }));
    const older = talk('gemini-flash-latest')
      .user('Go on.')
      .carrying({ modelVersion: 'gemini-2.5-flash' })
      .answer(signed('t', tx('Done with it.')))
      .user('And?');
    check(older.send(stripAll).notes({ dropped: 1 }));
  });
  it('and its own answer is the last word', () =>
    check(
      closedLoop(STRICT)
        .send(stripAll)
        .finds({ dropped: 2 })
        .carrying({ modelVersion: 'gemini-3.8-flash' })
        .reply(tx('The blue one.')),
    ));
  it('misplaced and reordered likewise', () => {
    const told = (name: string) =>
      talk(name)
        .user('Go on.')
        .answer(tx('The door creaked.'), signed('t', tx('Nobody came.')))
        .user('And?');
    check(told(STRICT).send(move('t', 'The door creaked.')).notes({ misplaced: 1 }));
    check(told(KEEPS).send(move('t', 'The door creaked.')).finds({ misplaced: 1 }));
    check(
      told(STRICT)
        .send(content(1, (parts) => [...parts].reverse()))
        .notes({ reordered: 1 }),
    );
  });
});

describe('findings in open and closed cycles alike', () => {
  it('a damaged seal is refused wherever it stands', () =>
    check(
      closedLoop(STRICT)
        .send(set('a', { thoughtSignature: seal('a').slice(0, 70) }))
        .finds({ edited: 1 }),
    ));
  it('copies', () =>
    check(
      closedLoop(STRICT)
        .send(content(4, (parts) => [{ ...parts[0], thoughtSignature: seal('b') }]))
        .finds({ duplicated: 1 }),
    ));
  it('inventions', () =>
    check(
      closedLoop(STRICT)
        .send(set('Two crates are late.', { thoughtSignature: seal('of nobody') }))
        .finds({ fabricated: 1 }),
    ));
});

describe('mode_toggled: thinking off inside an open cycle', () => {
  const budget = (thinkingBudget: number) => ({ generationConfig: { thinkingConfig: { thinkingBudget } } });
  it('by a budget of nothing', () => check(openLoop(ADVISORY).send(undefined, budget(0)).finds({ mode_toggled: 1 })));
  it('refused or not', () => check(openLoop('gemini-2.5-pro').send(undefined, budget(0)).finds({ mode_toggled: 1 })));
  it('by taking the budget away where thinking is off without one', () =>
    check(
      openLoop('gemini-2.5-flash-lite', budget(1024))
        .send(undefined, { generationConfig: undefined })
        .finds({ mode_toggled: 1 }),
    ));
  it('by putting it where nobody looks', () =>
    check(
      openLoop('gemini-2.5-flash-lite', budget(1024))
        .send(undefined, { generationConfig: { thinkingBudget: 1024 } })
        .finds({ mode_toggled: 1 }),
    ));
  it('together with the seals', () =>
    check(openLoop(ADVISORY).send(stripAll, budget(0)).finds({ mode_toggled: 1, dropped: 2 })));
  it('not: where a model cannot be kept from thinking', () => check(openLoop(STRICT).send(undefined, budget(0))));
  it('not: in a new turn, or off from the start', () => {
    check(closedLoop(ADVISORY).send(undefined, budget(0)));
    check(talk(ADVISORY, budget(0)).user('Go on.').answer(call('x')).results('x').send());
  });
  it.each([
    ['a lower level', { thinkingConfig: { thinkingLevel: 'LOW' } }],
    ['the lowest', { thinkingConfig: { thinkingLevel: 'MINIMAL' } }],
    ['summaries', { thinkingConfig: { includeThoughts: true } }],
    ['a smaller budget', { thinkingConfig: { thinkingBudget: 128 } }],
  ])('not: %s', (_what, generationConfig) =>
    check(openLoop('gemini-3-flash-preview').send(undefined, { generationConfig })),
  );
});

describe('unsigned_on_arrival: a step with a call that came without any seal', () => {
  const bare = (name: string) => talk(name).user('Go on.').answer(call('a'), call('x')).results('a', 'x');
  it.each([STRICT, KEEPS])('a finding on each request of the open cycle that carries it, on %s', (name) =>
    check(
      bare(name)
        .send()
        .finds({ unsigned_on_arrival: 1 })
        .reply(sc('b'))
        .results('b')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ),
  );
  it('behind a turn a note where nobody reads it', () => {
    const done = (name: string) => bare(name).send().finds({ unsigned_on_arrival: 1 }).reply(tx('Done.')).user('And?');
    check(done(STRICT).send().notes({ unsigned_on_arrival: 1 }));
    check(done(KEEPS).send().finds({ unsigned_on_arrival: 1 }));
  });
  it('nothing where the model need not sign', () => check(bare(ADVISORY).send()));
  it('nothing of an answer without a call', () =>
    check(talk(STRICT).user('Go on.').answer(tx('Done.')).user('And?').send()));
  it('nothing once it is left out', () =>
    check(
      bare(STRICT)
        .edit((history) => history.slice(0, 1))
        .send(),
    ));
  it('a sibling is none', () => check(talk(STRICT).user('Go on.').answer(sc('a'), call('x')).results('a', 'x').send()));
});

describe('clean', () => {
  it.each([STRICT, KEEPS, ADVISORY])('finished turns re-sent whole on %s', (name) => check(closedLoop(name).send()));
  it('no answer had a seal: none can be missing', () =>
    check(
      talk(ADVISORY).user('Go on.').answer(call('x')).results('x').answer(tx('Done.')).user('And?').send(stripAll),
    ));
  it('different damage to different seals stands side by side', () =>
    check(
      openLoop(STRICT)
        .answer(tx('Let me look at the map.'), sc('c'), call('y'))
        .results('c', 'y')
        .send(
          all(
            unsign('a'),
            set('b', { thoughtSignature: seal('b').slice(0, 80) }),
            move('c', 'y'),
            set('Let me look at the map.', { thoughtSignature: seal('of nobody') }),
          ),
        )
        .finds({ dropped: 1, edited: 1, misplaced: 1, fabricated: 1 }),
    ));
  it('a carrier of an earlier turn, kept', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(tx('Done.'), carrier('t'))
        .user('And?')
        .answer(tx('Done too.'), carrier('u'))
        .user('More.')
        .send(),
    ));
});
