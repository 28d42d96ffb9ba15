import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, seal, user } from '../dialects/anthropic-messages/blocks.ts';
import { invariants, judge, reportOf, streamed } from '../dialects/anthropic-messages/check.ts';
import { splice } from '../dialects/anthropic-messages/edits.ts';
import { type Step, type Talk, talk } from '../dialects/anthropic-messages/talk.ts';
import { acts, bounds, habits, type Turn, turn, Writer } from './conversations.ts';

/** A client that echoes everything is never accused, whatever the model and the neighbours do. */

const MODELS = [
  'claude-opus-4-8',
  'claude-sonnet-4-5',
  'claude-sonnet-5',
  'claude-opus-5-5',
  'claude-fable-5-1',
  'claude-haiku-5-5',
  'claude-3-7-sonnet-20250219',
  'MiniMax-M3',
] as const;

/** What a faithful client does between turns, beside asking the next question. */
const extra = fc.constantFrom('none', 'fork', 'compaction', 'retry', 'regenerate', 'branch', 'rebuild');
const plan = fc.record({
  model: fc.constantFrom(...MODELS),
  turns: fc.array(fc.record({ turn, extra }), { minLength: 1, maxLength: 3 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const compaction = (name: string): Block => ({
  type: 'compaction',
  content: `The story so far, up to: ${name}`,
  encrypted_content: seal(name),
});

/** The whole life of one client, as acts. `spawn` lets a fork live on beside it. */
function life(client: Talk, writer: Writer, { turns }: Plan, spawn: (acts: (() => void)[]) => void): (() => void)[] {
  return turns.flatMap(({ turn: one, extra: what }) => [
    ...acts(client, writer, one),
    () => act(client, writer, what, one, spawn),
  ]);
}

function act(client: Talk, writer: Writer, what: string, one: Turn, spawn: (acts: (() => void)[]) => void): void {
  switch (what) {
    case 'fork':
      spawn(acts(client.fork(), writer, one));
      return;
    case 'branch':
      // Another question in the place of the last exchange.
      spawn(
        acts(
          client.fork({}, (history) => history.slice(0, -2)),
          writer,
          one,
        ),
      );
      return;
    case 'compaction': {
      let before = 0;
      client.user(writer.question()).edit((history) => {
        before = history.length;
        return history;
      });
      client.answer(compaction(`${client.steps.length} steps`), ...writer.answer(one.last)).edit(splice(0, before));
      return;
    }
    case 'retry':
      client
        .user(writer.question())
        .send()
        .fails(529, 'Overloaded')
        .answer(...writer.answer(one.last));
      return;
    case 'regenerate': {
      client.user(writer.question()).send();
      client.receive({
        model: client.steps.at(-1)?.request?.model,
        stop_reason: 'end_turn',
        content: writer.answer(one.last),
      });
      client.answer(...writer.answer(one.last));
      return;
    }
    case 'rebuild':
      client.edit((history) => JSON.parse(JSON.stringify(history)));
      return;
    default:
  }
}

const FORMS: Readonly<Record<string, (steps: readonly Step[]) => readonly Step[]>> = {
  kept: (steps) => steps,
  rebuilt: (steps) => JSON.parse(JSON.stringify(steps)),
  streamed: (steps) => steps.map((step) => streamed(step)),
};

describe('faithful clients', () => {
  it('are never accused, alone or beside one another', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        fc.constantFrom(...Object.keys(FORMS)),
        habits,
        (plans, order, form, shared) => {
          const wire = talk('claude-opus-4-8');
          const queues = plans.map((one, index) => {
            const client = talk(one.model, { system: 'One of several clients.' });
            // On the wire of the others: their steps mix.
            const own = Object.assign(client, { steps: wire.steps, expected: wire.expected });
            return life(own, new Writer(`client${index}-`, shared), one, (more) => queues.push(more));
          });
          while (queues.some((queue) => queue.length > 0)) {
            const waiting = queues.filter((queue) => queue.length > 0);
            waiting[(order.next().value ?? 0) % waiting.length]?.shift()?.();
          }
          const traffic = (FORMS[form] as (typeof FORMS)[string])(wire.steps);
          for (const [step, judgement] of judge(traffic)) {
            expect({ step, report: reportOf(judgement) }).toEqual({ step, report: {} });
            expect(judgement.verdict).toBe('clean');
            invariants(judgement, traffic, step);
          }
        },
      ),
      bounds(120),
    );
  });

  it('get every block returned that a model keeping all turns was to read', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), (turns) => {
        const writer = new Writer();
        const client = talk('claude-opus-4-8');
        for (const one of turns) for (const next of acts(client, writer, one)) next();
        client.append(user('And?')).send();
        const judged = [...judge(client.steps).values()];
        const issued = judged.reduce((sum, { blocks }) => sum + blocks.issued, 0);
        expect(judged.at(-1)?.blocks).toMatchObject({ expected: issued, returned: issued, dropped: 0, damaged: 0 });
      }),
      bounds(60),
    );
  });
});
