import {
  ATTR_REASONING_COST_KIND,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_RUN_OUTCOME,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS,
  METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_EXPECTED,
  METRIC_REASONING_BLOCKS_RELEASED,
  METRIC_REASONING_COST,
  METRIC_REASONING_RUNS,
  METRIC_REASONING_TOOL_CALLS,
} from '../../../src/semconv.ts';
import type { BoardSpec } from '../board.ts';
import { band } from '../layout.ts';
import { ofRow, ofSeries, traces } from '../links.ts';
import { BAD_ABOVE_ZERO, stat, table, trend } from '../panel.ts';
import { labelName } from '../prometheus-name.ts';
import { is, type Matcher, share, zeroBeside } from '../promql.ts';
import { counting, EXPERIMENT, INTACT_ARM, STRIPPED_ARM } from '../scope.ts';

const { increase, rate } = counting(EXPERIMENT);
const ARM = [ATTR_REASONING_EXPERIMENT_ARM];
const ARM_NAME = `{{${labelName(ATTR_REASONING_EXPERIMENT_ARM)}}}`;
const NO_EXPERIMENT = 'no experiment';

const runs = increase({ metric: METRIC_REASONING_RUNS, by: ARM });
const completed = increase({
  metric: METRIC_REASONING_RUNS,
  by: ARM,
  where: [is(ATTR_REASONING_RUN_OUTCOME, 'completed')],
});
const completion = share(zeroBeside(completed, runs), runs);

const meanPerRun = (metric: string, by: readonly string[], where: readonly Matcher[] = []): string =>
  share(increase({ metric, part: 'sum', by, where }), increase({ metric, part: 'count', by, where }));

const toolCallsOf = (arm: Matcher): string => meanPerRun(METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS, [], [arm]);

const repeated = rate({
  metric: METRIC_REASONING_TOOL_CALLS,
  by: ARM,
  where: [is(ATTR_REASONING_TOOL_CALL_REPEATED, 'true')],
});
const toolCalls = rate({ metric: METRIC_REASONING_TOOL_CALLS, by: ARM });

const expectedIntact = increase({ metric: METRIC_REASONING_BLOCKS_EXPECTED, where: [INTACT_ARM] });
const droppedIntact = increase({ metric: METRIC_REASONING_BLOCKS_DROPPED, where: [INTACT_ARM] });

const expected = increase({ metric: METRIC_REASONING_BLOCKS_EXPECTED, by: ARM });
/** What an arm leaves out is not expected to come back. */
const withheld = zeroBeside(
  increase({
    metric: METRIC_REASONING_BLOCKS_RELEASED,
    by: ARM,
    where: [is(ATTR_REASONING_DROP_REASON, 'experiment')],
  }),
  expected,
);

export const intactVersusStripped: BoardSpec = {
  uid: 'reasoning-experiment',
  title: 'Reasoning: intact versus stripped',
  description:
    'One task in two arms: with the reasoning as issued, and with it left out on purpose. Empty but for experiments. The report of the experiment itself pairs the tasks and is the better judge; this is for watching it run.',
  models: false,
  from: 'now-24h',
  bands: (settings) => [
    band(
      6,
      stat({
        title: 'Runs per arm',
        description: 'Runs that ended in each arm. Wait for some tens in both before you read on.',
        unit: 'short',
        decimals: 0,
        named: true,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: runs, legend: ARM_NAME }],
      }),
      stat({
        title: 'Leaks of the intact arm',
        description:
          'Share of the blocks that the intact arm lost. It must be 0: an arm that loses reasoning by accident voids the comparison.',
        unit: 'percentunit',
        decimals: 2,
        max: 1,
        steps: BAD_ABOVE_ZERO,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: share(zeroBeside(droppedIntact, expectedIntact), expectedIntact), legend: 'leaks' }],
      }),
      stat({
        title: 'Reasoning withheld, per arm',
        description:
          'Share of the blocks that the experiment left out. Near 100 % in the stripped arm, or it strips nothing; 0 in the intact one.',
        unit: 'percentunit',
        decimals: 0,
        max: 1,
        named: true,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: share(withheld, `(${withheld} + ${expected})`), legend: ARM_NAME }],
      }),
      stat({
        title: 'Completion rate per arm',
        description: "Share of the runs that were completed, by the experiment's own judge.",
        unit: 'percentunit',
        decimals: 1,
        max: 1,
        named: true,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: completion, legend: ARM_NAME }],
      }),
    ),
    band(
      6,
      stat({
        title: 'Tool calls per run, per arm',
        description: 'Tool calls of a run, on average. Without its reasoning a model tends to ask again.',
        unit: 'short',
        decimals: 1,
        named: true,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: meanPerRun(METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS, ARM), legend: ARM_NAME }],
      }),
      stat({
        title: 'Extra tool calls of the stripped arm',
        description: 'How many more tool calls a run needs without its reasoning, as a share of what it needs with it.',
        unit: 'percentunit',
        decimals: 0,
        noValue: NO_EXPERIMENT,
        queries: [
          { expr: `${share(`(${toolCallsOf(STRIPPED_ARM)})`, `(${toolCallsOf(INTACT_ARM)})`)} - 1`, legend: 'extra' },
        ],
      }),
      stat({
        title: 'Standard error of completion',
        description:
          "Of the difference between the arms. A difference in completion rate is worth reading when it is larger than twice this. An approximation that takes runs as independent; the experiment's report pairs them.",
        unit: 'percentunit',
        decimals: 1,
        noValue: NO_EXPERIMENT,
        queries: [
          {
            expr: `sqrt(sum((${completion}) * (1 - ${completion}) / (${runs} > 0)))`,
            legend: 'standard error',
          },
        ],
      }),
      stat({
        title: 'Cost per run, per arm (estimate)',
        description: 'What reasoning cost a run, at the prices that were configured.',
        unit: 'currencyUSD',
        decimals: 4,
        named: true,
        noValue: 'no runs priced',
        queries: [
          {
            expr: share(increase({ metric: METRIC_REASONING_COST, by: ARM }), runs),
            legend: ARM_NAME,
          },
        ],
      }),
    ),
    band(
      8,
      trend({
        title: 'Model calls per run, per arm',
        description: 'Model calls of the runs that ended at the time, on average.',
        unit: 'short',
        noValue: NO_EXPERIMENT,
        queries: [
          {
            expr: share(
              rate({ metric: METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS, part: 'sum', by: ARM }),
              rate({ metric: METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS, part: 'count', by: ARM }),
            ),
            legend: ARM_NAME,
          },
        ],
        links: traces({ [ATTR_REASONING_EXPERIMENT_ARM]: ofSeries(ATTR_REASONING_EXPERIMENT_ARM) }, settings),
      }),
      trend({
        title: 'Repeated tool calls, per arm',
        description: 'Share of the tool calls that the same run had made before with equal arguments.',
        unit: 'percentunit',
        max: 1,
        noValue: NO_EXPERIMENT,
        queries: [{ expr: share(zeroBeside(repeated, toolCalls), toolCalls), legend: ARM_NAME }],
        links: traces({ [ATTR_REASONING_EXPERIMENT_ARM]: ofSeries(ATTR_REASONING_EXPERIMENT_ARM) }, settings),
      }),
      trend({
        title: 'Reasoning tokens per minute, per arm',
        description:
          'Reasoning that the models wrote. A stripped model thinks the same thoughts again, or stops to think.',
        unit: 'short',
        noValue: NO_EXPERIMENT,
        queries: [
          {
            expr: `60 * ${rate({ metric: METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS, by: ARM })}`,
            legend: ARM_NAME,
          },
        ],
      }),
    ),
    band(
      8,
      table({
        title: 'Outcomes per arm',
        description: 'How the runs of each arm ended. The arm leads to its traces.',
        unit: 'short',
        decimals: 0,
        noValue: NO_EXPERIMENT,
        expr: increase({ metric: METRIC_REASONING_RUNS, by: [...ARM, ATTR_REASONING_RUN_OUTCOME] }),
        columns: [
          [ATTR_REASONING_EXPERIMENT_ARM, 'Arm'],
          [ATTR_REASONING_RUN_OUTCOME, 'Outcome'],
        ],
        value: 'Runs',
        links: traces({ [ATTR_REASONING_EXPERIMENT_ARM]: ofRow(ATTR_REASONING_EXPERIMENT_ARM) }, settings),
      }),
      table({
        title: 'Cost per arm (estimate)',
        description: 'What was paid for in each arm. Empty until prices are configured.',
        unit: 'currencyUSD',
        decimals: 4,
        noValue: 'no prices set',
        expr: increase({ metric: METRIC_REASONING_COST, by: [...ARM, ATTR_REASONING_COST_KIND] }),
        columns: [
          [ATTR_REASONING_EXPERIMENT_ARM, 'Arm'],
          [ATTR_REASONING_COST_KIND, 'For'],
        ],
        value: 'Cost',
      }),
    ),
  ],
};
