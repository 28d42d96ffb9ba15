import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, out, result, type Step, search, th, user } from '../dialects/gemini-interactions/steps.ts';
import { check, judge, stateful, stateless, type Talk } from '../dialects/gemini-interactions/talk.ts';
import { bounds } from './conversations.ts';
import { MUTATIONS } from './gemini-interactions-mutations.ts';

/** Random interactions, sent in full or by name: a faithful client is never accused, and each damage has its name. */

const step = fc.record({
  thoughts: fc.integer({ min: 0, max: 2 }),
  search: fc.boolean(),
  says: fc.boolean(),
  calls: fc.integer({ min: 1, max: 2 }),
});
const last = fc.record({ thoughts: fc.integer({ min: 0, max: 2 }), search: fc.boolean() });
const turns = fc.array(fc.record({ steps: fc.array(step, { maxLength: 3 }), last }), { minLength: 1, maxLength: 3 });
type Turns = typeof turns extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
const next = (prefix: string): string => {
  count += 1;
  return `${prefix}-${count}`;
};
const times = (n: number, make: () => Step): Step[] => Array.from({ length: n }, make);
const thoughts = (n: number): Step[] =>
  times(n, () => (count % 2 ? th(next('t'), `Thinking of ${next('it')} for a while.`) : th(next('t'))));

/** Whole turns as acts, so that others can come in between. */
function acts(client: Talk, all: Turns): (() => void)[] {
  return all.flatMap(({ steps, last: end }) => [
    () => void client.append(user(`A question ${next('q')}: what is next?`)),
    ...steps.map((one) => () => {
      const calls = times(one.calls, () => call(next('c')));
      const said = one.says ? [out(`A remark ${next('r')} on the state of it.`)] : [];
      client.answer(...thoughts(one.thoughts), ...(one.search ? search(next('s')) : []), ...said, ...calls);
      client.append(...calls.map(({ id }) => result(String(id))));
    }),
    () =>
      void client.answer(
        ...thoughts(end.thoughts),
        ...(end.search ? search(next('s')) : []),
        out(`An answer ${next('a')} to that.`),
      ),
  ]);
}

it('faithful clients are never accused, side by side', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(turns, fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (plans, order) => {
        const wire = stateless();
        const queues = plans.map(([plan, named]) => {
          const client = named ? stateful() : stateless();
          return acts(Object.assign(client, { traffic: wire.traffic, expected: wire.expected }), plan);
        });
        while (queues.some((queue) => queue.length > 0)) {
          const waiting = queues.filter((queue) => queue.length > 0);
          waiting[(order.next().value ?? 0) % waiting.length]?.shift()?.();
        }
        check(wire);
      },
    ),
    bounds(40),
  );
});

it.each([
  ['in full', stateless],
  ['by name', stateful],
])('every unit is returned, %s', (_how, open) => {
  fc.assert(
    fc.property(turns, (plan) => {
      const client = open();
      for (const act of acts(client, plan)) act();
      const judged = [...judge(client.append(user('And?')).send().traffic).values()];
      const issued = judged.reduce((sum, { blocks }) => sum + blocks.issued, 0);
      expect(judged.at(-1)?.blocks).toMatchObject({ expected: issued, returned: issued, dropped: 0, damaged: 0 });
    }),
    bounds(30),
  );
});

describe('each damage, at a random place, is called by its name', () => {
  it.each(Object.entries(MUTATIONS))('%s', (_name, [like, mutate]) => {
    let applied = 0;
    fc.assert(
      fc.property(turns, fc.nat(), (plan, place) => {
        const client = stateless();
        for (const act of acts(client, plan)) act();
        client.append(user('And?')).edit((history) => {
          const places = history.flatMap((one, at) => (like(one) ? [at] : []));
          const at = places[place % places.length];
          if (at === undefined) return history;
          applied += 1;
          const damage = mutate(history, at);
          client.expected.set(client.traffic.length, { verdict: 'finding', report: damage.report });
          return damage.history;
        });
        check(client.send());
      }),
      bounds(30),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(10);
  });
});
