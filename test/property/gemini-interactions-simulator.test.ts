import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { createLedger, type Ledger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';
import { type GeminiPart, type Simulator, startSimulator, type Verdict } from '../../src/simulator/index.ts';
import { reportOf } from '../dialects/gemini-generate/check.ts';
import type { Step } from '../dialects/gemini-interactions/steps.ts';
import { bounds } from './conversations.ts';
import { MUTATIONS } from './gemini-interactions-mutations.ts';

/** The simulated Interactions API and its judge, written apart from the same documents, say the same. */

/** What refuses all that it can, and what lets all through that no source calls refused. */
const SIMULATORS = ['strict', 'lenient'] as const;
const simulators = new Map<string, Simulator>();
/** What the model says next. */
let next: readonly GeminiPart[] = [];
beforeAll(async () => {
  for (const conflicts of SIMULATORS) {
    const interactions = { script: () => ({ content: next }), conflicts };
    simulators.set(conflicts, await startSimulator({ seed: 'agreement', interactions }));
  }
});
afterAll(async () => {
  for (const simulator of simulators.values()) await simulator.close();
});

const step = fc.record({
  thoughts: fc.integer({ min: 0, max: 2 }),
  search: fc.boolean(),
  says: fc.boolean(),
  calls: fc.integer({ min: 1, max: 2 }),
});
const last = fc.record({ thoughts: fc.integer({ min: 0, max: 2 }), search: fc.boolean() });
const run = fc.record({
  turns: fc.array(fc.record({ steps: fc.array(step, { maxLength: 2 }), last }), { maxLength: 1 }),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  streams: fc.boolean(),
  summaries: fc.boolean(),
  conflicts: fc.constantFrom(...SIMULATORS),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
type Shape = Pick<typeof step extends fc.Arbitrary<infer T> ? T : never, 'thoughts' | 'search'>;

let count = 0;
const begin = ({ thoughts, search }: Shape): GeminiPart[] => [
  ...Array.from({ length: thoughts }, () => ({ think: `Thought ${++count} about the task at hand. More of it.` })),
  ...(search ? [{ serverTool: 'google_search', input: { queries: [`q${++count}`] }, result: [{}] }] : []),
];
const say = (): GeminiPart => ({ text: `Remark ${++count} on the state of the work.` });
const asks = (): Step => ({ type: 'user_input', content: [{ type: 'text', text: `Question ${++count}?` }] });

type Body = { readonly input: readonly Step[]; readonly [member: string]: unknown };
interface Exchange {
  readonly verdict: Verdict;
  readonly before: Judgement;
  readonly after: Judgement;
  readonly id: string;
  readonly steps: readonly Step[];
}

/** Sends one request to the simulator and shows request and answer to the judge. */
async function exchange(
  body: Body,
  ledger: Ledger,
  { conflicts, streams }: Pick<Run, 'conflicts' | 'streams'>,
): Promise<Exchange> {
  const simulator = simulators.get(conflicts) as Simulator;
  const call = dialects['gemini.interactions']?.open({ body, account: 'key' }, ledger);
  if (call === undefined) throw new Error('not read as a request');
  const before = call.judgement();
  const response = await fetch(`${simulator.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
    body: JSON.stringify({ ...body, ...(streams && { stream: true }) }),
  });
  const text = await response.text();
  const verdict = simulator.requests.at(-1)?.verdict;
  if (verdict === undefined) throw new Error('the request was not recorded');
  if (!response.ok) {
    call.error({ status: response.status, message: JSON.parse(text).error.message });
    return { verdict, before, after: call.close('failed'), id: '', steps: [] };
  }
  if (streams) {
    const frames = text.split('\n\n').filter((frame) => frame !== '');
    for (const frame of frames) call.event(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));
  } else call.response(JSON.parse(text));
  const { id, steps } = verdict.answer as { id: string; steps: Step[] };
  return { verdict, before, after: call.close('completed'), id, steps };
}

const MODELS = ['gemini-3.8-flash', 'gemini-3-pro-preview'];
const TOOLS = [{ type: 'function', name: 'lookup' }, { type: 'google_search' }];
const resultsOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap(({ type, id, name }) =>
    type === 'function_call' ? [{ type: 'function_result', call_id: id, name, result: `of ${id}` }] : [],
  );

/** Plays a faithful client, checks that nobody complains, and returns the request that comes next. */
async function playFaithfully(model: string, one: Run, ledger: Ledger, chained = false): Promise<Body> {
  const config = one.summaries ? { generation_config: { thinking_summaries: 'auto' } } : {};
  let body: Body = { model, tools: TOOLS, ...config, ...(!chained && { store: false }), input: [] };
  let shown = 0;
  const answer = async (content: readonly GeminiPart[], question?: Step): Promise<void> => {
    if (question) body = { ...body, input: [...body.input, question] };
    next = content;
    const { verdict, after, steps, id } = await exchange(body, ledger, one);
    expect(verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
    expect(reportOf(after)).toEqual({});
    shown = verdict.shown.length;
    expect(model === READS_ALL ? after.blocks.returned : shown).toBe(shown);
    const news = resultsOf(steps);
    body = chained
      ? { ...body, previous_interaction_id: id, input: news }
      : { ...body, input: [...body.input, ...steps, ...news] };
  };
  const work = (each: Run['steps'][number]): GeminiPart[] => [
    ...begin(each),
    ...(each.says ? [say()] : []),
    ...Array.from({ length: each.calls }, () => ({ tool: 'lookup', input: { key: `k${++count}` } })),
  ];
  for (const { steps, last: end } of one.turns) {
    let question: Step | undefined = asks();
    for (const each of steps) {
      await answer(work(each), question);
      question = undefined;
    }
    await answer([...begin(end), say()], question);
  }
  let question: Step | undefined = asks();
  for (const each of one.steps) {
    await answer(work(each), question);
    question = undefined;
  }
  return body;
}

const READS_ALL = 'gemini-3.8-flash';

describe('simulator and judge agree', () => {
  it('on chains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODELS), run, async (model, one) => {
        await playFaithfully(model, one, createLedger({ maxEntries: 200 }), true);
      }),
      bounds(15),
    );
  });

  it('on a chain whose id is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODELS), run, async (model, one) => {
        const ledger = createLedger({ maxEntries: 200 });
        const body = await playFaithfully(model, one, ledger, true);
        const { previous_interaction_id: _, ...anew } = body;
        next = [say()];
        const { verdict, after } = await exchange(anew, ledger, one);
        // The results alone answer no call that the server can see.
        expect(verdict.status).toBe(400);
        expect(after).toMatchObject({ verdict: 'finding', rejection: expect.any(String) });
        expect(reportOf(after)).toHaveProperty('dropped');
      }),
      bounds(15),
    );
  });

  it.each(Object.entries(MUTATIONS))('on damage: %s', async (_name, [like, mutate]) => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODELS), run, fc.nat(), async (model, one, place) => {
        const ledger = createLedger({ maxEntries: 200 });
        const body = await playFaithfully(model, one, ledger);
        const places = body.input.flatMap((each, at) => (like(each) ? [at] : []));
        const at = places[place % Math.max(1, places.length)];
        if (at === undefined) return;
        applied += 1;
        const { history, report } = mutate(body.input, at);
        next = [say()];
        const healthy = await exchange(body, createLedger(), one);
        const outcome = await exchange({ ...body, input: history }, ledger, one);
        expect(reportOf(outcome.before)).toEqual(report);
        agree(outcome, healthy.verdict, model === READS_ALL);
      }),
      bounds(15),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(4);
  });
});

/** Whatever the damage is. */
function agree({ verdict, before, after }: Exchange, healthy: Verdict, readsAll: boolean): void {
  if (verdict.status === 400) {
    expect(before.findings.length, `refused: ${verdict.error?.message}`).toBeGreaterThan(0);
    expect(after.rejection).toBeDefined();
    return;
  }
  expect(verdict.status).toBe(200);
  const isHarmed = verdict.dropped.length + verdict.allowed.length > 0 || verdict.shown.length < healthy.shown.length;
  if (before.verdict === 'clean') expect(isHarmed, 'nothing was said of it').toBe(false);
  const isCertain = before.findings.some(
    ({ severity, certainty, cycle }) =>
      severity === 'loss' && certainty === 'certain' && (readsAll || cycle === 'open'),
  );
  if (isCertain) expect(isHarmed, 'the server noticed nothing').toBe(true);
}
