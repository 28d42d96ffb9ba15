import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processContext } from '../../src/context.ts';
import type { RunCall } from '../../src/emit/run-totals.ts';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { observeCall } from '../../src/observe/observe-call.ts';
import { withRun } from '../../src/run/with-run.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, pointsOf, total } from '../emit/telemetry.ts';
import type { Any } from '../intercept/support/call-shapes.ts';
import { NEWEST, type Way, work } from './support/ways.ts';

const MODEL = 'claude-opus-5-5';
const PRICE = { input: 3, output: 15, cacheRead: 0.3 };

/** Sums that a run's metrics show. */
async function counted<T>(prices: object, fn: () => Promise<T>) {
  const meters = meterHarness();
  const { settings } = processContext();
  delete processContext().ledger;
  Object.assign(settings, { meterProvider: meters.meterProvider, prices });
  try {
    const result = await fn();
    const metrics = await meters.collect();
    const sum = (name: string, labels: object = {}) => total(pointsOf(metrics, name, labels as never));
    return {
      result,
      resent: sum('reasoning.tokens.resent'),
      cached: sum('reasoning.tokens.resent', { 'reasoning.cache.state': 'cached' }),
      fresh: sum('reasoning.tokens.resent', { 'reasoning.cache.state': 'fresh' }),
      closed: sum('reasoning.tokens.resent', { 'reasoning.cycle.state': 'closed' }),
      toolCalls: sum('reasoning.tool_calls'),
      repeated: sum('reasoning.tool_calls', { 'reasoning.tool_call.repeated': true }),
      cost: sum('reasoning.cost'),
      costs: Object.fromEntries(
        (metrics.get('reasoning.cost')?.points ?? []).map(({ attributes, value }) => [
          attributes['reasoning.cost.kind'],
          value,
        ]),
      ),
    };
  } finally {
    delete settings.meterProvider;
    delete settings.prices;
  }
}

const STEPS = 5;
const THOUGHT = 1_200;

/**
 * A loop of five steps with 1,200 tokens of reasoning each, as the provider would report it.
 * @param cachedUpTo tokens of the request of this step, from its beginning, that were in the cache
 */
async function fiveSteps(cachedUpTo: (before: number, newest: number) => number): Promise<void> {
  const messages: Any[] = [{ role: 'user', content: 'Reconcile invoice 8841.' }];
  let input = 2_000;
  let lastAnswer = 0;
  for (let step = 0; step < STEPS; step++) {
    const observer = observeCall({
      api: 'anthropic.messages',
      body: {
        model: MODEL,
        max_tokens: 4000,
        tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
        messages: [...messages],
      },
      stream: false,
      sdk: { name: '@anthropic-ai/sdk' },
      manual: true,
    });
    const cacheRead = step === 0 ? 0 : cachedUpTo(input, lastAnswer);
    const done = step === STEPS - 1;
    const content = [
      { type: 'thinking', thinking: '', signature: `seal-${step}` },
      done
        ? { type: 'text', text: 'Done.' }
        : { type: 'tool_use', id: `toolu_${step}`, name: 'look_up', input: { step } },
    ];
    observer?.response({
      id: `msg_${step}`,
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content,
      stop_reason: done ? 'end_turn' : 'tool_use',
      usage: {
        input_tokens: input - cacheRead,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: 0,
        output_tokens: THOUGHT + 100,
        output_tokens_details: { thinking_tokens: THOUGHT },
      },
    });
    observer?.end('completed');
    messages.push({ role: 'assistant', content });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${step}`, content: 'r' }] });
    lastAnswer = input;
    input += THOUGHT + 100 + 50;
  }
}

describe('what a loop of five steps with 1,200 tokens of reasoning each sends again', () => {
  const prices = { [MODEL]: PRICE };

  test('is 12,000 tokens: 3.6 cents at 3 dollars a million', async () => {
    const sums = await counted({ [MODEL]: { input: 3 } }, () => withRun({}, () => fiveSteps(() => 0)));
    expect(sums).toMatchObject({ resent: 12_000, cached: 0, fresh: 12_000, toolCalls: 4, repeated: 0 });
    expect(sums.cost).toBeCloseTo(0.036, 10);
    // What has no price has no cost.
    expect(Object.keys(sums.costs)).toEqual(['resent_fresh']);
  });

  test('costs under one cent when the earlier steps are cached', async () => {
    // Up to the newest tool result.
    const sums = await counted(prices, () => fiveSteps((before) => before - 50));
    expect(sums).toMatchObject({ resent: 12_000, cached: 12_000, fresh: 0 });
    expect(sums.costs.resent_cached).toBeCloseTo(0.0036, 10);
    expect((sums.costs.resent_cached ?? 0) + (sums.costs.resent_fresh ?? 0)).toBeLessThan(0.01);
    expect(sums.costs.generated).toBeCloseTo((STEPS * THOUGHT * 15) / 1e6, 10);
  });

  test('where only what was sent before is cached, the newest step is fresh each time', async () => {
    const sums = await counted(prices, () => fiveSteps((_, newest) => newest));
    expect(sums).toMatchObject({ resent: 12_000, cached: 7_200, fresh: 4_800 });
    expect(sums.costs.resent_fresh).toBeCloseTo(0.0144, 10);
    expect(sums.costs.resent_cached).toBeCloseTo(0.00216, 10);
  });

  test('without prices nothing is said to cost anything, and a name with a date is the same model', async () => {
    expect((await counted({}, () => fiveSteps(() => 0))).costs).toEqual({});
    const dated = await counted({ 'us.anthropic.claude-opus-5-5-20261001-v1:0': PRICE }, () => fiveSteps(() => 0));
    expect(dated.costs.resent_fresh).toBeCloseTo(0.036, 10);
    const unread = await counted({ 'claude-opus-5-5': {} }, () => fiveSteps(() => 0));
    expect(unread.costs).toEqual({});
  });
});

// --- Over all APIs, their SDKs and simulators -----------------------------------------------------------------------

interface Turn {
  /** Reasoning tokens of each step; the last one answers. */
  readonly steps: readonly number[];
  /** Argument of each call: few values, so that calls repeat. */
  readonly arguments: readonly number[];
}

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    steps: fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 }),
    arguments: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 4, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

let plan: readonly Turn[] = [];
/** Members in either order are the same arguments. */
const argumentsOf = (value: number, turned: boolean) =>
  turned ? { unit: 'eur', step: value } : { step: value, unit: 'eur' };

const script: Any = ({ step, turn }: { readonly step: number; readonly turn: number }) => {
  // Some APIs count turns from 0, others from 1.
  const { steps, arguments: given } = plan[Math.min(turn, plan.length - 1)] as Turn;
  const think = { think: `What next, at ${turn}.${step}?`, tokens: steps[Math.min(step, steps.length - 1)] };
  return step < steps.length - 1
    ? { content: [think, { tool: 'look_up', input: argumentsOf(given[step] ?? 0, step % 2 === 1) }] }
    : { content: [think, { text: 'Done.' }] };
};

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'economics',
    anthropic: { script, caching: 'automatic' },
    responses: { script },
    chat: { script },
    gemini: { script },
    interactions: { script },
    bedrock: { script },
  });
});
afterAll(() => simulator.close());

const sorted = (input: unknown): string =>
  JSON.stringify(Object.entries(input as object).sort(([a], [b]) => (a < b ? -1 : 1)));

describe.each(Object.entries(NEWEST))('over %s', (name, way: Way) => {
  test('cached and fresh are what is sent again, which is never more than the input; repeated is part of the calls', async () => {
    const Sdk: Any = await import(way.sdk);
    const client = instrumentClient(way.client(Sdk, simulator.url, false));
    let task = 0;
    let resentSomething = 0;
    await fc.assert(
      fc.asyncProperty(turns, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (planned, keeps) => {
        plan = planned;
        delete processContext().ledger;
        const seen: RunCall[] = [];
        let open = 0;
        const tally = {
          begun: () => void open++,
          ended(call: RunCall | undefined) {
            open--;
            if (call) seen.push(call);
          },
        };
        let kept = 0;
        const tasks = planned.map(() => `Task ${++task} of ${name}.`);
        const { result, ...sums } = await counted({}, () =>
          processContext().run.run({ tally }, () =>
            withRun({}, async (run) => {
              const made = await work(way, client, Sdk, tasks, () => keeps[kept++ % keeps.length] ?? true).catch(
                // A provider may refuse what the loop has left out.
                () => undefined,
              );
              return { made, summary: run.summary() };
            }),
          ),
        );
        expect(open).toBe(0);
        for (const { judgement, facts } of seen) {
          const { tokens } = judgement;
          if (tokens === undefined) continue;
          const cached = tokens.openCached + tokens.closedCached;
          const fresh = tokens.openFresh + tokens.closedFresh;
          expect(cached + fresh).toBe(tokens.resent);
          expect(
            Math.min(tokens.openCached, tokens.closedCached, tokens.openFresh, tokens.closedFresh),
          ).toBeGreaterThanOrEqual(0);
          expect(tokens.resent).toBeLessThanOrEqual(facts.usage?.input ?? 0);
          expect(cached).toBeLessThanOrEqual(facts.usage?.cacheRead ?? 0);
          if (tokens.resent > 0) resentSomething++;
        }
        const { made, summary } = result;
        expect(sums.cached + sums.fresh).toBe(sums.resent);
        expect(summary.tokens).toMatchObject({
          resent: sums.resent,
          resentCached: sums.cached,
          resentFresh: sums.fresh,
        });
        expect(summary).toMatchObject({ toolCalls: sums.toolCalls, repeatedToolCalls: sums.repeated });
        expect(sums.repeated).toBeLessThanOrEqual(sums.toolCalls);
        if (made === undefined) return;
        const distinct = new Set(made.map((call) => `${call.name} ${sorted(call.input)}`)).size;
        expect([sums.toolCalls, sums.repeated]).toEqual([made.length, made.length - distinct]);
      }),
      { numRuns: 15, seed: 7 },
    );
    // Converse reports no reasoning tokens, so that nothing can be said of them there.
    if (name === 'Converse') expect(resentSomething).toBe(0);
    else expect(resentSomething).toBeGreaterThan(5);
  });
});
