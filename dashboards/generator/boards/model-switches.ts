import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_SWITCH_SURVIVES,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_RELEASED,
  METRIC_REASONING_CALLS,
  METRIC_REASONING_MODEL_SWITCHES,
} from '../../../src/semconv.ts';
import type { BoardSpec } from '../board.ts';
import { band } from '../layout.ts';
import { ofRow, ofSeries, traces } from '../links.ts';
import { BAD_ABOVE_ZERO, EXTRAPOLATED, stat, table, trend } from '../panel.ts';
import { labelName } from '../prometheus-name.ts';
import { highest, is, oneOf, shareOfAll } from '../promql.ts';
import { counting, ON_CALL } from '../scope.ts';

const { increase, rate } = counting(ON_CALL);
const legend = (attribute: string) => `{{${labelName(attribute)}}}`;
const perMinute = (...counted: Parameters<typeof rate>) => `60 * ${rate(...counted)}`;

const SWITCHES = { metric: METRIC_REASONING_MODEL_SWITCHES };
const MODEL = [ATTR_GEN_AI_REQUEST_MODEL];
/** Sent, and removed by the provider, because another model wrote it. */
const MISMATCH = { metric: METRIC_REASONING_BLOCKS_DROPPED, where: [is(ATTR_REASONING_DROP_REASON, 'model_mismatch')] };
/** Left out before sending, because the new model cannot read it. */
const LEFT_OUT = {
  metric: METRIC_REASONING_BLOCKS_RELEASED,
  where: [oneOf(ATTR_REASONING_DROP_REASON, ['model_switch', 'fallback'])],
};
/** Ways that a router goes when the model asked for does not answer. */
const DOWN = oneOf(ATTR_REASONING_SWITCH_DIRECTION, ['downgrade', 'cross_provider']);

const NO_CALLS = 'no calls seen';

export const modelSwitches: BoardSpec = {
  uid: 'reasoning-switches',
  title: 'Reasoning: model switches',
  description:
    "Changes of model inside a run, and what becomes of the reasoning. An experiment's stripped arm is left out. Pairs of models stand on spans only; here a switch counts on the model switched to.",
  models: true,
  from: 'now-24h',
  bands: (settings) => [
    band(
      4,
      stat({
        title: 'Switches',
        description: `Changes of model from one step of a run to the next. ${EXTRAPOLATED}`,
        unit: 'short',
        decimals: 1,
        noValue: NO_CALLS,
        queries: [{ expr: increase(SWITCHES), legend: 'switches' }],
      }),
      stat({
        title: 'Downgrades and changes of provider',
        description: `Switches to a lesser model or to another provider: what fallback looks like from here. ${EXTRAPOLATED}`,
        unit: 'short',
        decimals: 1,
        noValue: NO_CALLS,
        queries: [{ expr: increase({ ...SWITCHES, where: [DOWN] }), legend: 'down' }],
        links: traces({ [ATTR_REASONING_SWITCH_DIRECTION]: 'downgrade' }, settings),
      }),
      stat({
        title: 'Switches that lost reasoning',
        description: `Switches to a model that cannot read the reasoning so far: it starts to think anew. ${EXTRAPOLATED}`,
        unit: 'short',
        decimals: 1,
        steps: BAD_ABOVE_ZERO,
        noValue: NO_CALLS,
        queries: [
          {
            expr: increase({ ...SWITCHES, where: [is(ATTR_REASONING_SWITCH_SURVIVES, 'dropped')] }),
            legend: 'lost',
          },
        ],
        links: traces({ [ATTR_REASONING_SWITCH_SURVIVES]: 'dropped' }, settings),
      }),
      stat({
        title: 'Blocks removed by the provider',
        description: `Blocks that were sent to a model that cannot read them and were removed there. Leave them out at the switch, or go back to the model that wrote them. ${EXTRAPOLATED}`,
        unit: 'short',
        decimals: 1,
        steps: BAD_ABOVE_ZERO,
        noValue: NO_CALLS,
        queries: [{ expr: increase(MISMATCH), legend: 'removed' }],
        links: traces({ [ATTR_REASONING_DROP_REASON]: 'model_mismatch' }, settings),
      }),
    ),
    band(
      8,
      trend({
        title: 'Switches per minute, by direction',
        description: 'Which way the model was switched. A burst of downgrades is a router that falls back.',
        unit: 'short',
        stacked: true,
        queries: [
          {
            expr: perMinute({ ...SWITCHES, by: [ATTR_REASONING_SWITCH_DIRECTION] }),
            legend: legend(ATTR_REASONING_SWITCH_DIRECTION),
          },
        ],
        links: traces({ [ATTR_REASONING_SWITCH_DIRECTION]: ofSeries(ATTR_REASONING_SWITCH_DIRECTION) }, settings),
      }),
      trend({
        title: 'Switches per minute, by what becomes of reasoning',
        description:
          'kept: the new model reads what the old one thought. dropped: it cannot. unknown: no table says so.',
        unit: 'short',
        stacked: true,
        queries: [
          {
            expr: perMinute({ ...SWITCHES, by: [ATTR_REASONING_SWITCH_SURVIVES] }),
            legend: legend(ATTR_REASONING_SWITCH_SURVIVES),
          },
        ],
        links: traces({ [ATTR_REASONING_SWITCH_SURVIVES]: ofSeries(ATTR_REASONING_SWITCH_SURVIVES) }, settings),
      }),
    ),
    band(
      8,
      trend({
        title: 'Blocks lost at switches per minute',
        description:
          'removed: sent and removed by the provider, a drop. left out: not sent because the new model could not read them, planned.',
        unit: 'short',
        queries: [
          { expr: perMinute(MISMATCH), legend: 'removed by the provider' },
          {
            expr: perMinute({ ...LEFT_OUT, by: [ATTR_REASONING_DROP_REASON] }),
            legend: `left out: ${legend(ATTR_REASONING_DROP_REASON)}`,
          },
        ],
      }),
      trend({
        title: 'Share of calls, by model',
        description: "Which models answer. A fallback shows as one model's share going to another.",
        unit: 'percentunit',
        max: 1,
        stacked: true,
        queries: [
          {
            expr: shareOfAll(
              rate({ metric: METRIC_REASONING_CALLS, by: MODEL }),
              rate({ metric: METRIC_REASONING_CALLS }),
            ),
            legend: legend(ATTR_GEN_AI_REQUEST_MODEL),
          },
        ],
      }),
    ),
    band(
      9,
      table({
        title: 'Switches by model switched to',
        description:
          'Where runs went, which way that is, and whether the reasoning so far can be read there. The row leads to traces of the service that is picked above; their spans name both models.',
        unit: 'short',
        decimals: 1,
        noValue: NO_CALLS,
        expr: highest(
          30,
          increase({
            ...SWITCHES,
            by: [
              'job',
              ATTR_GEN_AI_PROVIDER_NAME,
              ATTR_GEN_AI_REQUEST_MODEL,
              ATTR_REASONING_SWITCH_DIRECTION,
              ATTR_REASONING_SWITCH_SURVIVES,
            ],
          }),
        ),
        columns: [
          [ATTR_GEN_AI_REQUEST_MODEL, 'Switched to'],
          [ATTR_GEN_AI_PROVIDER_NAME, 'Provider', 130],
          [ATTR_REASONING_SWITCH_DIRECTION, 'Direction', 130],
          [ATTR_REASONING_SWITCH_SURVIVES, 'Reasoning', 110],
          ['job', 'Service'],
        ],
        value: 'Switches',
        links: traces(
          {
            [ATTR_REASONING_SWITCH_DIRECTION]: ofRow(ATTR_REASONING_SWITCH_DIRECTION),
            [ATTR_REASONING_SWITCH_SURVIVES]: ofRow(ATTR_REASONING_SWITCH_SURVIVES),
          },
          settings,
        ),
      }),
    ),
  ],
};
