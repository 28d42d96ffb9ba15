import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_REASONING_CALLS,
} from '../../../src/semconv.ts';
import { continuityOverview } from '../boards/continuity-overview.ts';
import { loopEconomics } from '../boards/loop-economics.ts';
import { modelSwitches } from '../boards/model-switches.ts';
import { callsByProcess } from '../covered.ts';
import { is, oneOf, select, sumBy } from '../promql.ts';
import { RULES, within } from '../scope.ts';
import type { AlertSpec } from './alert.ts';
import {
  ASSERTIONS,
  by,
  DROPPED,
  EXPECTED,
  GENERATED,
  REJECTIONS,
  RESENT,
  SERVICE_AND_MODEL,
  type Source,
  SWITCHES,
  spelt,
  TOOL_CALLS,
  type Window,
} from './recording.ts';

const JOB_AND_MODEL = ['job', ATTR_GEN_AI_REQUEST_MODEL];
const MODEL = ATTR_GEN_AI_REQUEST_MODEL;

const sum = (attributes: readonly string[], expression: string): string => `sum by (${by(attributes)}) (${expression})`;

/**
 * The share of lost blocks is this many times what the objective allows, in a long window, so that it matters, and in a
 * short one, so that it still goes on (the multi-window burn rates of the SRE workbook, chapter 5: 14.4 spends two
 * percent of a month's budget in an hour, 6 spends five percent in six hours). Few blocks prove nothing.
 */
function burns(source: Source, objective: number, factor: number, long: Window, short: Window): string {
  const limit = Number((factor * (1 - objective)).toPrecision(6));
  return [
    `${source.dropRatio(long)} > ${limit}`,
    `and ${source.dropRatio(short)} > ${limit}`,
    `and on (${by(SERVICE_AND_MODEL)}) ${source.grown(EXPECTED, long)} > 50`,
  ].join('\n');
}

const DOWN = oneOf(ATTR_REASONING_SWITCH_DIRECTION, ['downgrade', 'cross_provider']);
const JUDGED = oneOf(ATTR_REASONING_ASSERTION, ['pass', 'fail']);
const FAILED = is(ATTR_REASONING_ASSERTION, 'fail');
const FRESH = is(ATTR_REASONING_CACHE_STATE, 'fresh');
const REPEATED = is(ATTR_REASONING_TOOL_CALL_REPEATED, 'true');

/** In a quarter of an hour, on the average of the day before. */
const usualSwitches = sum(['job'], spelt(SWITCHES, '1d', [DOWN], '15m'));
const QUARTERS_OF_A_DAY = 96;

const increase15m = (counted: Parameters<Parameters<typeof callsByProcess>[0]>[0]): string =>
  sumBy(counted.metric, counted.by ?? [], `increase(${select(within(RULES, counted))}[15m])`);

/** An SDK's metrics stop to tell attribute sets apart at a limit, and mark where they put the rest (OpenTelemetry metrics SDK, "Overflow attribute"). */
const OVERFLOW = '{__name__=~"reasoning_.+", otel_metric_overflow="true"}';

export const ALERTS: readonly AlertSpec[] = [
  {
    name: 'ReasoningBlocksDropped',
    // Planned losses are a metric of their own, so every reason here is one to look at.
    expr: (source) =>
      `${sum([...JOB_AND_MODEL, ATTR_REASONING_DROP_REASON, ATTR_REASONING_DROP_SOURCE], source.grown(DROPPED, '5m'))} > 0`,
    keepFiringFor: '10m',
    severity: 'warning',
    summary: 'A model was not shown reasoning that it should have been shown.',
    description: ({ label, value }) =>
      `${label('job')} lost ${value('count')} reasoning blocks of ${label(MODEL)} in five minutes. Reason: ${label(ATTR_REASONING_DROP_REASON)} (${label(ATTR_REASONING_DROP_SOURCE)}).`,
    panel: [continuityOverview.uid, 'Dropped blocks per minute, by reason'],
  },
  {
    name: 'ReasoningContinuityBudgetBurnFast',
    expr: (source, { objective }) => burns(source, objective, 14.4, '1h', '5m'),
    for: '2m',
    severity: 'critical',
    summary: 'Reasoning is being lost at a rate that spends the monthly budget within two days.',
    description: ({ label, value }) =>
      `${label('job')} loses ${value('percent')} of the reasoning blocks of ${label(MODEL)} (${label(ATTR_GEN_AI_PROVIDER_NAME)}). Look at the last deployment, gateway and SDK versions.`,
    panel: [continuityOverview.uid, 'Share of blocks dropped, by model'],
  },
  {
    name: 'ReasoningContinuityBudgetBurnSlow',
    expr: (source, { objective }) => burns(source, objective, 6, '6h', '30m'),
    for: '15m',
    severity: 'warning',
    summary: 'Reasoning is being lost steadily, at a rate that spends the monthly budget within five days.',
    description: ({ label, value }) =>
      `${label('job')} loses ${value('percent')} of the reasoning blocks of ${label(MODEL)} (${label(ATTR_GEN_AI_PROVIDER_NAME)}). One path of the harness leaks.`,
    panel: [continuityOverview.uid, 'Worst services and models'],
  },
  {
    name: 'ReasoningThinkingAssertionFailing',
    expr(source) {
      const judged = sum(JOB_AND_MODEL, source.grown(ASSERTIONS, '15m', [JUDGED]));
      return `${sum(JOB_AND_MODEL, source.grown(ASSERTIONS, '15m', [FAILED]))} / (${judged} > 20) > 0.05`;
    },
    for: '5m',
    severity: 'warning',
    summary: 'Answers lack the reasoning that their settings ask for.',
    description: ({ label, value }) =>
      `${value('percent')} of the answers of ${label(MODEL)} in ${label('job')} hold no reasoning although thinking is on. Look at thinking settings and the model alias.`,
    panel: [continuityOverview.uid, 'Failed thinking checks'],
  },
  {
    name: 'ReasoningProviderRejectedBlocks',
    expr: (source) => `${sum([...SERVICE_AND_MODEL, ATTR_REASONING_REJECTION], source.grown(REJECTIONS, '5m'))} > 0`,
    keepFiringFor: '10m',
    severity: 'critical',
    summary: 'A provider refuses requests because of their reasoning.',
    description: ({ label, value }) =>
      `${label(ATTR_GEN_AI_PROVIDER_NAME)} refused ${value('count')} requests of ${label('job')} to ${label(MODEL)} in five minutes: ${label(ATTR_REASONING_REJECTION)}. Users see these as failures.`,
    panel: [continuityOverview.uid, 'Provider rejections per minute, by class'],
  },
  {
    name: 'ReasoningModelFallbackSpike',
    // `unless`, so that it also holds on the first day, when there is no day before.
    expr(source) {
      const now = sum(['job'], source.grown(SWITCHES, '15m', [DOWN]));
      return `${now} > 5\nunless on (job) ${now} <= 3 * ${usualSwitches} / ${QUARTERS_OF_A_DAY}`;
    },
    for: '5m',
    severity: 'warning',
    summary: 'Runs are switched to lesser models or other providers far more often than usual.',
    description: ({ label, value }) =>
      `${label('job')} switched down ${value('count')} times in fifteen minutes, over three times what it did the day before. Reasoning is at risk at each switch.`,
    panel: [modelSwitches.uid, 'Switches per minute, by direction'],
  },
  {
    name: 'ReasoningResentUncached',
    // With a working cache a block is fresh once, so that fresh is at most what was generated, however short the loops.
    expr(source) {
      const fresh = sum(JOB_AND_MODEL, source.grown(RESENT, '30m', [FRESH]));
      return `${fresh} / (${sum(JOB_AND_MODEL, source.grown(GENERATED, '30m'))} > 0) > 1.25\nand ${fresh} > 10000`;
    },
    for: '15m',
    severity: 'warning',
    summary: 'Reasoning is sent again at full price: the prompt cache does not hold.',
    description: ({ label, value }) =>
      `${label('job')} sends reasoning of ${label(MODEL)} again uncached, ${value('percent')} of what was generated; with a working cache it is under 100%. Tokens are estimates.`,
    panel: [loopEconomics.uid, 'Sent fresh per generated token, by model'],
  },
  {
    name: 'ReasoningRepeatedToolCalls',
    expr(source) {
      const all = sum(JOB_AND_MODEL, source.grown(TOOL_CALLS, '30m'));
      return `${sum(JOB_AND_MODEL, source.grown(TOOL_CALLS, '30m', [REPEATED]))} / (${all} > 50) > 0.2`;
    },
    for: '15m',
    severity: 'warning',
    summary: 'Agents repeat tool calls that they have already made.',
    description: ({ label, value }) =>
      `${value('percent')} of the tool calls of ${label(MODEL)} in ${label('job')} repeat an earlier one with equal arguments. Compare with its dropped blocks.`,
    panel: [loopEconomics.uid, 'Repeated tool calls, by tool'],
  },
  {
    name: 'ReasoningTelemetryMissing',
    expr: () =>
      `count by (job) (\n  ${callsByProcess(increase15m)} > 10\n  unless on (job, instance) last_over_time(${select({ metric: METRIC_REASONING_CALLS })}[15m])\n) > 0`,
    for: '15m',
    severity: 'warning',
    summary: 'Processes call models, and nobody looks after their reasoning.',
    description: ({ label, value }) =>
      `${value('count')} processes of ${label('job')} report model calls and no reasoning telemetry. Look at import order, bundling and SDK versions.`,
    panel: [continuityOverview.uid, 'Telemetry coverage'],
  },
  {
    name: 'ReasoningMetricsOverflow',
    expr: () => `count by (job) (${OVERFLOW}) > 0`,
    for: '5m',
    severity: 'info',
    summary: 'Reasoning metrics have more attribute sets than the SDK keeps apart.',
    description: ({ label, value }) =>
      `${value('count')} metrics of ${label('job')} hit the limit on attribute sets; what is beyond it is counted together. Totals hold, breakdowns do not.`,
    panel: [continuityOverview.uid, 'What is watched'],
  },
];
