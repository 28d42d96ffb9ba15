import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { createLedger, type Ledger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';
import { type Part, type Simulator, startSimulator, type Verdict } from '../../src/simulator/index.ts';
import { type Block, type Message, res, user } from '../dialects/anthropic-messages/blocks.ts';
import { reportOf } from '../dialects/anthropic-messages/check.ts';
import { type Answer, bounds, callsOf, type Piece, step, turn } from './conversations.ts';
import { type Below, type Damage, MUTATIONS, UNDECIDED_ON_CHECKED } from './mutations.ts';

/**
 * The simulator is written from the provider's documents, and so is the judge, but neither from the other. What the one
 * refuses, drops or switches off the other has to call by its name, and the other way round.
 */

const BINDING_CONTROLS = 'thinking-binding-controls-2026-08-01';
type Body = { model: string; messages: Message[]; [member: string]: unknown };

let simulator: Simulator;
/** What the model says next. */
let next: readonly Part[] = [];
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'agreement',
    anthropic: {
      script: () => ({ content: next }),
      // Kept apart from refusals of the shape, so that the silent switch-off can be seen.
      conflicts: { thinkingOffWithBlocks: 'strip' },
    },
  });
});
afterAll(() => simulator.close());

let texts = 0;
const PARTS: Readonly<Record<Piece, () => Part>> = {
  th: () => ({ think: `Thought ${++texts}, and what follows from it for the task at hand. More is not shown.` }),
  om: () => ({ think: `Unsaid thought ${++texts} about the state of things. More is not shown.` }),
  red: () => ({ think: `Flagged thought ${++texts}.`, redacted: true }),
  tx: () => ({ text: `Remark ${++texts} on the state of the work.` }),
  ok: () => ({ text: 'OK.' }),
  call: () => ({ tool: 'lookup', input: { key: `k${++texts}` } }),
};

interface Exchange {
  readonly verdict: Verdict;
  /** Before and after the answer was known. */
  readonly before: Judgement;
  readonly after: Judgement;
  readonly content: readonly Block[];
}

/** Sends one request to the simulator and shows request and answer to the judge. */
async function exchange(body: Body, ledger: Ledger): Promise<Exchange> {
  const headers = { 'anthropic-beta': BINDING_CONTROLS };
  const call = dialects['anthropic.messages']?.open({ body, headers }, ledger);
  if (call === undefined) throw new Error('not read as a request');
  const before = call.judgement();
  const response = await fetch(`${simulator.url}/v1/messages`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-api-key': 'key' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { content?: Block[]; error?: { type: string; message: string } };
  const verdict = simulator.requests.at(-1)?.verdict;
  if (verdict === undefined) throw new Error('the request was not recorded');
  if (response.ok) call.response(answer);
  else call.error({ status: response.status, ...answer.error });
  return { verdict, before, after: call.close(response.ok ? 'completed' : 'failed'), content: answer.content ?? [] };
}

const run = fc.record({
  turns: fc.array(turn, { maxLength: 1 }),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  display: fc.constantFrom('summarized', 'omitted'),
  behaviour: fc.constantFrom('drop_block', 'error'),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const TOOLS = ['lookup', 'store'].map((name) => ({ name }));

/** Plays a faithful client, checks that nobody complains, and returns the request that comes next. */
async function playFaithfully(model: string, { turns, steps, display, behaviour }: Run, ledger: Ledger): Promise<Body> {
  const body: Body = {
    model,
    max_tokens: 4000,
    system: 'You are of help.',
    tools: TOOLS,
    thinking: { type: 'adaptive', display, block_binding: { prefix_mismatch_behavior: behaviour } },
    messages: [],
  };
  const answer = async (pieces: Answer): Promise<void> => {
    next = pieces.map((piece) => PARTS[piece]());
    const { verdict, after, content } = await exchange(body, ledger);
    expect(verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
    expect(reportOf(after)).toEqual({});
    const results = callsOf(content).map((id) => res(id));
    body.messages = [
      ...body.messages,
      { role: 'assistant', content },
      ...(results.length > 0 ? [user(...results)] : []),
    ];
  };
  for (const one of turns) {
    body.messages = [...body.messages, user(`Question ${++texts}: what is to be done?`)];
    for (const pieces of [...one.steps, one.last]) await answer(pieces);
  }
  body.messages = [...body.messages, user(`Question ${++texts}: and then?`)];
  for (const pieces of steps) await answer(pieces);
  return body;
}

const counted = (list: Verdict['dropped'], ...reasons: readonly string[]): number =>
  list.filter(({ reason }) => reasons.includes(reason)).length;

const isSilentlyOff = ({ thinking }: Verdict): boolean => thinking?.silentlyDisabled === true;
const isRemoved = ({ dropped, allowed }: Verdict): boolean => dropped.length + allowed.length > 0;

const UNCHECKED = ['claude-opus-4-8', 'claude-sonnet-5', 'claude-opus-5', 'claude-sonnet-4-6'];
const CHECKED = ['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5'];
/** In the place of another vendor, which the simulator does not play: an older model, from one that it cannot read. */
const OLDER = 'claude-opus-4-6';

async function damaged(model: string, name: string, one: Run, below: Below) {
  const ledger = createLedger({ maxEntries: 100 });
  const body = await playFaithfully(model, one, ledger);
  const damage = MUTATIONS[name]?.(body.messages, below);
  if (damage === undefined || (name === 'downgrade' && !CHECKED.includes(model))) return undefined;
  next = [{ text: 'That is all.' }];
  const config = name === 'downgrade' ? { model: OLDER } : damage.config;
  return { damage, ...(await exchange({ ...body, ...config, messages: [...damage.history] } as Body, ledger)) };
}

describe('simulator and judge agree', () => {
  it.each([
    ['check no prefix', UNCHECKED],
    ['check it', CHECKED],
  ])('on models that %s', async (_name, models) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...models),
        fc.constantFrom(...Object.keys(MUTATIONS)),
        run,
        fc.infiniteStream(fc.nat()),
        async (model, name, one, stream) => {
          const outcome = await damaged(model, name, one, (limit) => (stream.next().value ?? 0) % limit);
          if (outcome === undefined) return;
          const { verdict, before, after, damage } = outcome;
          agree(verdict, before, after);
          if (models === CHECKED && !UNDECIDED_ON_CHECKED.has(name)) agreeOnCount(verdict, before, damage);
        },
      ),
      bounds(150),
    );
  });
});

/** Whatever the damage is. */
function agree(verdict: Verdict, before: Judgement, after: Judgement): void {
  const report = reportOf(after);
  if (verdict.status === 400) {
    expect(before.verdict, `refused: ${verdict.error?.message}`).toBe('finding');
    expect(after.rejection).toBeDefined();
    return;
  }
  expect(verdict.status).toBe(200);
  if (isRemoved(verdict)) expect(before.verdict, 'the provider took blocks out').toBe('finding');
  if (before.verdict === 'clean') {
    expect(verdict).toMatchObject({ dropped: [], allowed: [] });
    expect(isSilentlyOff(verdict)).toBe(false);
  }
  if (isSilentlyOff(verdict)) expect(report).toHaveProperty('mode_toggled');
  // With the provider's list at hand there is nothing left to infer. A listed block that the client had damaged as well
  // stands under the first key that holds, so it may be missing here.
  const listed = counted([...verdict.dropped, ...verdict.allowed], 'prefix_binding_mismatch');
  const elsewhere = listed - (report.prefix_broken ?? 0);
  const damagedUnits = DAMAGE.reduce((sum, kind) => sum + (report[kind] ?? 0), 0);
  expect(elsewhere).toBeGreaterThanOrEqual(0);
  expect(elsewhere).toBeLessThanOrEqual(damagedUnits);
  expect(report.foreign ?? 0).toBe(counted(verdict.dropped, 'model_binding_mismatch', 'organization_binding_mismatch'));
}

const DAMAGE = ['edited', 'misplaced', 'reordered', 'duplicated', 'fabricated'] as const;

/** Where the rules say how many: the same number, without having seen the provider's list. */
function agreeOnCount(verdict: Verdict, before: Judgement, { checked }: Damage): void {
  const report = reportOf(before);
  const broken = report.prefix_broken ?? 0;
  expect(broken).toBe(checked?.prefix_broken ?? 0);
  if (verdict.status === 400) return;
  expect(counted(verdict.dropped, 'prefix_binding_mismatch')).toBe(broken);
  expect(counted(verdict.dropped, 'model_binding_mismatch')).toBe(report.foreign ?? 0);
}
