import { describe, expect, it } from 'vitest';
import type { Finding, Judgement } from '../../../src/continuity/judgement.ts';
import { call, om, red, th, thought, tx } from './blocks.ts';
import { judge } from './check.ts';
import { drop, type Edit, noThinking, put, set } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** What a judgement says beside verdict and counts: where, by whom, why, how sure, how much. */

const all = (one: Talk): Judgement[] => [...judge(one.steps).values()];
const last = (one: Talk): Judgement => {
  const judgement = all(one).at(-1);
  if (judgement === undefined) throw new Error('nothing was judged');
  return judgement;
};
const facts = ({ kind, reason, source, path, cycle, severity, certainty }: Finding) => ({
  kind,
  reason,
  source,
  path,
  cycle,
  severity,
  certainty,
});

describe('each silent failure has its reason and place', () => {
  const client = { source: 'client', certainty: 'certain', severity: 'loss' };
  const mixed = () => talk(KEEPS_ALL).user('Go.').answer(red('r'), om('e'), th('a'), call('c1')).results('c1');
  const rows: readonly (readonly [string, () => Talk, Edit, object])[] = [
    [
      'all reasoning of an open step left out',
      () => talk(KEEPS_ALL).user('Go.').answer(th('a'), call('c1')).results('c1'),
      noThinking,
      { ...client, kind: 'dropped', reason: 'omitted_in_cycle', path: 'messages.1', cycle: 'open' },
    ],
    [
      'an earlier step of the same cycle stripped, the latest kept',
      () => openLoop(KEEPS_ALL),
      drop('a'),
      { ...client, kind: 'dropped', reason: 'omitted_in_cycle', path: 'messages.1', cycle: 'open' },
    ],
    [
      'a finished turn stripped',
      () => closedLoop(KEEPS_ALL),
      drop('a', 'b'),
      { ...client, kind: 'dropped', reason: 'omitted_after_cycle', path: 'messages.1', cycle: 'closed' },
    ],
    [
      'the redacted block filtered',
      mixed,
      drop('r'),
      { ...client, kind: 'dropped', reason: 'redacted_filtered', path: 'messages.1', cycle: 'open' },
    ],
    [
      'the empty block skipped by a serializer',
      mixed,
      drop('e'),
      { ...client, kind: 'dropped', reason: 'empty_text_filtered', path: 'messages.1', cycle: 'open' },
    ],
    [
      'the seal lost, the text kept',
      () => openLoop(KEEPS_ALL),
      set('b', { signature: undefined }),
      { ...client, kind: 'edited', reason: 'seal_missing', path: 'messages.3.content.0', cycle: 'open' },
    ],
    [
      'the text edited, the seal kept',
      () => openLoop(KEEPS_ALL),
      set('b', { thinking: 'Shorter.' }),
      // The documentation says 400, measured was 200: the stricter rule, and not certain.
      { ...client, kind: 'edited', path: 'messages.3.content.0', cycle: 'open', certainty: 'inferred' },
    ],
    [
      'reasoning downgraded to text',
      () => openLoop(KEEPS_ALL),
      put('b', () => tx(thought('b'))),
      {
        ...client,
        kind: 'converted_to_text',
        reason: 'converted_to_text',
        path: 'messages.3.content.0',
        cycle: 'open',
      },
    ],
  ];
  for (const [name, start, edit, wanted] of rows) {
    it(name, () => expect(facts(last(start().send(edit)).findings[0] as Finding)).toMatchObject(wanted));
  }

  it.each([
    ['model_binding_mismatch', 'model_mismatch'],
    ['prefix_binding_mismatch', 'prefix_mismatch'],
    ['organization_binding_mismatch', 'organization_mismatch'],
    ['end_user_binding_mismatch', 'end_user_mismatch'],
  ])('the provider says %s', (word, reason) => {
    const one = openLoop(CHECKED)
      .send()
      .carrying({ input_transformations: [{ type: 'thinking_dropped', path: 'messages.3.content.0', reason: word }] })
      .reply(tx('Done.'));
    expect(facts(last(one).findings[0] as Finding)).toMatchObject({
      source: 'server',
      reason,
      path: 'messages.3.content.0',
      certainty: 'certain',
      severity: 'loss',
    });
  });

  it.each([
    ['system', { system: 'Night.' }],
    ['tools', { tools: [{ name: 'store' }] }],
  ])('what changed in front: %s', (part, config) =>
    expect(last(openLoop(CHECKED, { system: 'Day.' }).send(undefined, config)).prefixChanged).toBe(part),
  );

  it('what changed in front: an earlier message', () => {
    const one = openLoop(CHECKED).send(([, ...rest]) => [{ role: 'user', content: 'Something else.' }, ...rest]);
    expect(last(one).prefixChanged).toBe('messages');
  });
});

describe('blocks counted', () => {
  it('a loss is new once', () => {
    const one = talk(KEEPS_ALL)
      .user('Go.')
      .answer(th('a'), call('c1'))
      .results('c1')
      .edit(drop('a'))
      .answer(th('b'), call('c2'))
      .results('c2')
      .send();
    expect(all(one).map(({ blocks }) => blocks)).toEqual([
      { issued: 1, expected: 0, returned: 0, dropped: 0, damaged: 0, newlyDropped: 0 },
      { issued: 1, expected: 1, returned: 0, dropped: 1, damaged: 0, newlyDropped: 1 },
      { issued: 0, expected: 2, returned: 1, dropped: 1, damaged: 0, newlyDropped: 0 },
    ]);
  });

  it.each([
    ['returned whole', (one: Talk) => one.send(), 'intact'],
    ['one damaged', (one: Talk) => one.send(set('a', { thinking: 'Shorter.' })), 'partial'],
    ['one dropped', (one: Talk) => one.send(drop('a')), 'partial'],
    ['none returned', (one: Talk) => one.send(noThinking), 'stripped'],
  ])('%s', (_name, act, continuity) => expect(last(act(openLoop(KEEPS_ALL))).continuity).toBe(continuity));

  it('nothing was to come back', () =>
    expect(last(talk(KEEPS_ALL).user('Go.').send()).continuity).toBe('not_applicable'));

  it('planned losses are released, not dropped', () => {
    const judged = last(openLoop(CHECKED).send(noThinking, { model: KEEPS_ALL }));
    expect(judged.blocks.dropped).toBe(0);
    expect(judged.firstSeen.dropped).toEqual([]);
    expect(judged.firstSeen.released).toMatchObject([{ reason: 'model_switch', count: 2 }]);
  });

  it('a loss that is only a note is released too', () => {
    const judged = last(closedLoop(LAST_TURN_ONLY).send(noThinking));
    expect(judged.blocks.dropped).toBe(0);
    expect(judged.firstSeen.dropped).toEqual([]);
    expect(judged.firstSeen.released.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });
});

describe('thinking expected and present', () => {
  it('adaptive thinking that chose not to think is no failure', () => {
    const judged = last(talk(KEEPS_ALL).user('What is one and one?').answer(tx('Two of them.')));
    expect(judged.present).toBe(false);
    expect(judged.assertion).not.toBe('fail');
    expect(judged.verdict).toBe('clean');
  });

  it('present where it was expected passes', () => {
    const judged = last(talk(KEEPS_ALL).user('Go.').answer(th('a'), tx('Done with it.')));
    expect(judged).toMatchObject({ expectation: 'expected', present: true, assertion: 'pass' });
  });

  it('switched off is not expected', () => {
    const judged = last(talk(KEEPS_ALL, { thinking: undefined }).user('Go.').answer(tx('Done with it.')));
    expect(judged.expectation).toBe('not_expected');
    expect(judged.assertion).toBe('skip');
  });

  it('switched off between call and result, with no block in the answer, fails', () => {
    const judged = last(
      openLoop(KEEPS_ALL)
        .send(undefined, { thinking: { type: 'disabled' } })
        .reply(tx('Done with it.')),
    );
    expect(judged).toMatchObject({ present: false, assertion: 'fail' });
  });
});

describe('model switches', () => {
  it.each([
    [CHECKED, KEEPS_ALL, 'downgrade', 'dropped'],
    ['claude-opus-4-8', 'claude-opus-5-5', 'upgrade', 'kept'],
    [KEEPS_ALL, 'minimax-m3', 'cross_provider', 'dropped'],
  ])('%s to %s', (from, to, direction, survives) =>
    expect(last(closedLoop(from).send(undefined, { model: to })).modelSwitch).toMatchObject({
      direction,
      survives,
      from,
      to,
    }),
  );

  it('none', () => expect(last(closedLoop(KEEPS_ALL).send()).modelSwitch).toBeUndefined());
});

describe('tokens sent again', () => {
  const usage = { input_tokens: 20_000, output_tokens: 1500, output_tokens_details: { thinking_tokens: 1200 } };

  it('a loop of five steps with 1,200 tokens each sends 12,000 again', () => {
    const one = talk(KEEPS_ALL).user('Go.');
    for (const step of [1, 2, 3, 4]) {
      one
        .carrying({ usage })
        .answer(th(`s${step}`), call(`c${step}`))
        .results(`c${step}`);
    }
    one.carrying({ usage }).answer(th('s5'), tx('Done with it.'));
    const resent = all(one).map(({ tokens }) => tokens?.resent ?? 0);
    expect(resent).toEqual([0, 1200, 2400, 3600, 4800]);
  });

  it('a dropped block is not sent again', () => {
    const one = talk(KEEPS_ALL)
      .user('Go.')
      .carrying({ usage })
      .answer(th('a'), call('c1'))
      .results('c1')
      .carrying({ usage })
      .answer(th('b'), call('c2'))
      .results('c2')
      .send(drop('a'))
      .carrying({ usage })
      .reply(tx('Done with it.'));
    expect(last(one).tokens?.resent).toBe(1200);
  });
});

describe('runs and cycles', () => {
  it('a chain of steps is one run', () => {
    const runs = all(openLoop(KEEPS_ALL).send()).map(({ runId }) => runId);
    expect(new Set(runs).size).toBe(1);
    expect(runs[0]).not.toBe('');
  });

  it('two conversations on one wire are two', () => {
    const first = openLoop(KEEPS_ALL);
    const second = first
      .fork({}, () => [])
      .user('Something else entirely?')
      .answer(th('z'), call('z1'))
      .results('z1');
    second.send();
    first.send();
    expect(new Set(all(first).map(({ runId }) => runId)).size).toBe(2);
  });

  it('steps of the cycle are counted from 1', () => {
    const judged = all(closedLoop(KEEPS_ALL).send());
    expect(judged.map(({ cycle }) => cycle.step)).toEqual([1, 2, 1]);
  });

  it('the step whose answer closes the cycle says how long it was', () => {
    const judged = all(closedLoop(KEEPS_ALL).send());
    expect(judged.map(({ closedCycle }) => closedCycle)).toEqual([undefined, { steps: 2, toolCalls: 1 }, undefined]);
  });

  it('a call repeated with equal arguments', () => {
    const one = talk(KEEPS_ALL)
      .user('Go.')
      .answer(th('a'), call('c1', { key: 'x', depth: 1 }))
      .results('c1')
      .answer(th('b'), call('c2', { depth: 1, key: 'x' }), call('c3', { key: 'y' }));
    expect(all(one).map(({ toolCalls }) => toolCalls)).toEqual([
      [{ name: 'lookup', repeated: false }],
      [
        { name: 'lookup', repeated: true },
        { name: 'lookup', repeated: false },
      ],
    ]);
  });
});
