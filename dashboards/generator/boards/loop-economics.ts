import {
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_COST_KIND,
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_RUN_OUTCOME,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS,
  METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS,
  METRIC_REASONING_COST,
  METRIC_REASONING_CYCLE_STEPS,
  METRIC_REASONING_CYCLE_TOOL_CALLS,
  METRIC_REASONING_RUNS,
  METRIC_REASONING_TOKENS_RESENT,
  METRIC_REASONING_TOOL_CALLS,
} from '../../../src/semconv.ts';
import type { BoardSpec } from '../board.ts';
import { band } from '../layout.ts';
import { badAbove, type Query, stat, table, trend } from '../panel.ts';
import { labelName } from '../prometheus-name.ts';
import { highest, is, orZero, quantile, share, TARGET_LABELS, zeroBeside } from '../promql.ts';
import { counting, ON_CALL } from '../scope.ts';

const { increase, rate } = counting(ON_CALL);
const legend = (attribute: string) => `{{${labelName(attribute)}}}`;
const MODEL = [ATTR_GEN_AI_REQUEST_MODEL];

const REPEATED = { metric: METRIC_REASONING_TOOL_CALLS, where: [is(ATTR_REASONING_TOOL_CALL_REPEATED, 'true')] };
const RESENT = { metric: METRIC_REASONING_TOKENS_RESENT };
const CACHED = { ...RESENT, where: [is(ATTR_REASONING_CACHE_STATE, 'cached')] };
const FRESH = { ...RESENT, where: [is(ATTR_REASONING_CACHE_STATE, 'fresh')] };
const GENERATED = { metric: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS };

/** Tool calls are counted by tool, and no tool is known before it is called. */
const repeatedShare = (count: typeof increase, by: readonly string[] = []): string => {
  const all = count({ metric: METRIC_REASONING_TOOL_CALLS, by });
  return share(zeroBeside(count({ ...REPEATED, by }), all), all);
};

const quantiles = (metric: string): readonly Query[] =>
  (
    [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const
  ).map(([name, rank]) => ({
    expr: quantile(rank, rate({ metric, part: 'bucket', by: ['le'] })),
    legend: name,
  }));

const mean = (metric: string): string => share(increase({ metric, part: 'sum' }), increase({ metric, part: 'count' }));

const TOKENS: ReadonlyArray<readonly [metric: string, name: string]> = [
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS, 'input'],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS, 'input read from cache'],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS, 'input written to cache'],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS, 'output'],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS, 'of it reasoning'],
];

/** What processes spend that bracket no runs is nobody's share of a run. */
const costOfRuns = `sum(${increase({ metric: METRIC_REASONING_COST, by: TARGET_LABELS })} and on (job, instance) (${increase(
  {
    metric: METRIC_REASONING_RUNS,
    by: TARGET_LABELS,
  },
)} > 0))`;

const NO_RUNS = 'no run bracketed';
const NO_PRICES = 'no prices set';
const NO_LOOPS = 'no tool loop ended';
const NO_TOOLS = 'no tool called';

export const loopEconomics: BoardSpec = {
  uid: 'reasoning-economics',
  title: 'Reasoning: loop economics',
  description:
    "What tool loops cost: steps, tool calls, repeated work, reasoning that is sent again. An experiment's stripped arm is left out. Re-sent tokens and cost are estimates: no provider reports them.",
  models: true,
  from: 'now-24h',
  bands: () => [
    band(
      4,
      stat({
        title: 'Runs',
        description: 'Tasks that ended and that the application brackets with withRun(). 0 where it brackets none.',
        unit: 'short',
        decimals: 0,
        queries: [{ expr: orZero(increase({ metric: METRIC_REASONING_RUNS })), legend: 'runs' }],
      }),
      stat({
        title: 'Mean tool calls',
        description:
          'Tool calls of a finished tool loop, on average. A model that lost its reasoning calls more tools for the same task.',
        unit: 'short',
        decimals: 1,
        noValue: NO_LOOPS,
        queries: [{ expr: mean(METRIC_REASONING_CYCLE_TOOL_CALLS), legend: 'mean' }],
      }),
      stat({
        title: 'Repeated tool calls',
        description:
          'Share of the tool calls that the same run had made before with equal arguments. Some are polling. A rise beside dropped blocks is the loss at work.',
        unit: 'percentunit',
        decimals: 1,
        max: 1,
        steps: badAbove(0.1, 0.2),
        noValue: NO_TOOLS,
        queries: [{ expr: repeatedShare(increase), legend: 'repeated' }],
      }),
      stat({
        title: 'Re-sent cached (est.)',
        description:
          'An estimate: the share of the re-sent reasoning tokens that lie inside the cached prefix. Each block is fresh the first time it is sent again, so short loops have a low share with the best of caches.',
        unit: 'percentunit',
        decimals: 0,
        max: 1,
        noValue: 'nothing re-sent',
        queries: [{ expr: share(increase(CACHED), increase(RESENT)), legend: 'cached' }],
      }),
      stat({
        title: 'Re-sent ratio (est.)',
        description:
          'An estimate: how often a reasoning token is sent again, on average. It grows with the length of the loops: half of the steps, in a loop that keeps all of its reasoning.',
        unit: 'short',
        decimals: 1,
        noValue: 'no reasoning reported',
        queries: [{ expr: share(increase(RESENT), increase(GENERATED)), legend: 're-sent per generated' }],
      }),
      stat({
        title: 'Cost per run (estimate)',
        description:
          'What reasoning cost, generated and re-sent, for each run bracketed by withRun(), at the prices that were configured. Of the processes that bracket runs: too high where they make calls outside of them.',
        unit: 'currencyUSD',
        decimals: 4,
        noValue: 'no runs priced',
        queries: [
          {
            expr: share(costOfRuns, increase({ metric: METRIC_REASONING_RUNS })),
            legend: 'per run',
          },
        ],
      }),
    ),
    band(
      8,
      trend({
        title: 'Steps per loop',
        description: 'Model calls of a finished tool loop: the median, and what one loop in twenty exceeds.',
        unit: 'short',
        noValue: NO_LOOPS,
        queries: quantiles(METRIC_REASONING_CYCLE_STEPS),
      }),
      trend({
        title: 'Tool calls per loop',
        description: 'Tool calls of a finished tool loop: the median, and what one loop in twenty exceeds.',
        unit: 'short',
        noValue: NO_LOOPS,
        queries: quantiles(METRIC_REASONING_CYCLE_TOOL_CALLS),
      }),
    ),
    band(
      9,
      trend({
        title: 'Repeated tool calls, by tool',
        description:
          "Share of a tool's calls that the same run had made before with equal arguments. Compare with the share of dropped blocks at the same time.",
        unit: 'percentunit',
        max: 1,
        noValue: NO_TOOLS,
        // No topk: over a range it picks anew at each step, which tears the lines.
        queries: [{ expr: repeatedShare(rate, [ATTR_GEN_AI_TOOL_NAME]), legend: legend(ATTR_GEN_AI_TOOL_NAME) }],
      }),
      trend({
        title: 'Sent fresh per generated token, by model',
        description:
          'An estimate. At most 1 where caching works: each block is fresh once. Above 1, blocks are read again at full price: a prefix that changes, missing cache marks, a cache that expires between steps.',
        unit: 'short',
        noValue: 'no reasoning reported',
        queries: [
          {
            expr: share(rate({ ...FRESH, by: MODEL }), rate({ ...GENERATED, by: MODEL })),
            legend: legend(ATTR_GEN_AI_REQUEST_MODEL),
          },
        ],
      }),
    ),
    band(
      8,
      trend({
        title: 'Re-sent reasoning tokens per minute (estimate)',
        description:
          'cached lies inside the cached prefix and is cheap. fresh is billed in full. Loops with a working cache send each block fresh once.',
        unit: 'short',
        stacked: true,
        queries: [
          {
            expr: `60 * ${rate({ ...RESENT, by: [ATTR_REASONING_CACHE_STATE] })}`,
            legend: legend(ATTR_REASONING_CACHE_STATE),
          },
        ],
      }),
      trend({
        title: 'Re-sent tokens by loop, per minute (estimate)',
        description:
          'open: reasoning of the loop that is still running, which the model needs. closed: reasoning of finished loops that is carried along, needed by few models and billed by all.',
        unit: 'short',
        stacked: true,
        queries: [
          {
            expr: `60 * ${rate({ ...RESENT, by: [ATTR_REASONING_CYCLE_STATE] })}`,
            legend: legend(ATTR_REASONING_CYCLE_STATE),
          },
        ],
      }),
    ),
    band(
      8,
      trend({
        title: 'Run outcomes per hour',
        description: 'How runs bracketed by withRun() ended. Flat zero where none are.',
        unit: 'short',
        stacked: true,
        noValue: NO_RUNS,
        queries: [
          {
            expr: `3600 * ${rate({ metric: METRIC_REASONING_RUNS, by: [ATTR_REASONING_RUN_OUTCOME] })}`,
            legend: legend(ATTR_REASONING_RUN_OUTCOME),
          },
        ],
      }),
      trend({
        title: 'Calls per run (mean)',
        description: 'Model calls and tool calls of a run bracketed by withRun(), on average.',
        unit: 'short',
        noValue: NO_RUNS,
        queries: (
          [
            [METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS, 'model calls'],
            [METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS, 'tool calls'],
          ] as const
        ).map(([metric, name]) => ({
          expr: share(rate({ metric, part: 'sum' }), rate({ metric, part: 'count' })),
          legend: name,
        })),
      }),
      trend({
        title: 'Cost per hour, by kind (estimate)',
        description:
          'generated: reasoning as output. resent_cached and resent_fresh: the same reasoning as input again. At the prices that were configured; empty until prices are.',
        unit: 'currencyUSD',
        stacked: true,
        noValue: NO_PRICES,
        queries: [
          {
            expr: `3600 * ${rate({ metric: METRIC_REASONING_COST, by: [ATTR_REASONING_COST_KIND] })}`,
            legend: legend(ATTR_REASONING_COST_KIND),
          },
        ],
      }),
    ),
    band(
      8,
      trend({
        title: 'Tokens per minute',
        description: 'As providers report them. Input holds what was read from the cache, output holds the reasoning.',
        unit: 'short',
        queries: TOKENS.map(([metric, name]) => ({ expr: `60 * ${rate({ metric })}`, legend: name })),
      }),
      trend({
        title: 'Duration of calls, by model (p95)',
        description: 'What one call in twenty exceeds, its retries and the whole of its stream included.',
        unit: 's',
        queries: [
          {
            expr: quantile(
              0.95,
              rate({ metric: METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, part: 'bucket', by: ['le', ...MODEL] }),
            ),
            legend: legend(ATTR_GEN_AI_REQUEST_MODEL),
          },
        ],
      }),
    ),
    band(
      8,
      table({
        title: 'Tool calls, by tool and model',
        description: 'How often each tool was called, and whether the run had made the same call before.',
        unit: 'short',
        decimals: 0,
        noValue: NO_TOOLS,
        expr: `topk(20, ${increase({
          metric: METRIC_REASONING_TOOL_CALLS,
          by: [ATTR_GEN_AI_TOOL_NAME, ATTR_REASONING_TOOL_CALL_REPEATED, ATTR_GEN_AI_REQUEST_MODEL],
        })})`,
        columns: [
          [ATTR_GEN_AI_TOOL_NAME, 'Tool'],
          [ATTR_REASONING_TOOL_CALL_REPEATED, 'Made before', 110],
          [ATTR_GEN_AI_REQUEST_MODEL, 'Model'],
        ],
        value: 'Calls',
      }),
      table({
        title: 'Most re-sent (estimate)',
        description: 'Who sends how many reasoning tokens again, from the cache or at full price.',
        unit: 'short',
        decimals: 0,
        noValue: 'nothing re-sent',
        expr: highest(
          20,
          increase({
            ...RESENT,
            by: ['job', ATTR_GEN_AI_REQUEST_MODEL, ATTR_REASONING_CACHE_STATE, ATTR_REASONING_CYCLE_STATE],
          }),
        ),
        columns: [
          ['job', 'Service'],
          [ATTR_GEN_AI_REQUEST_MODEL, 'Model', 150],
          [ATTR_REASONING_CACHE_STATE, 'Cache', 75],
          [ATTR_REASONING_CYCLE_STATE, 'Loop', 75],
        ],
        value: 'Tokens',
      }),
    ),
  ],
};
