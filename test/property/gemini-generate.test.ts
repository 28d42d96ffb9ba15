import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariants, judge, reportOf, streamed } from '../dialects/gemini-generate/check.ts';
import { type Edit, scatter } from '../dialects/gemini-generate/edits.ts';
import { KEEPS } from '../dialects/gemini-generate/models.ts';
import {
  BYPASS,
  type Content,
  callName,
  model,
  type Part,
  seal,
  signed,
  thought,
  tx,
  user,
} from '../dialects/gemini-generate/parts.ts';
import { type Report, type Step, type Talk, talk } from '../dialects/gemini-generate/talk.ts';
import { bounds } from './conversations.ts';

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

const isCall = (part: Part): boolean => callName(part) !== undefined;
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

const eachPart =
  (change: (part: Part) => readonly Part[]): Edit =>
  (history) =>
    history.map((one) => ({ ...one, parts: one.parts.flatMap(change) }));

const EDITS: Readonly<Record<string, Edit>> = {
  rebuild: (history) => JSON.parse(JSON.stringify(history)),
  'forget thoughts': eachPart((part) => (part.thought === true ? [] : [part])),
  /** As the SDK's chat keeps a stream; calls of one batch have to stay together. */
  chunks: (history) =>
    history.flatMap((one, at) =>
      one.role === 'model' && one.parts.filter(isCall).length < 2
        ? scatter(at)(history).slice(at, at + one.parts.length)
        : [one],
    ),
  ids: eachPart((part) => {
    const member = isCall(part) ? 'functionCall' : 'functionResponse' in part ? 'functionResponse' : undefined;
    return [member === undefined ? part : { ...part, [member]: { ...(part[member] as object), id: 'made-up' } }];
  }),
};

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

type Below = (limit: number) => number;
interface Damage {
  readonly history: readonly Content[];
  readonly config?: Record<string, unknown>;
  readonly target?: Record<string, unknown>;
  readonly report: Report;
}
interface Place {
  readonly content: number;
  readonly at: number;
  readonly part: Part;
}
type Mutation = (history: readonly Content[], below: Below) => Damage | undefined;

const placesOf = (history: readonly Content[], like: (part: Part, content: Content) => boolean): Place[] =>
  history.flatMap((one, content) =>
    one.role === 'model' ? one.parts.flatMap((part, at) => (like(part, one) ? [{ content, at, part }] : [])) : [],
  );
const isSigned = (part: Part): boolean => 'thoughtSignature' in part;
const pick = <T>(list: readonly T[], below: Below): T | undefined =>
  list.length > 0 ? list[below(list.length)] : undefined;
const replaced = (history: readonly Content[], { content, at }: Omit<Place, 'part'>, ...parts: readonly Part[]) =>
  history.map((one, index) => (index === content ? { ...one, parts: one.parts.toSpliced(at, 1, ...parts) } : one));
const counts = (report: Report): Report => Object.fromEntries(Object.entries(report).filter(([, count]) => count > 0));
const sealsIn = (content: Content | undefined): number => content?.parts.filter(isSigned).length ?? 0;

const on =
  (
    like: (part: Part, content: Content) => boolean,
    damage: (place: Place, history: readonly Content[], below: Below) => Damage,
  ): Mutation =>
  (history, below) => {
    const place = pick(placesOf(history, like), below);
    return place && damage(place, history, below);
  };
const bare = ({ thoughtSignature: _seal, ...rest }: Part): Part => rest;
const isSibling = (part: Part): boolean => isCall(part) && !isSigned(part);
const exchanges = (history: readonly Content[], calls = 1): number[] =>
  history.flatMap((one, at) => (one.role === 'model' && one.parts.filter(isCall).length >= calls ? [at] : []));

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  unsign: on(isSigned, (place, history) => ({
    history: replaced(history, place, bare(place.part)),
    report: { dropped: 1 },
  })),
  'cut the seal': on(isSigned, (place, history, below) => {
    const value = String(place.part.thoughtSignature);
    const thoughtSignature = [value.slice(0, 90), value.slice(40), `${value.slice(0, 60)}xyz${value.slice(63)}`][
      below(3)
    ];
    return { history: replaced(history, place, { ...place.part, thoughtSignature }), report: { edited: 1 } };
  }),
  'rename the seal': on(isSigned, (place, history) => ({
    history: replaced(history, place, { ...bare(place.part), signature: place.part.thoughtSignature }),
    report: { edited: 1 },
  })),
  'replace the seal': on(isSigned, (place, history, below) => ({
    history: replaced(history, place, { ...place.part, thoughtSignature: below(2) ? BYPASS : seal('of nobody') }),
    report: { fabricated: 1, dropped: 1 },
  })),
  'seal a sibling': on(isSibling, (place, history, below) => ({
    history: replaced(history, place, { ...place.part, thoughtSignature: below(2) ? BYPASS : seal('of nobody') }),
    report: { fabricated: 1 },
  })),
  'copy the seal': on(isSibling, (place, history) => ({
    history: replaced(history, place, {
      ...place.part,
      thoughtSignature: history[place.content]?.parts.find(isSigned)?.thoughtSignature,
    }),
    report: { duplicated: 1 },
  })),
  'move the seal': on(isSibling, (place, history) => {
    const parts = history[place.content]?.parts ?? [];
    const from = parts.findIndex((part) => isSigned(part) && isCall(part));
    const { thoughtSignature } = parts[from] ?? {};
    const moved = replaced(history, place, { ...place.part, thoughtSignature });
    return {
      history: replaced(moved, { content: place.content, at: from }, bare(parts[from] ?? {})),
      report: { misplaced: 1 },
    };
  }),
  'seal the user': on(isSigned, (place, history) => ({
    history: history.map((one, at) =>
      at === place.content + 1
        ? {
            ...one,
            parts: one.parts.map((part, i) =>
              i === 0 ? { ...part, thoughtSignature: place.part.thoughtSignature } : part,
            ),
          }
        : one,
    ),
    report: { duplicated: 1 },
  })),
  'leave a part out': on(
    (part, { parts }) => isSigned(part) && !isCall(part) && parts.length > 1,
    (place, history) => ({ history: replaced(history, place), report: { dropped: 1 } }),
  ),
  'leave a sibling out': on(isSibling, (place, history) => {
    const index = history[place.content]?.parts.slice(0, place.at).filter(isCall).length ?? 0;
    return {
      history: replaced(replaced(history, place), { content: place.content + 1, at: index }),
      report: { edited: 1 },
    };
  }),
  reorder: on(
    (part, { parts }) => isSigned(part) && isCall(part) && parts.filter(isCall).length > 1,
    (place, history) => ({
      history: history.map((one, at) =>
        at === place.content ? { ...one, parts: [...one.parts.toSpliced(place.at, 1), place.part] } : one,
      ),
      report: { reordered: 1 },
    }),
  ),
  'copy a content': (history, below) => {
    const at = pick(exchanges(history), below);
    if (at === undefined) return undefined;
    const content = history[at];
    return { history: history.toSpliced(at + 2, 0, content as Content), report: { duplicated: sealsIn(content) } };
  },
  split: (history, below) => {
    const at = pick(exchanges(history, 2), below);
    if (at === undefined) return undefined;
    const parts = history[at]?.parts ?? [];
    const results = history[at + 1]?.parts ?? [];
    const calls = parts.filter(isCall);
    const steps = calls.flatMap((one, index) => [
      model(...(index === 0 ? parts.filter((part) => !isCall(part)) : []), one),
      user(results[index] as Part),
    ]);
    return { history: history.toSpliced(at, 2, ...steps), report: { split: calls.length - 1 } };
  },
  'split results': (history, below) => {
    const at = pick(exchanges(history, 2), below);
    if (at === undefined) return undefined;
    const results = history[at + 1]?.parts ?? [];
    return {
      history: history.toSpliced(at + 1, 1, ...results.map((one) => user(one))),
      report: { split_results: results.length - 1 },
    };
  },
  merge: (history, below) => {
    const at = pick(
      exchanges(history).filter(
        (index) => history[index + 2]?.role === 'model' && history[index + 2]?.parts.some(isCall),
      ),
      below,
    );
    if (at === undefined) return undefined;
    const [a, ra, b, rb] = history.slice(at, at + 4).map(({ parts }) => parts);
    return {
      history: history.toSpliced(at, 4, model(...(a ?? []), ...(b ?? [])), user(...(ra ?? []), ...(rb ?? []))),
      report: { merged: 1 },
    };
  },
  'trim an exchange': (history, below) => {
    const after = (at: number): number => history.slice(at + 1).reduce((sum, one) => sum + sealsIn(one), 0);
    const at = pick(
      exchanges(history).filter((index) => after(index) > 0),
      below,
    );
    if (at === undefined) return undefined;
    return { history: history.toSpliced(at, 2), report: counts({ trimmed: sealsIn(history[at]) }) };
  },
  'lose an answer': (history, below) => {
    const after = (at: number): number => history.slice(at + 1).reduce((sum, one) => sum + sealsIn(one), 0);
    const at = pick(
      exchanges(history).filter((index) => after(index) > 0),
      below,
    );
    if (at === undefined) return undefined;
    return { history: history.toSpliced(at, 1), report: { dropped: sealsIn(history[at]) } };
  },
  'switch the account': (history) => ({
    history,
    target: { auth_fingerprint: 'another' },
    report: { foreign: history.reduce((sum, one) => sum + sealsIn(one), 0) },
  }),
  'switch the family': (history) => ({
    history,
    config: { model: 'gemini-2.5-pro' },
    report: { foreign: history.reduce((sum, one) => sum + sealsIn(one), 0) },
  }),
  nothing: (history, below) => {
    const names = Object.keys(EDITS);
    return { history: EDITS[names[below(names.length)] ?? '']?.(history) ?? history, report: {} };
  },
};

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
