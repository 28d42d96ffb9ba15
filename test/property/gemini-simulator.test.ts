import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { createLedger, type Ledger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';
import { type GeminiPart, type Simulator, startSimulator, type Verdict } from '../../src/simulator/index.ts';
import { reportOf } from '../dialects/gemini-generate/check.ts';
import type { Content, Part } from '../dialects/gemini-generate/parts.ts';
import { bounds } from './conversations.ts';
import { isCall, MUTATIONS } from './gemini-mutations.ts';

/**
 * The simulator is written from the provider's documents, and so is the judge, but neither from the other. What the one
 * refuses, passes over or lets through unseen the other has to call by its name, and the other way round.
 */

let simulator: Simulator;
/** What the model says next. */
let next: readonly GeminiPart[] = [];
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'agreement',
    gemini: {
      script: () => ({ content: next }),
      projects: { another: {} },
      // Whether one model of a family reads another's is not settled.
      conflicts: { modelSwitch: 'other_generation' },
    },
  });
});
afterAll(() => simulator.close());

const step = fc.record({ thinks: fc.boolean(), says: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }) });
const last = fc.record({ thinks: fc.boolean() });
const turn = fc.record({ steps: fc.array(step, { maxLength: 2 }), last });
const run = fc.record({
  turns: fc.array(turn, { maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  streams: fc.boolean(),
  summaries: fc.boolean(),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let count = 0;
const think = (): GeminiPart => ({ think: `Thought ${++count}, and what follows from it for the task at hand. More.` });
const say = (): GeminiPart => ({ text: `Remark ${++count} on the state of the work.` });
const working = ({ thinks, says, calls }: Step): GeminiPart[] => [
  ...(thinks ? [think()] : []),
  ...(says ? [say()] : []),
  ...Array.from({ length: calls }, (_, at) => ({ tool: `fn_poll${at}`, input: { key: `k${++count}` } })),
];

type Body = { model: string; contents: readonly Content[]; [member: string]: unknown };
interface Exchange {
  readonly verdict: Verdict;
  /** Before and after the answer was known. */
  readonly before: Judgement;
  readonly after: Judgement;
  readonly parts: readonly Part[];
}
interface Chunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[];
  readonly error?: { readonly message: string };
}
const partsOf = ({ candidates }: Chunk): readonly Part[] => candidates?.[0]?.content?.parts ?? [];

/** Sends one request to the simulator and shows request and answer to the judge. */
async function exchange(body: Body, ledger: Ledger, { streams = false, account = 'key' } = {}): Promise<Exchange> {
  const call = dialects['gemini.generateContent']?.open({ body, account }, ledger);
  if (call === undefined) throw new Error('not read as a request');
  const before = call.judgement();
  const { model, ...rest } = body;
  const method = streams ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const response = await fetch(`${simulator.url}/v1beta/models/${model}:${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': account },
    body: JSON.stringify(rest),
  });
  const verdict = simulator.requests.at(-1)?.verdict;
  if (verdict === undefined) throw new Error('the request was not recorded');
  if (!response.ok) {
    const { error } = (await response.json()) as Chunk;
    call.error({ status: response.status, message: String(error?.message) });
    return { verdict, before, after: call.close('failed'), parts: [] };
  }
  if (!streams) {
    const answer = (await response.json()) as Chunk;
    call.response(answer);
    return { verdict, before, after: call.close('completed'), parts: partsOf(answer) };
  }
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '');
  const chunks = frames.map((frame): Chunk => JSON.parse(frame.slice('data: '.length)));
  for (const chunk of chunks) call.event(chunk);
  return { verdict, before, after: call.close('completed'), parts: chunks.flatMap(partsOf) };
}

const TOOLS = [{ functionDeclarations: [0, 1, 2].map((at) => ({ name: `fn_poll${at}` })) }];
const user = (...parts: readonly Part[]): Content => ({ role: 'user', parts });
const asks = (): Content => user({ text: `Question ${++count}: what is to be done?` });
const resultsOf = (parts: readonly Part[]): Part[] =>
  parts.filter(isCall).map(({ functionCall }) => {
    const { id, name, args } = functionCall as Record<string, unknown>;
    return { functionResponse: { ...(id !== undefined && { id }), name, response: { of: args } } };
  });

/** Plays a faithful client, checks that nobody complains, and returns the request that comes next. */
async function playFaithfully(model: string, { turns, steps, streams, summaries }: Run, ledger: Ledger): Promise<Body> {
  const config = summaries ? { generationConfig: { thinkingConfig: { includeThoughts: true } } } : {};
  let body: Body = { model, tools: TOOLS, ...config, contents: [] };
  const append = (...contents: readonly Content[]): void => {
    body = { ...body, contents: [...body.contents, ...contents] };
  };
  const answer = async (content: readonly GeminiPart[]): Promise<void> => {
    next = content;
    const { verdict, after, parts } = await exchange(body, ledger, { streams });
    expect(verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
    expect(reportOf(after)).toEqual({});
    const results = resultsOf(parts);
    append({ role: 'model', parts }, ...(results.length > 0 ? [user(...results)] : []));
  };
  for (const one of turns) {
    append(asks());
    for (const each of one.steps) await answer(working(each));
    await answer([...(one.last.thinks ? [think()] : []), say()]);
  }
  append(asks());
  for (const each of steps) await answer(working(each));
  return body;
}

const READS_ALL = ['gemini-3.8-flash', 'gemini-3.5-flash'];
const SIGNS_ANYTHING = 'gemini-2.5-flash';
const MODELS = [...READS_ALL, 'gemini-3-pro-preview', SIGNS_ANYTHING];

/** The damages are made for answers whose first call is signed; on this model only a thought makes it so. */
const signedCalls = (model: string, one: Run): Run => {
  if (model !== SIGNS_ANYTHING) return one;
  const signed = (each: Step): Step => ({ ...each, thinks: true, says: false });
  const turns = one.turns.map(({ steps, last: end }) => ({ steps: steps.map(signed), last: end }));
  return { ...one, turns, steps: one.steps.map(signed) };
};

/** Damage of which the server is not known to notice anything, since it counts or looks only at what it enforces. */
const UNNOTICED = new Set(['leave a sibling out', 'merge', 'reorder', 'split', 'split results', 'copy a content']);

describe('simulator and judge agree', () => {
  it.each(Object.keys(MUTATIONS))('%s', async (name) => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODELS), run, fc.infiniteStream(fc.nat()), async (model, one, stream) => {
        const ledger = createLedger({ maxEntries: 200 });
        const body = await playFaithfully(model, signedCalls(model, one), ledger);
        const damage = MUTATIONS[name]?.(body.contents, (limit) => (stream.next().value ?? 0) % limit);
        if (damage === undefined || (name === 'switch the family' && model === SIGNS_ANYTHING)) return;
        applied += 1;
        next = [{ text: 'That is all.' }];
        const healthy = await exchange(body, createLedger());
        const account = damage.target === undefined ? 'key' : 'another';
        const outcome = await exchange({ ...body, ...damage.config, contents: damage.history } as Body, ledger, {
          account,
        });
        expect(reportOf(outcome.before)).toEqual(damage.report);
        agree(name, outcome, healthy.verdict, READS_ALL.includes(model));
        if (READS_ALL.includes(model) && !UNNOTICED.has(name) && outcome.verdict.status === 200) {
          const { shown, allowed } = outcome.verdict;
          const odd = allowed.filter(({ path }) => shown.includes(path)).length;
          expect(outcome.before.blocks.returned).toBe(shown.length - odd);
        }
      }),
      bounds(14),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(2);
  });
});

/** Whatever the damage is. */
function agree(name: string, { verdict, before, after }: Exchange, healthy: Verdict, readsAll: boolean): void {
  if (verdict.status === 400) {
    expect(before.verdict, `refused: ${verdict.error?.message}`).toBe('finding');
    expect(after.rejection).toBeDefined();
    return;
  }
  expect(verdict.status).toBe(200);
  expect(after.verdict, 'an answer changes nothing').toBe(before.verdict);
  const isHarmed =
    verdict.dropped.length + verdict.allowed.length > 0 ||
    verdict.thinking?.silentlyDisabled === true ||
    verdict.shown.length < healthy.shown.length;
  if (before.verdict === 'clean') expect(isHarmed, 'nothing was said of it').toBe(false);
  const isCertain = before.findings.some(
    ({ severity, certainty, cycle }) =>
      severity === 'loss' && certainty === 'certain' && (readsAll || cycle === 'open'),
  );
  if (isCertain && !UNNOTICED.has(name)) expect(isHarmed, 'the server noticed nothing').toBe(true);
}

describe('what is no damage of a history', () => {
  it('thinking off in the middle of a turn', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (one) => {
        const ledger = createLedger({ maxEntries: 200 });
        const body = await playFaithfully(SIGNS_ANYTHING, signedCalls(SIGNS_ANYTHING, one), ledger);
        next = [{ text: 'That is all.' }];
        const off = { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
        const { verdict, before } = await exchange({ ...body, ...off }, ledger);
        expect(verdict.thinking).toEqual({ mode: 'off', silentlyDisabled: true });
        expect(reportOf(before)).toEqual({ mode_toggled: 1 });
      }),
      bounds(10),
    );
  });

  it.each([
    ['without their ids', ({ id: _, ...result }: Record<string, unknown>) => result],
    ['under other ids', (result: Record<string, unknown>) => ({ ...result, id: 'other' })],
    ['under other names', (result: Record<string, unknown>) => ({ ...result, name: 'other' })],
  ])('results %s: answered with nothing', async (_name, change) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...READS_ALL, 'gemini-3-pro-preview'), run, async (model, one) => {
        const ledger = createLedger({ maxEntries: 200 });
        const body = await playFaithfully(model, one, ledger);
        const parts = (body.contents.at(-1)?.parts ?? []).map(({ functionResponse }) => ({
          functionResponse: change(functionResponse as Record<string, unknown>),
        }));
        next = [{ text: 'That is all.' }];
        const sent = await exchange({ ...body, contents: body.contents.with(-1, user(...parts)) }, ledger);
        expect(sent.verdict).toMatchObject({ status: 200, stopReason: 'STOP' });
        expect(sent.parts).toEqual([]);
        expect(reportOf(sent.after)).toEqual({});
        expect(sent.after.rejection).toBe('function_response_mismatch');
      }),
      bounds(8),
    );
  });
});
