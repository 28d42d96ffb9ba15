import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/continuity/ledger.ts';
import { createOpenaiResponses } from '../../src/dialects/openai-responses/index.ts';
import { judge, reportOf } from '../dialects/openai-responses/check.ts';
import { type Edit, noIds } from '../dialects/openai-responses/edits.ts';
import {
  fc as call,
  compaction,
  type Item,
  msg,
  out,
  rsSum,
  seal,
  search,
} from '../dialects/openai-responses/items.ts';
import { ALL_TURNS, ALWAYS, CHECKED, GROK, THIS_TURN } from '../dialects/openai-responses/models.ts';
import { type Mode, type Report, Talk } from '../dialects/openai-responses/talk.ts';

/** Random loops of a faithful client are clean; every random mutation gives exactly its own report. */

const RUNS = { numRuns: 60 };

/** What one answer holds, in order. `reason`: one reasoning item; several calls make a batch. */
type Part = 'reason' | 'call' | 'say' | 'search' | 'compact';
interface Plan {
  readonly model: string;
  readonly mode: Mode;
  readonly turns: readonly (readonly (readonly Part[])[])[];
  /** Harnesses that keep no server ids. */
  readonly stripsIds: boolean;
  /** Harnesses that put each result behind its call. */
  readonly pairs: boolean;
}

const working = fc.constantFrom<readonly Part[]>(
  ['reason', 'call'],
  ['reason', 'call', 'call', 'call'],
  ['reason', 'say', 'call'],
  ['reason', 'reason', 'call'],
  ['reason', 'call', 'reason', 'call'],
  ['reason', 'search', 'reason', 'call'],
  ['call'],
  ['compact', 'reason', 'call'],
);
const closing = fc.constantFrom<readonly Part[]>(['reason', 'say'], ['say'], ['reason', 'search', 'reason', 'say']);
const turn = fc
  .tuple(fc.array(working, { maxLength: 4 }), closing)
  .map(([steps, end]): readonly (readonly Part[])[] => [...steps, end]);
const model = fc.constantFrom(THIS_TURN, ALL_TURNS, CHECKED, ALWAYS, GROK);
const plan: fc.Arbitrary<Plan> = fc.record({
  model,
  mode: fc.constantFrom<Mode>('stateless', 'chain', 'conversation'),
  turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
  stripsIds: fc.boolean(),
  pairs: fc.boolean(),
});

let names = 0;
const parts: Readonly<Record<Part, (name: string) => Item>> = {
  reason: (name) => rsSum(name),
  call: (name) => call(name),
  say: (name) => msg(`What has been found out about ${name} so far.`),
  search,
  compact: compaction,
};
const answerOf = (shape: readonly Part[]): readonly Item[] => shape.map((part): Item => parts[part](`n${names++}`));
const resultsOf = (answer: readonly Item[]): readonly Item[] =>
  answer.flatMap((item) => (item.type === 'function_call' ? [out(String(item.call_id).slice('call_'.length))] : []));

/** Plays a plan step by step; each yield is one request answered. */
function* play(run: Talk, { turns, stripsIds, mode, pairs }: Plan): Generator<void> {
  const edit: Edit = stripsIds && mode === 'stateless' ? noIds : (items) => items;
  for (const [index, steps] of turns.entries()) {
    run.user(`Question ${index} of ${names}.`);
    for (const shape of steps) {
      const answer = answerOf(shape);
      run.send(edit).reply(...answer);
      const results = resultsOf(answer);
      run.append(...results);
      if (pairs && mode === 'stateless') {
        const behindCall = answer.flatMap((item) => [item, ...results.filter((one) => one.call_id === item.call_id)]);
        run.edit((items) => [...items.slice(0, items.length - answer.length - results.length), ...behindCall]);
      }
      yield;
    }
  }
}

const start = ({ model, mode }: Plan, shared?: Talk): Talk =>
  new Talk(mode, { model, store: mode !== 'stateless', reasoning: { effort: 'medium' } }, shared);

const reports = (run: Talk): readonly Report[] => [...judge(run.steps).values()].map(reportOf);

describe('a faithful client', () => {
  it('alone, whoever keeps the history', () => {
    fc.assert(
      fc.property(plan, (one) => {
        const run = start(one);
        for (const _ of play(run, one));
        for (const report of reports(run)) expect(report).toEqual({});
      }),
      RUNS,
    );
  });

  it('several runs at a time, in any order', () => {
    fc.assert(
      fc.property(plan, plan, fc.array(fc.boolean(), { maxLength: 20 }), (one, other, turnsOf) => {
        const run = start(one);
        const neighbour = start(other.mode === 'conversation' ? { ...other, mode: 'chain' } : other, run);
        const players = [play(run, one), play(neighbour, other)];
        for (const first of turnsOf) players[first ? 0 : 1]?.next();
        for (const player of players) for (const _ of player);
        for (const report of reports(run)) expect(report).toEqual({});
      }),
      RUNS,
    );
  });

  it('that branches off and goes on in both branches', () => {
    fc.assert(
      fc.property(plan, plan, (one, other) => {
        // A conversation has no branches.
        const mode = one.mode === 'conversation' ? 'chain' : one.mode;
        const run = start({ ...one, mode });
        for (const _ of play(run, { ...one, mode }));
        const branch = run.fork();
        for (const _ of play(branch, { ...other, mode, stripsIds: false }));
        for (const _ of play(run, { ...other, mode, stripsIds: false }));
        for (const report of reports(run)) expect(report).toEqual({});
      }),
      RUNS,
    );
  });

  it('that keeps no reasoning of turns that are over, where nobody reads it', () => {
    const bare = (item: Item): readonly Item[] => (item.type === 'reasoning' ? [] : noIds([item]));
    fc.assert(
      fc.property(plan, fc.constantFrom(THIS_TURN, ALWAYS), (one, model) => {
        const stateless: Plan = { ...one, model, mode: 'stateless' };
        const run = start(stateless);
        for (const _ of play(run, stateless)) {
          run.edit((items) => {
            const ended = items.at(-1)?.type === 'message';
            return ended ? items.flatMap((item) => (item.type === 'compaction' ? [item] : bare(item))) : items;
          });
        }
        for (const report of reports(run)) expect(report).toEqual({});
      }),
      RUNS,
    );
  });

  it('that keeps what stands behind the newest summary only', () => {
    fc.assert(
      fc.property(plan, (one) => {
        const run = start({ ...one, mode: 'stateless' });
        for (const _ of play(run, { ...one, mode: 'stateless' })) {
          run.edit((items) =>
            items.slice(
              Math.max(
                0,
                items.findLastIndex(({ type }) => type === 'compaction'),
              ),
            ),
          );
        }
        for (const report of reports(run)) expect(report).toEqual({});
      }),
      RUNS,
    );
  });
});

/** A run in the middle of a cycle, with one request more to be sent, and the place of one of its reasoning items. */
interface Target {
  readonly run: Talk;
  readonly items: readonly Item[];
  readonly at: number;
  readonly model: string;
}

const cut = fc.record({
  model,
  turns: fc.array(turn, { maxLength: 1 }),
  last: fc.array(working, { minLength: 1, maxLength: 4 }),
  pick: fc.nat(),
});
const target = cut.map(({ model, turns, last, pick }): Target | undefined => {
  const one: Plan = { model, mode: 'stateless', turns, stripsIds: false, pairs: false };
  const run = start(one);
  for (const _ of play(run, one));
  const answers = last.filter((shape) => !shape.includes('compact'));
  for (const _ of play(run, { ...one, turns: [answers] }));
  let items: readonly Item[] = [];
  run.edit((history) => {
    items = history;
    return history;
  });
  const places = items.flatMap((item, at) => (item.type === 'reasoning' ? at : []));
  const at = places[pick % Math.max(1, places.length)];
  const isOpen = answers.length > 0 && !items.some(({ type }) => type === 'compaction');
  return at === undefined || !isOpen ? undefined : { run, items, at, model };
});

/** Sends the history with one item changed, and judges that one request. */
function sent({ run, at, items }: Target, change: (item: Item) => readonly Item[], rest: Edit = (all) => all): Report {
  run.send(() => rest(items.flatMap((item, place) => (place === at ? change(item) : [item]))));
  return reports(run).at(-1) ?? {};
}

/** Reasoning that stands behind a place. */
const behind = ({ items, at }: Target): number => items.slice(at + 1).filter(({ type }) => type === 'reasoning').length;
const lastUser = ({ items }: Target): number => items.findLastIndex(({ role }) => role === 'user');
const isRead = (one: Target): boolean => one.at > lastUser(one) || ![THIS_TURN, ALWAYS].includes(one.model);
/** Nothing but a count of zero is left out of a report. */
const only = (report: Report): Report => Object.fromEntries(Object.entries(report).filter(([, count]) => count > 0));

const mutations: Readonly<Record<string, (one: Target) => { readonly found: Report; readonly wanted: Report }>> = {
  'left out, ids stripped': (one) => ({
    found: sent(one, () => [], noIds),
    wanted: isRead(one) ? { dropped: 1, prefix_broken: one.model === CHECKED ? behind(one) : 0 } : {},
  }),
  'another payload under its id': (one) => ({
    found: sent(one, (item) => [{ ...item, encrypted_content: seal('unheard') }]),
    wanted: { edited: 1 },
  }),
  'a cut payload': (one) => ({
    found: sent(one, (item) => [{ ...item, encrypted_content: String(item.encrypted_content).slice(0, 120) }]),
    wanted: { edited: 1 },
  }),
  'another id': (one) => ({ found: sent(one, (item) => [{ ...item, id: 'rs_unheard' }]), wanted: { edited: 1 } }),
  'no payload': (one) => ({
    found: sent(one, ({ encrypted_content: _, ...item }) => [item]),
    wanted: { unsealed: 1 },
  }),
  'another summary': (one) => ({
    found: sent(one, (item) => [{ ...item, summary: [] }]),
    wanted: { edited: 1 },
  }),
  'no summary list': (one) => ({ found: sent(one, ({ summary: _, ...item }) => [item]), wanted: { edited: 1 } }),
  twice: (one) => ({ found: sent(one, (item) => [item, item]), wanted: { duplicated: 1 } }),
  'no id, though its follower has one': (one) => ({
    found: sent(one, ({ id: _, ...item }) => [item]),
    // The last of a run is the one that the follower asks for.
    wanted: { orphaned: one.model === GROK || one.items[one.at + 1]?.type === 'reasoning' ? 0 : 1 },
  }),
};

describe('a random change of one reasoning item', () => {
  it.each(Object.entries(mutations))('%s', (_, mutate) => {
    fc.assert(
      fc.property(target, (one) => {
        fc.pre(one !== undefined);
        const { found, wanted } = mutate(one as Target);
        expect(found).toEqual(only(wanted));
      }),
      RUNS,
    );
  });
});

describe('a random change of the request', () => {
  it('a result is shortened', () => {
    fc.assert(
      fc.property(target, fc.nat(), (one, pick) => {
        fc.pre(one !== undefined);
        const { run, items, model } = one as Target;
        const results = items.flatMap((item, at) => (item.type === 'function_call_output' ? at : []));
        const at = results[pick % results.length] ?? 0;
        run.send(() => items.map((item, place) => (place === at ? { ...item, output: '[cleared]' } : item)));
        const wanted = model === CHECKED ? behind({ run, items, at, model }) : 0;
        expect(reports(run).at(-1)).toEqual(only({ prefix_broken: wanted }));
      }),
      RUNS,
    );
  });

  it('the effort is gone', () => {
    fc.assert(
      fc.property(target, (one) => {
        fc.pre(one !== undefined);
        const { run, model } = one as Target;
        run.send(undefined, { reasoning: undefined });
        expect(reports(run).at(-1)).toEqual(only({ mode_toggled: model === THIS_TURN ? 1 : 0 }));
      }),
      RUNS,
    );
  });
});

describe('junk', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        null,
        '',
        'rs_a',
        'reasoning',
        'message',
        'function_call',
        'compaction',
        'item_reference',
        0,
        true,
      ),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          'type',
          'id',
          'role',
          'content',
          'summary',
          'encrypted_content',
          'call_id',
          'arguments',
          'text',
        ),
        tie('any'),
      ),
    ),
  })).any;
  const bodies = fc.record({
    model: value,
    input: value,
    previous_response_id: value,
    tools: value,
    reasoning: value,
    text: value,
  });
  const events = fc.record({
    type: fc.constantFrom('response.output_item.done', 'response.output_item.added', 'response.completed', 'error'),
    item: value,
    output_index: value,
    response: fc.record({ id: value, output: value, usage: value, input_transformations: value, error: value }),
  });

  it('is read without a stumble', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(bodies, fc.array(events, { maxLength: 4 }), value), { maxLength: 4 }), (calls) => {
        const ledger = createLedger();
        for (const [body, stream, whole] of calls) {
          const opened = createOpenaiResponses().open({ body }, ledger);
          for (const event of stream) opened?.event(event);
          opened?.response(whole);
          opened?.facts();
          opened?.close('completed');
        }
      }),
      RUNS,
    );
  });
});
