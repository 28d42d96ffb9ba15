import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildBoard } from '../../dashboards/generator/board.ts';
import { BOARDS } from '../../dashboards/generator/boards/index.ts';
import { labelName, prometheusName } from '../../dashboards/generator/prometheus-name.ts';
import { attributesOf, select } from '../../dashboards/generator/promql.ts';
import { RECORDING_RULES } from '../../dashboards/generator/rules/recording.ts';
import { DEFAULTS } from '../../dashboards/generator/settings.ts';
import {
  FOREIGN_METRICS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_INVOKE_AGENT_DURATION,
  METRICS,
} from '../../src/semconv.ts';
import { readDashboards } from './support/board-json.ts';
import { readPromql } from './support/read-promql.ts';

/** Latency and sizes of calls and runs are on everybody's GenAI boards; ours are about reasoning. */
const NOT_SHOWN = [
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_INVOKE_AGENT_DURATION,
];

/** Labels that Prometheus, its translation or an SDK adds. */
const ADDED = ['job', 'instance', 'le', 'service_version', 'otel_metric_overflow', '__name__'];

const seriesOf = (name: string): readonly string[] => [
  ...new Set((['bucket', 'sum', 'count'] as const).map((part) => prometheusName(name, part))),
];
/** Series that exist, with the labels that each can have. */
const SERIES = new Map(
  [...METRICS, ...FOREIGN_METRICS].flatMap(({ name }) =>
    seriesOf(name).map((series) => [series, attributesOf(name).map(labelName)] as const),
  ),
);

interface RuleFile {
  readonly groups: ReadonlyArray<{
    readonly rules: ReadonlyArray<{ readonly record?: string; readonly expr: string }>;
  }>;
}
const rulesOf = (file: string) => (parse(readDashboards(file)) as RuleFile).groups.flatMap(({ rules }) => rules);

const panelQueries = Object.entries(BOARDS).flatMap(([file, board]) =>
  (buildBoard(board, DEFAULTS).panels ?? []).flatMap((panel) =>
    ('targets' in panel ? (panel.targets ?? []) : []).map((target) => ({
      from: `${file}: ${panel.title}`,
      expr: String('expr' in target ? target.expr : ''),
    })),
  ),
);
const recordings = rulesOf('rules/reasoning.rules.yaml').map(({ record = '', expr }) => ({ from: record, expr }));
const alerts = rulesOf('rules/reasoning.alerts.yaml').map(({ expr }) => ({ from: 'an alert', expr }));
const recorded = new Map(
  recordings.map(({ from, expr }) => [from, /^sum by \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? []]),
);

test.each([...panelQueries, ...recordings, ...alerts])('$from: series and labels that exist', ({ expr }) => {
  const { errors, selectors, labels } = readPromql(expr);
  expect(errors).toEqual([]);
  expect(selectors.length).toBeGreaterThan(0);
  const known = new Set(ADDED);
  for (const { metric, matchers } of selectors) {
    const own = metric === undefined ? [] : (SERIES.get(metric) ?? recorded.get(metric));
    expect(own, metric).toBeDefined();
    for (const label of own ?? []) known.add(label);
    for (const { label } of matchers) expect([...ADDED, ...(own ?? [])], metric).toContain(label);
  }
  for (const label of labels) expect([...known]).toContain(label);
});

test('every recorded series is read by another rule', () => {
  const read = new Set(
    [...recordings, ...alerts].flatMap(({ expr }) => readPromql(expr).selectors.map(({ metric }) => metric)),
  );
  expect(RECORDING_RULES.map(({ record }) => record).filter((record) => !read.has(record))).toEqual([]);
});

test('every metric is on a board, or is listed as one that is not', () => {
  const shown = new Set(panelQueries.flatMap(({ expr }) => readPromql(expr).selectors.map(({ metric }) => metric)));
  const missing = METRICS.map(({ name }) => name).filter((name) => !seriesOf(name).some((series) => shown.has(series)));
  expect(missing.sort()).toEqual([...NOT_SHOWN].sort());
});

test('a name that is none does not become PromQL', () => {
  expect(() => prometheusName('reasoning.nothing')).toThrow('reasoning.nothing is no metric of src/semconv.ts');
  const where = [{ attribute: 'reasoning.cache.state', operator: '=', value: 'fresh' }] as const;
  expect(() => select({ metric: 'reasoning.calls', where })).toThrow(
    'reasoning.calls has no attribute reasoning.cache.state',
  );
});
