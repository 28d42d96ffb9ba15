import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_DROPPED,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_INSTRUMENTATION_SDK,
  ATTR_REASONING_INSTRUMENTATION_SDK_VERSION,
  ATTR_REASONING_INSTRUMENTATION_SEEN_BY,
  ATTR_REASONING_INSTRUMENTATION_SPAN,
  ATTR_REASONING_INSTRUMENTATION_VERSION,
  ATTR_REASONING_REJECTED,
  ATTR_REASONING_REJECTION,
  METRIC_REASONING_ASSERTIONS,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_EXPECTED,
  METRIC_REASONING_BLOCKS_RELEASED,
  METRIC_REASONING_BLOCKS_RETURNED,
  METRIC_REASONING_CALLS,
  METRIC_REASONING_FINDINGS,
  METRIC_REASONING_INSTRUMENTATION_INFO,
  METRIC_REASONING_REJECTIONS,
} from '../../../src/semconv.ts';
import type { BoardSpec } from '../board.ts';
import { callsByProcess } from '../covered.ts';
import { band } from '../layout.ts';
import { ofRow, ofSeries, traces } from '../links.ts';
import { BAD_ABOVE_ZERO, badAbove, EXTRAPOLATED, goodAbove, stat, table, trend } from '../panel.ts';
import { labelName } from '../prometheus-name.ts';
import { highest, is, labels, oneOf, select, share, zeroBeside } from '../promql.ts';
import { counting, ON_CALL, within } from '../scope.ts';
import type { Settings } from '../settings.ts';

const { increase, rate } = counting(ON_CALL);
const perMinute = (metric: string, by: readonly string[]) => `60 * ${rate({ metric, by })}`;
const legend = (attribute: string) => `{{${labelName(attribute)}}}`;

const MODEL = [ATTR_GEN_AI_REQUEST_MODEL];
const SERVICE_AND_MODEL = ['job', ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_REQUEST_MODEL];
const SDK = [
  'job',
  ATTR_REASONING_INSTRUMENTATION_SDK,
  ATTR_REASONING_INSTRUMENTATION_SDK_VERSION,
  ATTR_REASONING_INSTRUMENTATION_SEEN_BY,
  ATTR_REASONING_INSTRUMENTATION_SPAN,
  ATTR_REASONING_INSTRUMENTATION_VERSION,
];

/** Blocks dropped over blocks expected. */
const dropped = (by: readonly string[] = [], window?: string): string => {
  const expected = increase({ metric: METRIC_REASONING_BLOCKS_EXPECTED, by }, window);
  return share(zeroBeside(increase({ metric: METRIC_REASONING_BLOCKS_DROPPED, by }, window), expected), expected);
};

/** Of the error budget of thirty days. Where nothing was expected nothing is spent. */
function budgetLeft({ objective }: Settings): string {
  const expected = increase({ metric: METRIC_REASONING_BLOCKS_EXPECTED }, '30d');
  // Written with as few digits as the objective has: 1 - 0.99 is 0.010000000000000009.
  const budget = Number((1 - objective).toPrecision(6));
  return `1 - (${dropped([], '30d')} or ${expected} * 0) / ${budget}`;
}

const judged = { metric: METRIC_REASONING_ASSERTIONS, where: [oneOf(ATTR_REASONING_ASSERTION, ['pass', 'fail'])] };
const failed = { metric: METRIC_REASONING_ASSERTIONS, where: [is(ATTR_REASONING_ASSERTION, 'fail')] };
const affected = {
  metric: METRIC_REASONING_CALLS,
  where: [oneOf(ATTR_REASONING_CONTINUITY, ['partial', 'stripped'])],
};
const CALLS = { metric: METRIC_REASONING_CALLS };

const callsOf = callsByProcess(increase);
const judgedProcesses = increase({ ...CALLS, by: ['job', 'instance'] });

export const continuityOverview: BoardSpec = {
  uid: 'reasoning-continuity',
  title: 'Reasoning: continuity overview',
  description:
    "Whether models get their reasoning back, for people on call. An experiment's stripped arm is left out. What each panel means and what to do: docs/dashboards.md and docs/runbooks of reasoning-otel.",
  models: true,
  from: 'now-6h',
  bands: (settings) => [
    band(
      4,
      stat({
        title: 'Continuity',
        description:
          'Share of the reasoning blocks that should have come back and were shown to the model. Each block counts once, planned losses do not. Below the objective, look at the reasons.',
        unit: 'percentunit',
        decimals: 2,
        max: 1,
        steps: goodAbove(settings.objective, 1 - (1 - settings.objective) / 10),
        noValue: 'no blocks expected',
        queries: [{ expr: `1 - ${dropped()}`, legend: 'continuity' }],
        links: traces({ [ATTR_REASONING_DROPPED]: 'true' }, settings),
      }),
      stat({
        title: 'Blocks dropped',
        description: `Blocks that the model was not shown and should have been. Planned losses count elsewhere, as released. ${EXTRAPOLATED}`,
        unit: 'short',
        decimals: 1,
        steps: BAD_ABOVE_ZERO,
        noValue: 'no calls seen',
        queries: [{ expr: increase({ metric: METRIC_REASONING_BLOCKS_DROPPED }), legend: 'dropped' }],
        links: traces({ [ATTR_REASONING_DROPPED]: 'true' }, settings),
      }),
      stat({
        title: 'Failed thinking checks',
        description:
          'Share of the answers that should hold reasoning by their settings and hold none. Answers that nothing can be said of are left out. Look for settings that changed, a model alias that moved, thinking switched off in a loop.',
        unit: 'percentunit',
        decimals: 1,
        max: 1,
        steps: badAbove(0.001, 0.05),
        noValue: 'no calls seen',
        queries: [
          {
            expr: `${share(increase(failed), increase(judged))} or ${increase(judged)} * 0`,
            legend: 'failed',
          },
        ],
        links: traces({ [ATTR_REASONING_ASSERTION]: 'fail' }, settings),
      }),
      stat({
        title: 'Error budget (30 days)',
        description: `What is left of the ${Number(((1 - settings.objective) * 100).toPrecision(6))} % of blocks that may be lost in thirty days. Below zero, the objective is missed. It looks at thirty days whatever time is picked.`,
        unit: 'percentunit',
        decimals: 1,
        steps: goodAbove(0.0001, 0.25),
        noValue: 'no calls seen',
        queries: [{ expr: budgetLeft(settings), legend: 'left' }],
      }),
      stat({
        title: 'Calls affected',
        description:
          'Share of the model calls whose request lacked reasoning, or carried it damaged. A block lost early keeps affecting every later call of its loop, so this is larger than the share of lost blocks.',
        unit: 'percentunit',
        decimals: 1,
        max: 1,
        steps: badAbove(0.001, 0.05),
        noValue: 'no calls seen',
        queries: [{ expr: share(increase(affected), increase(CALLS)), legend: 'affected' }],
        links: traces({ [ATTR_REASONING_CONTINUITY]: 'stripped' }, settings),
      }),
      stat({
        title: 'Telemetry coverage',
        description:
          "Of the processes that call models by anybody's metrics, the share whose calls are judged. Below one, a process calls models unseen: import order, a bundler, an SDK version out of range.",
        unit: 'percentunit',
        max: 1,
        steps: goodAbove(0.9, 1),
        noValue: 'no calls seen',
        queries: [
          {
            expr: `count(${callsOf} and on (job, instance) ${judgedProcesses}) / count(${callsOf})`,
            legend: 'coverage',
          },
        ],
      }),
    ),
    band(
      9,
      trend({
        title: 'Dropped blocks per minute, by reason',
        description:
          "Why the model was not shown its reasoning. The first words of a reason tell who: omitted, filtered and missing are the application's, a mismatch is the provider's. Each reason has a section in the runbook.",
        unit: 'short',
        queries: [
          {
            expr: perMinute(METRIC_REASONING_BLOCKS_DROPPED, [ATTR_REASONING_DROP_REASON]),
            legend: legend(ATTR_REASONING_DROP_REASON),
          },
        ],
        links: traces({ [ATTR_REASONING_DROP_REASON]: ofSeries(ATTR_REASONING_DROP_REASON) }, settings),
      }),
      trend({
        title: 'Findings per minute, by kind',
        description:
          'Everything wrong with requests: blocks dropped, edited, reordered, in the wrong place, behind a changed prefix. Notes, which are no fault, count here too.',
        unit: 'short',
        queries: [
          {
            expr: perMinute(METRIC_REASONING_FINDINGS, [ATTR_REASONING_FINDING_KIND]),
            legend: legend(ATTR_REASONING_FINDING_KIND),
          },
        ],
        links: traces({ [ATTR_REASONING_FINDING_KIND]: ofSeries(ATTR_REASONING_FINDING_KIND) }, settings),
      }),
    ),
    band(
      9,
      trend({
        title: 'Share of blocks dropped, by model',
        description:
          'Blocks dropped over blocks expected. One model alone points at its settings or its route, all of them at the harness.',
        unit: 'percentunit',
        max: 1,
        queries: [
          {
            expr: share(
              zeroBeside(
                rate({ metric: METRIC_REASONING_BLOCKS_DROPPED, by: MODEL }),
                rate({ metric: METRIC_REASONING_BLOCKS_EXPECTED, by: MODEL }),
              ),
              rate({ metric: METRIC_REASONING_BLOCKS_EXPECTED, by: MODEL }),
            ),
            legend: legend(ATTR_GEN_AI_REQUEST_MODEL),
          },
        ],
        links: traces({ [ATTR_REASONING_DROPPED]: 'true' }, settings),
      }),
      trend({
        title: 'Provider rejections per minute, by class',
        description:
          'Requests that the provider refused because of their reasoning: users see these as failures. The class says which rule was broken.',
        unit: 'short',
        queries: [
          {
            expr: perMinute(METRIC_REASONING_REJECTIONS, [ATTR_REASONING_REJECTION]),
            legend: legend(ATTR_REASONING_REJECTION),
          },
        ],
        links: traces(
          { [ATTR_REASONING_REJECTED]: 'true', [ATTR_REASONING_REJECTION]: ofSeries(ATTR_REASONING_REJECTION) },
          settings,
        ),
      }),
    ),
    band(
      9,
      trend({
        title: 'Calls per minute, by continuity',
        description:
          'intact: everything that should come back did. partial: some was dropped or damaged. stripped: none came back. not_applicable: nothing was to come back.',
        unit: 'short',
        stacked: true,
        queries: [
          {
            expr: perMinute(METRIC_REASONING_CALLS, [ATTR_REASONING_CONTINUITY]),
            legend: legend(ATTR_REASONING_CONTINUITY),
          },
        ],
        links: traces({ [ATTR_REASONING_CONTINUITY]: ofSeries(ATTR_REASONING_CONTINUITY) }, settings),
      }),
      trend({
        title: 'Blocks per minute: returned, released',
        description:
          'Returned came back whole. Released were left behind by plan, such as compaction, a new task or a switch to a model that cannot read them: no fault, yet a sudden rise is worth a look.',
        unit: 'short',
        queries: [
          { expr: perMinute(METRIC_REASONING_BLOCKS_RETURNED, []), legend: 'returned' },
          {
            expr: perMinute(METRIC_REASONING_BLOCKS_RELEASED, [ATTR_REASONING_DROP_REASON]),
            legend: `released: ${legend(ATTR_REASONING_DROP_REASON)}`,
          },
        ],
      }),
    ),
    band(
      9,
      table({
        title: 'Worst services and models',
        description:
          'Share of the expected blocks that were dropped, worst first. The row leads to the traces of the service that is picked above.',
        unit: 'percentunit',
        decimals: 2,
        noValue: 'no blocks expected',
        expr: `topk(20, ${dropped(SERVICE_AND_MODEL)})`,
        columns: [
          ['job', 'Service'],
          [ATTR_GEN_AI_PROVIDER_NAME, 'Provider', 110],
          [ATTR_GEN_AI_REQUEST_MODEL, 'Model', 160],
        ],
        value: 'Dropped',
        links: traces({ [ATTR_REASONING_DROPPED]: 'true' }, settings),
      }),
      table({
        title: 'Drop reasons by service',
        description:
          'How many blocks each service lost for which reason, and on which side: client is the application, server the provider. The row leads to the traces of the service that is picked above.',
        unit: 'short',
        decimals: 1,
        noValue: 'no calls seen',
        expr: highest(
          20,
          increase({
            metric: METRIC_REASONING_BLOCKS_DROPPED,
            by: ['job', ATTR_REASONING_DROP_REASON, ATTR_REASONING_DROP_SOURCE],
          }),
        ),
        columns: [
          [ATTR_REASONING_DROP_REASON, 'Reason', 175],
          [ATTR_REASONING_DROP_SOURCE, 'Side', 75],
          ['job', 'Service'],
        ],
        value: 'Blocks',
        links: traces({ [ATTR_REASONING_DROP_REASON]: ofRow(ATTR_REASONING_DROP_REASON) }, settings),
      }),
    ),
    band(
      7,
      table({
        title: 'What is watched',
        description:
          "Which SDK each service uses, how its calls are seen (hook: at load; client: handed over) and whose span they are on (own, the SDK's native one, or another instrumentation's). A service that is missing here is not watched.",
        unit: 'short',
        noValue: 'no process is watched',
        expr: `count by (${labels(METRIC_REASONING_INSTRUMENTATION_INFO, SDK)}) (${select(
          within(ON_CALL, { metric: METRIC_REASONING_INSTRUMENTATION_INFO }),
        )})`,
        columns: [
          ['job', 'Service'],
          [ATTR_REASONING_INSTRUMENTATION_SDK, 'SDK'],
          [ATTR_REASONING_INSTRUMENTATION_SDK_VERSION, 'SDK version', 110],
          [ATTR_REASONING_INSTRUMENTATION_SEEN_BY, 'Seen by', 90],
          [ATTR_REASONING_INSTRUMENTATION_SPAN, 'Span', 90],
          [ATTR_REASONING_INSTRUMENTATION_VERSION, 'reasoning-otel', 120],
        ],
        value: 'Processes',
      }),
    ),
  ],
};
