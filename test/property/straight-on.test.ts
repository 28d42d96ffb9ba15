import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { createAnthropicMessages } from '../../src/dialects/anthropic-messages/index.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';
import type { Message } from '../dialects/anthropic-messages/blocks.ts';
import { judge } from '../dialects/anthropic-messages/check.ts';
import { CHECKED, KEEPS_ALL } from '../dialects/anthropic-messages/models.ts';
import { type Step, type Talk, talk } from '../dialects/anthropic-messages/talk.ts';
import { acts, bounds, play, step, turn, Writer } from './conversations.ts';
import { damageEach, MUTATIONS } from './mutations.ts';

/** A step that goes straight on from a sound one is judged by what is new, and as if by the whole. */

/** With tables of its own for each request: none goes on from another. */
const whole: Dialect = {
  ...createAnthropicMessages(),
  open: (...request) => createAnthropicMessages().open(...request),
};

const run = fc.record({
  model: fc.constantFrom(KEEPS_ALL, CHECKED, 'claude-sonnet-4-5', 'MiniMax-M3'),
  turns: fc.array(turn, { maxLength: 2 }),
  before: fc.array(step, { maxLength: 4 }),
  after: fc.array(step, { minLength: 1, maxLength: 3 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
const places = fc.infiniteStream(fc.nat());

function begun({ model, turns, before }: Run, writer: Writer): Talk {
  const client = talk(model, { system: 'You are of help.', tools: [{ name: 'lookup' }, { name: 'store' }] });
  for (const one of turns) for (const next of acts(client, writer, one)) next();
  client.user(writer.question());
  for (const one of before) play(client, writer.answer(one));
  return client;
}

/** Run ids are drawn anew at each replay: their order of appearance stands for them. */
function told(judged: ReadonlyMap<number, Judgement>): unknown[] {
  const ids: string[] = [];
  return [...judged].map(([at, { runId, ...judgement }]) => {
    if (!ids.includes(runId)) ids.push(runId);
    return { at, run: ids.indexOf(runId), ...judgement };
  });
}

const expectAsWhole = (steps: readonly Step[]): void =>
  expect(told(judge(steps))).toEqual(told(judge(steps, { ...dialects, 'anthropic.messages': whole })));

describe('a judgement that goes straight on', () => {
  it('is that of the whole history, whatever happens on the way', () => {
    fc.assert(
      fc.property(run, fc.constantFrom('none', 'each', ...Object.keys(MUTATIONS)), places, (one, what, stream) => {
        const writer = new Writer();
        const client = begun(one, writer);
        const below = (limit: number): number => (stream.next().value ?? 0) % limit;
        let history: readonly Message[] = [];
        client.edit((now) => {
          history = now;
          return now;
        });
        const damage = what === 'each' ? damageEach(history, below) : MUTATIONS[what]?.(history, below);
        if (damage !== undefined) client.send(() => damage.history, 'config' in damage ? damage.config : undefined);
        // And on, with the history as the client holds it, or as it was damaged.
        const keepsDamage = below(2) === 0;
        if (damage !== undefined && keepsDamage) client.edit(() => [...damage.history]);
        for (const more of one.after) play(client, writer.answer(more));
        expectAsWhole(client.steps);
      }),
      bounds(250),
    );
  });

  it('is that of the whole history for two clients that share words and ids of calls', () => {
    fc.assert(
      fc.property(run, run, places, (left, right, stream) => {
        const wire = talk('claude-opus-4-8');
        const lives = [left, right].map((one, at) => {
          const writer = new Writer(`client${at}-`, { ids: 'common', words: 'common' });
          const client = Object.assign(talk(one.model, { system: `Client ${at}` }), { steps: wire.steps });
          return [
            () => void client.user(writer.question()),
            ...[...one.before, ...one.after].map((more) => () => play(client, writer.answer(more))),
          ];
        });
        while (lives.some((acts) => acts.length > 0)) {
          const waiting = lives.filter((acts) => acts.length > 0);
          waiting[(stream.next().value ?? 0) % waiting.length]?.shift()?.();
        }
        expectAsWhole(wire.steps);
      }),
      bounds(100),
    );
  });
});
