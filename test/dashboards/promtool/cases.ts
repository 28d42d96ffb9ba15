/** What makes each alert fire, and what looks like it and must not. */
import { prometheusName } from '../../../dashboards/generator/prometheus-name.ts';
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_SWITCH_SURVIVES,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_REASONING_ASSERTIONS,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_EXPECTED,
  METRIC_REASONING_BLOCKS_RELEASED,
  METRIC_REASONING_CALLS,
  METRIC_REASONING_MODEL_SWITCHES,
  METRIC_REASONING_REJECTIONS,
  METRIC_REASONING_TOKENS_RESENT,
  METRIC_REASONING_TOOL_CALLS,
} from '../../../src/semconv.ts';
import type { Input, Labels, RuleCase } from './rule-case.ts';

const AGENT = { job: 'agent', instance: 'a' };
const MODEL = { [ATTR_GEN_AI_PROVIDER_NAME]: 'anthropic', [ATTR_GEN_AI_REQUEST_MODEL]: 'model-1' };

const series = (metric: string, values: string, own: Labels = {}): Input => ({
  metric,
  labels: { ...AGENT, ...MODEL, ...own },
  values,
});

const omitted = { [ATTR_REASONING_DROP_REASON]: 'omitted_in_cycle', [ATTR_REASONING_DROP_SOURCE]: 'client' };
const dropped = (values: string, own: Labels = {}) =>
  series(METRIC_REASONING_BLOCKS_DROPPED, values, { ...omitted, ...own });
const expected = (values: string, own: Labels = {}) => series(METRIC_REASONING_BLOCKS_EXPECTED, values, own);
const released = (reason: string, values: string) =>
  series(METRIC_REASONING_BLOCKS_RELEASED, values, { [ATTR_REASONING_DROP_REASON]: reason });
const assertion = (result: string, values: string, own: Labels = {}) =>
  series(METRIC_REASONING_ASSERTIONS, values, { [ATTR_REASONING_ASSERTION]: result, ...own });
const rejection = (values: string, own: Labels = {}) =>
  series(METRIC_REASONING_REJECTIONS, values, { [ATTR_REASONING_REJECTION]: 'latest_message_edited', ...own });
const switches = (direction: string, values: string, own: Labels = {}) =>
  series(METRIC_REASONING_MODEL_SWITCHES, values, {
    [ATTR_REASONING_SWITCH_DIRECTION]: direction,
    [ATTR_REASONING_SWITCH_SURVIVES]: 'dropped',
    ...own,
  });
const resent = (cache: string, values: string) =>
  series(METRIC_REASONING_TOKENS_RESENT, values, {
    [ATTR_REASONING_CACHE_STATE]: cache,
    [ATTR_REASONING_CYCLE_STATE]: 'open',
  });
const generated = (values: string) => series(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS, values);
const toolCalls = (repeated: boolean, values: string, own: Labels = {}) =>
  series(METRIC_REASONING_TOOL_CALLS, values, {
    [ATTR_GEN_AI_TOOL_NAME]: 'search',
    [ATTR_REASONING_TOOL_CALL_REPEATED]: String(repeated),
    ...own,
  });
const calls = (metric: string, values: string, own: Labels): Input => ({
  ...series(metric, values, { [ATTR_GEN_AI_OPERATION_NAME]: 'chat', ...own }),
  part: 'count',
});

/** What an alert on a model says of it. */
const OF_MODEL = { job: 'agent', [ATTR_GEN_AI_REQUEST_MODEL]: 'model-1' };
const OF_PROVIDER = { job: 'agent', ...MODEL };
const QUIET: Labels = { job: 'quiet', instance: 'q' };

const BLOCKS_DROPPED = 'ReasoningBlocksDropped';
const BURN_FAST = 'ReasoningContinuityBudgetBurnFast';
const BURN_SLOW = 'ReasoningContinuityBudgetBurnSlow';
const ASSERTION_FAILING = 'ReasoningThinkingAssertionFailing';
const REJECTED = 'ReasoningProviderRejectedBlocks';
const FALLBACK_SPIKE = 'ReasoningModelFallbackSpike';
const UNCACHED = 'ReasoningResentUncached';
const REPEATED = 'ReasoningRepeatedToolCalls';
const MISSING = 'ReasoningTelemetryMissing';
const OVERFLOW = 'ReasoningMetricsOverflow';

/** Each alert once where it fires; beside it, under another job, what must not fire. */
const FIRING: readonly RuleCase[] = [
  {
    name: 'blocks are dropped in a service that has run for an hour',
    input: [dropped('0x60 3x60'), dropped('0x120', QUIET)],
    checks: [
      { at: 59, alert: BLOCKS_DROPPED, firing: [] },
      { at: 63, alert: BLOCKS_DROPPED, firing: [{ labels: { ...OF_MODEL, ...omitted }, value: 3 }] },
      // It goes on for ten minutes after the last drop has left the window, then it ends.
      { at: 90, alert: BLOCKS_DROPPED, firing: [] },
    ],
  },
  {
    name: 'half of the blocks are lost, then no more',
    input: [
      ...[dropped('0+5x90 450x60'), expected('0+10x150')],
      // As bad a share, of two blocks only.
      ...[dropped('0x86 1x60', QUIET), expected('0x86 2x60', QUIET)],
      // 10 %, which is less than 14.4 times the objective's 1 %.
      ...[dropped('0+1x150', { job: 'steady', instance: 's' }), expected('0+10x150', { job: 'steady', instance: 's' })],
    ],
    checks: [
      { at: 89, alert: BURN_FAST, firing: [{ labels: OF_PROVIDER, value: 0.5 }] },
      // The hour is still bad, the last five minutes are not.
      { at: 110, alert: BURN_FAST, firing: [] },
    ],
  },
  {
    name: 'a steady leak of eight percent, and one of five',
    every: '5m',
    input: [
      ...[dropped('0+8x430'), expected('0+100x430')],
      ...[dropped('0+5x430', QUIET), expected('0+100x430', QUIET)],
    ],
    checks: [
      { at: 420, alert: BURN_SLOW, firing: [{ labels: OF_PROVIDER, value: 0.08 }] },
      { at: 420, alert: BURN_FAST, firing: [] },
    ],
  },
  {
    name: 'one answer in ten lacks its reasoning',
    input: [
      ...[assertion('pass', '0+9x60'), assertion('fail', '0+1x60'), assertion('skip', '0+50x60')],
      // Few answers prove nothing.
      ...[assertion('pass', '0x30 4x30', QUIET), assertion('fail', '0x30 4x30', QUIET)],
    ],
    checks: [{ at: 40, alert: ASSERTION_FAILING, firing: [{ labels: OF_MODEL, value: 0.1 }] }],
  },
  {
    name: 'a provider refuses two requests',
    input: [rejection('0x60 2x60'), rejection('0x120', QUIET)],
    checks: [
      { at: 59, alert: REJECTED, firing: [] },
      {
        at: 63,
        alert: REJECTED,
        firing: [{ labels: { ...OF_PROVIDER, [ATTR_REASONING_REJECTION]: 'latest_message_edited' }, value: 2 }],
      },
      { at: 90, alert: REJECTED, firing: [] },
    ],
  },
  {
    name: 'a router falls back on its first day',
    input: [
      switches('downgrade', '_x60 0+2x60'),
      // Up, or sideways, is no fallback.
      ...[switches('upgrade', '0x60 0+9x60', QUIET), switches('lateral', '0x60 0+9x60', QUIET)],
    ],
    checks: [
      { at: 60, alert: FALLBACK_SPIKE, firing: [] },
      { at: 70, alert: FALLBACK_SPIKE, firing: [{ labels: { job: 'agent' }, value: 20 }] },
    ],
  },
  {
    name: 'a service that always changes providers, and one that begins to',
    every: '10m',
    input: [switches('cross_provider', '0+1x1500', QUIET), switches('cross_provider', '0x1440 0+4x60')],
    checks: [{ at: 1470, alert: FALLBACK_SPIKE, firing: [{ labels: { job: 'agent' }, value: 60 }] }],
  },
  {
    name: 'reasoning is sent again uncached',
    input: [resent('fresh', '0+1000x90'), resent('cached', '0x90'), generated('0+400x90')],
    checks: [
      { at: 5, alert: UNCACHED, firing: [] },
      { at: 70, alert: UNCACHED, firing: [{ labels: OF_MODEL, value: 2.5 }] },
    ],
  },
  {
    name: 'every fourth tool call repeats an earlier one',
    input: [
      ...[toolCalls(true, '0+1x90'), toolCalls(false, '0+3x90')],
      ...[toolCalls(true, '0+1x90', QUIET), toolCalls(false, '0+9x90', QUIET)],
    ],
    checks: [{ at: 70, alert: REPEATED, firing: [{ labels: OF_MODEL, value: 0.25 }] }],
  },
  {
    name: 'one process of two is not watched',
    input: [
      calls(METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, '0+2x60', { instance: 'a' }),
      calls(METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, '0+2x60', { instance: 'b' }),
      series(METRIC_REASONING_CALLS, '0+2x60', { instance: 'b', [ATTR_REASONING_CONTINUITY]: 'intact' }),
      // By older conventions, and not watched either.
      calls(METRIC_GEN_AI_CLIENT_OPERATION_DURATION, '0+2x60', { job: 'older', instance: 'o' }),
      // Embeddings have no reasoning.
      calls(METRIC_GEN_AI_CLIENT_OPERATION_DURATION, '0+2x60', {
        ...QUIET,
        [ATTR_GEN_AI_OPERATION_NAME]: 'embeddings',
      }),
    ],
    checks: [
      {
        at: 50,
        alert: MISSING,
        firing: [
          { labels: { job: 'agent' }, value: 1 },
          { labels: { job: 'older' }, value: 1 },
        ],
      },
    ],
  },
  {
    name: 'a metric has too many attribute sets',
    input: [
      { metric: METRIC_REASONING_CALLS, labels: { ...AGENT, 'otel.metric.overflow': 'true' }, values: '1x60' },
      series(METRIC_REASONING_CALLS, '1x60', QUIET),
    ],
    checks: [{ at: 30, alert: OVERFLOW, firing: [{ labels: { job: 'agent' }, value: 1 }] }],
  },
];

/** All alerts are silent at these times. */
const silent = (...at: readonly number[]) =>
  [
    BLOCKS_DROPPED,
    BURN_FAST,
    BURN_SLOW,
    ASSERTION_FAILING,
    REJECTED,
    FALLBACK_SPIKE,
    UNCACHED,
    REPEATED,
    MISSING,
    OVERFLOW,
  ].flatMap((alert) => at.map((minute) => ({ at: minute, alert, firing: [] })));

const SILENT: readonly RuleCase[] = [
  {
    name: 'a perfect day',
    input: [
      ...[expected('0+10x120'), dropped('0x120')],
      ...[
        assertion('pass', '0+10x120'),
        assertion('fail', '0x120'),
        rejection('0x120'),
        switches('downgrade', '0x120'),
      ],
      // A cache that works: each block is fresh once, and read from the cache four times.
      ...[resent('fresh', '0+4000x120'), resent('cached', '0+16000x120'), generated('0+4000x120')],
      ...[toolCalls(true, '0+1x120'), toolCalls(false, '0+9x120')],
      calls(METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, '0+10x120', {}),
      series(METRIC_REASONING_CALLS, '0+10x120', { [ATTR_REASONING_CONTINUITY]: 'intact' }),
    ],
    checks: silent(30, 60, 110),
  },
  {
    name: 'a quiet night: too little of anything',
    input: [
      ...[assertion('fail', '0x30 10x60'), assertion('pass', '0x90')],
      ...[switches('downgrade', '0x30 5x60'), resent('fresh', '0x30 9000x60'), generated('0x30 1000x60')],
      ...[toolCalls(true, '0x30 40x60'), calls(METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, '0x30 9x60', {})],
    ],
    checks: silent(35, 50, 80),
  },
  {
    name: 'losses by plan',
    input: ['compaction', 'model_switch', 'turn_boundary', 'omitted_after_cycle'].map((reason) =>
      released(reason, '0+50x120'),
    ),
    checks: silent(10, 60, 110),
  },
  {
    name: 'telemetry is missing for ten minutes in a service that lost blocks long ago',
    input: [dropped('500x120 _x10 500x60'), rejection('20x120 _x10 20x60')],
    checks: silent(119, 131, 135, 150),
  },
];

/** A process that lives for one export: absent, one sample, gone. */
const BIRTHS: readonly RuleCase[] = [
  {
    name: 'a process that lives for a second alerts, and the alert ends',
    input: [dropped('_x100 3 stale'), rejection('_x100 1 stale')],
    // What everybody would write sees nothing.
    empty: [[102, `sum(increase(${prometheusName(METRIC_REASONING_BLOCKS_DROPPED)}[5m]))`]],
    checks: [
      { at: 102, alert: BLOCKS_DROPPED, firing: [{ labels: { ...OF_MODEL, ...omitted }, value: 3 }] },
      {
        at: 102,
        alert: REJECTED,
        firing: [{ labels: { ...OF_PROVIDER, [ATTR_REASONING_REJECTION]: 'latest_message_edited' }, value: 1 }],
      },
      ...silent(130),
    ],
  },
  {
    name: 'sixty processes that live for a second each burn the budget',
    input: Array.from({ length: 60 }, (_, index) => [
      dropped(`_x${index + 30} 1 stale`, { instance: `i${index}` }),
      expected(`_x${index + 30} 2 stale`, { instance: `i${index}` }),
    ]).flat(),
    checks: [{ at: 80, alert: BURN_FAST, firing: [{ labels: OF_PROVIDER, value: 0.5 }] }],
  },
];

/** The same loss, on purpose: the stripped arm of an experiment, and that of one with two stripped arms. */
const STRIPPED: readonly RuleCase[] = ['stripped', 'stripped_2'].map((arm) => ({
  name: `all of it in the arm ${arm}`,
  input: FIRING.filter(({ checks }) => checks.every(({ alert, at }) => alert !== OVERFLOW && at < 200))
    .flatMap(({ input }) => input)
    .filter((each) => each.metric !== METRIC_REASONING_CALLS)
    .map((each, index) => ({
      ...each,
      labels: { ...each.labels, instance: `i${index}`, [ATTR_REASONING_EXPERIMENT_ARM]: arm },
    })),
  checks: silent(5, 40, 63, 70, 80, 89),
}));

export const CASES: readonly RuleCase[] = [...FIRING, ...SILENT, ...BIRTHS, ...STRIPPED];
