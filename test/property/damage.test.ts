import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../dialects/anthropic-messages/blocks.ts';
import { invariants, judge, reportOf } from '../dialects/anthropic-messages/check.ts';
import { CHECKED, KEEPS_ALL } from '../dialects/anthropic-messages/models.ts';
import { type Report, type Talk, talk } from '../dialects/anthropic-messages/talk.ts';
import { acts, bounds, play, step, turn, Writer } from './conversations.ts';
import { type Below, type Damage, damageEach, MUTATIONS, UNDECIDED_ON_CHECKED, verdictOf } from './mutations.ts';

/** Each random damage is called by its name, with its count, and nothing else is said. */

const FRAME = { system: 'You are of help.', tools: [{ name: 'lookup' }, { name: 'store' }] };

/** Some finished turns, then an open loop whose next request is still to be sent. */
function openRun(model: string, { turns, steps }: Run): Talk {
  const writer = new Writer();
  const client = talk(model, FRAME);
  for (const one of turns) for (const next of acts(client, writer, one)) next();
  client.user(writer.question());
  for (const one of steps) play(client, writer.answer(one));
  return client;
}

const run = fc.record({
  turns: fc.array(turn, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
const places = fc.infiniteStream(fc.nat());

/** The same run, every answer in words of its own. */
const wordy = ({ turns, steps }: Run): Run => ({
  turns: turns.map((one) => ({ ...one, last: one.last.map((piece) => (piece === 'ok' ? 'tx' : piece)) })),
  steps,
});

/** Sends the damaged history; every request before it has to be clean, this one exactly as wanted. */
function expectLast(client: Talk, damage: Damage, wanted: Report, verdict = verdictOf(wanted)): void {
  client.send(() => damage.history, damage.config);
  const last = client.steps.length - 1;
  const judged = judge(client.steps);
  for (const [at, judgement] of judged) {
    const told = { at, report: reportOf(judgement), verdict: judgement.verdict };
    expect(told).toEqual(at === last ? { at, report: wanted, verdict } : { at, report: {}, verdict: 'clean' });
  }
  const judgement = judged.get(last);
  if (judgement) invariants(judgement, client.steps, last);
}

const historyOf = (client: Talk): readonly Message[] => {
  let history: readonly Message[] = [];
  client.edit((now) => {
    history = now;
    return now;
  });
  return history;
};

/** Where no rule says what a model that checks prefixes makes of it, there is nothing to hold the judge to. */
const decided = (column: 'report' | 'checked') =>
  Object.entries(MUTATIONS).filter(([name]) => column === 'report' || !UNDECIDED_ON_CHECKED.has(name));

describe.each([
  [KEEPS_ALL, 'report'],
  [CHECKED, 'checked'],
] as const)('on %s', (model, column) => {
  it.each(decided(column))('%s', (_name, mutate) => {
    let applied = 0;
    fc.assert(
      fc.property(run, places, (one, stream) => {
        const client = openRun(model, one);
        const below: Below = (limit) => (stream.next().value ?? 0) % limit;
        const damage = mutate(historyOf(client), below);
        const wanted = damage?.[column];
        if (damage === undefined || wanted === undefined) return;
        applied += 1;
        expectLast(client, damage, wanted);
      }),
      bounds(40),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(10);
  });
});

describe('each block its own fate', () => {
  it('the counts add up', () => {
    fc.assert(
      fc.property(run, places, (one, stream) => {
        const client = openRun(KEEPS_ALL, one);
        const below: Below = (limit) => (stream.next().value ?? 0) % limit;
        const damage = damageEach(historyOf(client), below);
        expectLast(client, damage, damage.report);
      }),
      bounds(150),
    );
  });

  it('beside what happened to the turn and the request', () => {
    fc.assert(
      fc.property(run, places, fc.constantFrom('split results', 'trim an exchange'), (one, stream, name) => {
        // Behind a changed beginning an answer is known by what it says: `OK.` alone says nothing.
        const client = openRun(KEEPS_ALL, wordy(one));
        const below: Below = (limit) => (stream.next().value ?? 0) % limit;
        const turned = MUTATIONS[name]?.(historyOf(client), below);
        if (turned === undefined) return;
        const fated = damageEach(turned.history, below);
        const off = below(2) === 1 ? { thinking: { type: 'disabled' } } : undefined;
        const report = { ...turned.report, ...fated.report, ...(off ? { mode_toggled: 1 } : {}) };
        expectLast(client, { ...fated, ...(off ? { config: off } : {}) }, report);
      }),
      bounds(100),
    );
  });
});
