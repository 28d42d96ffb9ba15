import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariants, judge, reportOf, streamed } from '../dialects/gemini-generate/check.ts';
import { KEEPS } from '../dialects/gemini-generate/models.ts';
import { type Content, callName, type Part, signed, thought, tx, user } from '../dialects/gemini-generate/parts.ts';
import { type Step, type Talk, talk } from '../dialects/gemini-generate/talk.ts';
import { bounds } from './conversations.ts';
import { EDITS, isCall, MUTATIONS } from './gemini-mutations.ts';

/** Random loops of generateContent: a faithful client is never accused, and each damage is called by its name. */

/** Of one answer: a summary of thoughts, text that is signed or not, calls of which the first is signed. */
const step = fc.record({
  thought: fc.boolean(),
  text: fc.constantFrom('none', 'plain', 'signed'),
  calls: fc.integer({ min: 1, max: 3 }),
});
const last = fc.record({ thought: fc.boolean(), end: fc.constantFrom('plain', 'signed', 'carrier') });
const turn = fc.record({ steps: fc.array(step, { maxLength: 3 }), last });
type Answer =
  | (typeof step extends fc.Arbitrary<infer T> ? T : never)
  | (typeof last extends fc.Arbitrary<infer T> ? T : never);
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** Neighbours may make the same calls, which have no ids, and ask the same. */
const habits = fc.record({ calls: fc.constantFrom('own', 'common'), words: fc.constantFrom('own', 'common') });
type Habits = typeof habits extends fc.Arbitrary<infer T> ? T : never;

class Writer {
  private readonly name: string;
  private readonly habits: Habits;
  private count = 0;

  constructor(name = 'w', shared: Habits = { calls: 'own', words: 'own' }) {
    this.name = name;
    this.habits = shared;
  }

  private next(prefix: string): string {
    this.count += 1;
    return `${prefix}-${this.name}${this.count}`;
  }

  private word(prefix: string): string {
    return this.habits.words === 'own' ? this.next(prefix) : prefix;
  }

  private call(index: number): Part {
    const common = this.habits.calls === 'common';
    return { functionCall: { name: `fn_poll${index}`, args: common ? {} : { key: this.next('key') } } };
  }

  question(): string {
    return `A question ${this.word('question')}: what is to be done next?`;
  }

  answer(answer: Answer): Part[] {
    const parts: Part[] = answer.thought ? [thought(`Thinking of ${this.next('thought')} for a while.`)] : [];
    const said = () => tx(`A remark ${this.word('remark')} on the state of the work.`);
    if ('end' in answer) {
      if (answer.end === 'carrier') return [...parts, said(), signed(this.next('seal'), tx(''))];
      return [...parts, answer.end === 'signed' ? signed(this.next('seal'), said()) : said()];
    }
    if (answer.text !== 'none') parts.push(answer.text === 'signed' ? signed(this.next('seal'), said()) : said());
    const calls = Array.from({ length: answer.calls }, (_, index) => this.call(index));
    return [...parts, ...calls.map((one, index) => (index === 0 ? signed(this.next('seal'), one) : one))];
  }
}

const resultsOf = (parts: readonly Part[]): Part[] =>
  parts.filter(isCall).map((part) => ({
    functionResponse: { name: callName(part), response: { output: `of ${JSON.stringify(part.functionCall)}` } },
  }));

function play(client: Talk, parts: readonly Part[]): void {
  client.answer(...parts);
  if (parts.some(isCall)) client.append(user(...resultsOf(parts)));
}

const acts = (client: Talk, writer: Writer, { steps, last: end }: Turn): (() => void)[] => [
  () => void client.user(writer.question()),
  ...steps.map((one) => () => play(client, writer.answer(one))),
  () => play(client, writer.answer(end)),
];

/** What a faithful client does between turns, beside asking the next question. */
const extra = fc.constantFrom(
  'none',
  'fork',
  'branch',
  'retry',
  'regenerate',
  'rebuild',
  'forget thoughts',
  'chunks',
  'ids',
);
const plan = fc.record({
  model: fc.constantFrom(KEEPS, 'gemini-3-pro-preview', 'gemini-2.5-flash', 'gemini-flash-latest'),
  turns: fc.array(fc.record({ turn, extra }), { minLength: 1, maxLength: 3 }),
});

function act(client: Talk, writer: Writer, what: string, one: Turn, spawn: (acts: (() => void)[]) => void): void {
  const edit = EDITS[what];
  if (edit !== undefined) client.edit(edit);
  else if (what === 'fork') spawn(acts(client.fork(), writer, one));
  else if (what === 'branch')
    spawn(
      acts(
        client.fork({}, (history) => history.slice(0, -2)),
        writer,
        one,
      ),
    );
  else if (what === 'retry') {
    client.user(writer.question()).send().fails(503, 'The model is overloaded.');
    play(client, writer.answer(one.last));
  } else if (what === 'regenerate') {
    client
      .user(writer.question())
      .send()
      .receive(...writer.answer(one.last));
    play(client, writer.answer(one.last));
  }
}

const FORMS: Readonly<Record<string, (steps: readonly Step[]) => readonly Step[]>> = {
  kept: (steps) => steps,
  rebuilt: (steps) => JSON.parse(JSON.stringify(steps)),
  streamed: (steps) => steps.map((one) => streamed(one)),
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
          const wire = talk(KEEPS);
          const queues = plans.map((one, index) => {
            const client = talk(one.model, { systemInstruction: 'One of several clients.' });
            // On the wire of the others: their steps mix.
            const own = Object.assign(client, { steps: wire.steps, expected: wire.expected });
            const writer = new Writer(`client${index}-`, shared);
            return one.turns.flatMap(({ turn: next, extra: what }) => [
              ...acts(own, writer, next),
              () => act(own, writer, what, next, (more) => queues.push(more)),
            ]);
          });
          while (queues.some((queue) => queue.length > 0)) {
            const waiting = queues.filter((queue) => queue.length > 0);
            waiting[(order.next().value ?? 0) % waiting.length]?.shift()?.();
          }
          const traffic = (FORMS[form] as (typeof FORMS)[string])(wire.steps);
          for (const [at, judgement] of judge(traffic)) {
            expect({ at, report: reportOf(judgement) }).toEqual({ at, report: {} });
            invariants(judgement, traffic, at);
          }
        },
      ),
      bounds(80),
    );
  });

  it('get every seal returned that a model reading all turns was to read', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), habits, (turns, shared) => {
        const writer = new Writer('w', shared);
        const client = talk(KEEPS);
        for (const one of turns) for (const next of acts(client, writer, one)) next();
        const judged = [...judge(client.user('And?').send().steps).values()];
        const issued = judged.reduce((sum, { blocks }) => sum + blocks.issued, 0);
        expect(judged.at(-1)?.blocks).toMatchObject({ expected: issued, returned: issued, dropped: 0, damaged: 0 });
      }),
      bounds(40),
    );
  });
});

const run = fc.record({
  turns: fc.array(turn, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});

describe('each damage, at a random place, is called by its name', () => {
  it.each(Object.entries(MUTATIONS))('%s', (_name, mutate) => {
    let applied = 0;
    fc.assert(
      fc.property(run, fc.infiniteStream(fc.nat()), habits, (one, stream, shared) => {
        const writer = new Writer('w', shared);
        const client = talk(KEEPS).target({ auth_fingerprint: 'one' });
        for (const next of one.turns.flatMap((each) => acts(client, writer, each))) next();
        client.user(writer.question());
        for (const each of one.steps) play(client, writer.answer(each));
        let history: readonly Content[] = [];
        client.edit((now) => {
          history = now;
          return now;
        });
        const damage = mutate(history, (limit) => (stream.next().value ?? 0) % limit);
        if (damage === undefined) return;
        applied += 1;
        if (damage.target) client.target(damage.target);
        client.send(() => damage.history, damage.config);
        const end = client.steps.length - 1;
        for (const [at, judgement] of judge(client.steps)) {
          const report = at === end ? damage.report : {};
          expect({ at, report: reportOf(judgement) }).toEqual({ at, report });
          const kinds = Object.keys(report);
          expect(judgement.verdict).toBe(
            kinds.length === 0 ? 'clean' : kinds.join() === 'trimmed' ? 'note' : 'finding',
          );
          invariants(judgement, client.steps, at);
        }
      }),
      bounds(30),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(10);
  });
});
