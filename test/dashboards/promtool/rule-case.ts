/** Tests of rules for `promtool test rules`, written from the same names and texts as the rules themselves. */
import { stringify } from 'yaml';
import { labelName, type Part, prometheusName } from '../../../dashboards/generator/prometheus-name.ts';
import type { Form, Say } from '../../../dashboards/generator/rules/alert.ts';
import { ALERTS } from '../../../dashboards/generator/rules/alerts.ts';
import { alertLabels, annotations } from '../../../dashboards/generator/rules/render.ts';
import { DEFAULTS } from '../../../dashboards/generator/settings.ts';

/** Attributes, and `job` or `instance`. */
export type Labels = Readonly<Record<string, string>>;

export interface Input {
  readonly metric: string;
  readonly part?: Part;
  readonly labels: Labels;
  /** A sample a minute, in promtool's notation: `0+2x60` is 0, 2, 4 and so on for an hour. */
  readonly values: string;
}

/** An alert that is expected: its labels without the severity, and its value. */
export interface Firing {
  readonly labels: Labels;
  readonly value: number;
}

export interface Check {
  /** Minutes from the start. */
  readonly at: number;
  readonly alert: string;
  /** All that fire at that time. */
  readonly firing: readonly Firing[];
}

export interface RuleCase {
  readonly name: string;
  readonly input: readonly Input[];
  readonly checks: readonly Check[];
  /** How often rules are evaluated; every minute unless it says so. */
  readonly every?: string;
  /** Expressions that must have no value, with the minute. */
  readonly empty?: ReadonlyArray<readonly [at: number, expr: string]>;
}

const seriesOf = ({ metric, part, labels }: Input): string => {
  const written = Object.entries(labels).map(([name, value]) => `${labelName(name)}="${value}"`);
  return `${prometheusName(metric, part)}{${written.join(',')}}`;
};

/** As Prometheus writes it: humanizePercentage keeps four digits. */
const FORMS: Readonly<Record<Form, (value: number) => string>> = {
  percent: (value) => `${Number((value * 100).toPrecision(4))}%`,
  count: (value) => value.toFixed(0),
};

function expected(name: string, { labels, value }: Firing): object {
  const alert = ALERTS.find((each) => each.name === name);
  if (alert === undefined) throw new Error(`there is no alert ${name}`);
  const say: Say = {
    label: (attribute) => labels[attribute] ?? '',
    urlLabel: (attribute) => encodeURIComponent(labels[attribute] ?? ''),
    value: (form) => FORMS[form](value),
  };
  const written = Object.entries(labels).map(([attribute, text]) => [labelName(attribute), text]);
  return {
    exp_labels: { ...Object.fromEntries(written), ...alertLabels(alert, DEFAULTS) },
    exp_annotations: annotations(alert, DEFAULTS, say),
  };
}

/**
 * A file for promtool.
 * @param ruleFiles absolute paths
 */
export const renderCase = (
  { name, input, checks, every = '1m', empty = [] }: RuleCase,
  ruleFiles: readonly string[],
): string =>
  stringify(
    {
      rule_files: ruleFiles,
      evaluation_interval: every,
      // Else promtool evaluates groups in any order, and alerts may read what was recorded a step before.
      group_eval_order: ['reasoning.rules', 'reasoning.alerts'],
      tests: [
        {
          name,
          interval: '1m',
          input_series: input.map((each) => ({ series: seriesOf(each), values: each.values })),
          alert_rule_test: checks.map(({ at, alert, firing }) => ({
            eval_time: `${at}m`,
            alertname: alert,
            exp_alerts: firing.map((each) => expected(alert, each)),
          })),
          promql_expr_test: empty.map(([at, expr]) => ({ expr, eval_time: `${at}m`, exp_samples: [] })),
        },
      ],
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
