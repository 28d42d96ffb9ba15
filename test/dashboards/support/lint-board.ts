/**
 * The rules of grafana/dashboard-linter (its docs/index.md) that concern boards on Prometheus, and what a board needs
 * besides to look right. That linter is a Go program; these rules are enough of it to run with every test.
 */
import type { BoardJson, BoardPanel, Variable } from './board-json.ts';
import { readPromql, type Selector } from './read-promql.ts';

/** Gives what is wrong, each in a line. */
type Rule = (board: BoardJson) => readonly string[];

const DATASOURCES = ['$datasource', '${datasource}'];
const UNITS = ['none', 'short', 'percentunit', 'currencyUSD', 's', 'ms', 'ops', 'reqps'];
const COLUMNS = 24;

const panelsOf = ({ panels = [] }: BoardJson): readonly BoardPanel[] => panels;
const variablesOf = ({ templating }: BoardJson): readonly Variable[] => templating?.list ?? [];

const eachPanel =
  (check: (panel: BoardPanel) => readonly (string | false | undefined)[]): Rule =>
  (board) =>
    panelsOf(board).flatMap((panel) =>
      check(panel).flatMap((problem) => (problem ? [`${panel.title ?? `panel ${panel.id}`}: ${problem}`] : [])),
    );

const eachSelector = (check: (selector: Selector) => string | false | undefined): Rule =>
  eachPanel(({ targets = [] }) => targets.flatMap(({ expr = '' }) => readPromql(expr).selectors.map(check)));

const wants = (label: string): Rule =>
  eachSelector(
    ({ metric, matchers }) =>
      !matchers.some((each) => each.label === label && each.operator === '=~' && each.value === `$${label}`) &&
      `${metric} is not limited to ${label}=~"$${label}"`,
  );

function picker(name: string, label: string): Rule {
  return (board) => {
    const found = variablesOf(board).find((each) => each.name === name);
    if (found === undefined) return [`there is no variable ${name}`];
    const right =
      found.type === 'query' &&
      found.label === label &&
      found.multi === true &&
      found.includeAll === true &&
      found.allValue === '.+' &&
      DATASOURCES.includes(found.datasource?.uid ?? '');
    return right ? [] : [`the variable ${name} is not a multiple one with label ${label} and all value .+`];
  };
}

export const RULES: Readonly<Record<string, Rule>> = {
  'template-datasource-rule': (board) => {
    const [first, ...more] = variablesOf(board).filter(({ type }) => type === 'datasource');
    return first?.name === 'datasource' && first.label === 'Data source' && more.length === 0
      ? []
      : ['there is no single variable datasource with label Data source'];
  },
  'template-job-rule': picker('job', 'Job'),
  'template-instance-rule': picker('instance', 'Instance'),
  'template-label-promql-rule': (board) =>
    variablesOf(board).flatMap(({ name, type, query }) => {
      if (type !== 'query') return [];
      if (typeof query !== 'string') return [`the query of ${name} is not text`];
      const [, selector] = /^label_values\((.+), \w+\)$/.exec(query) ?? [];
      return selector !== undefined && readPromql(selector).errors.length === 0 ? [] : [`${name}: ${query}`];
    }),
  'template-on-time-change-reload-rule': (board) =>
    variablesOf(board)
      .filter(({ type, refresh }) => type === 'query' && refresh !== 2)
      .map(({ name }) => `${name} does not follow the time`),
  'panel-datasource-rule': eachPanel(({ datasource, targets = [] }) =>
    [datasource, ...targets.map((target) => target.datasource)].map(
      (each) => !DATASOURCES.includes(each?.uid ?? '') && 'not on the data source that is picked',
    ),
  ),
  'panel-title-description-rule': eachPanel(({ title, description }) => [
    !title?.trim() && 'no title',
    !description?.trim() && 'no description',
  ]),
  'panel-units-rule': eachPanel(({ fieldConfig }) => [
    !UNITS.includes(fieldConfig?.defaults.unit ?? '') && `unit ${fieldConfig?.defaults.unit}`,
  ]),
  'panel-no-targets-rule': eachPanel(({ targets = [] }) => [targets.length === 0 && 'asks nothing']),
  'target-promql-rule': eachPanel(({ targets = [] }) =>
    targets.flatMap(({ expr = '' }) =>
      expr === '' ? ['an empty query'] : readPromql(expr).errors.map((at) => `not PromQL at: ${at}`),
    ),
  ),
  'target-rate-interval-rule': eachPanel(({ targets = [] }) =>
    targets.map(({ expr = '' }) => {
      const fixed = /\bi?rate\([^[]*\[(?!\$__rate_interval\])/.exec(expr);
      return fixed !== null && 'a rate over a fixed time';
    }),
  ),
  'target-job-rule': wants('job'),
  'target-instance-rule': wants('instance'),
  'target-counter-agg-rule': eachSelector(
    ({ metric, call }) =>
      metric?.endsWith('_total') === true &&
      !['rate', 'irate', 'increase'].includes(call ?? '') &&
      `${metric} is in no rate, irate or increase`,
  ),
  'uneditable-dashboard': ({ editable }) => (editable === false ? [] : ['can be edited in place']),

  // Beyond the linter: the SDK leaves these to its user.
  'classic-model': ({ schemaVersion, panels, uid }) =>
    schemaVersion !== undefined && panels !== undefined && uid ? [] : ['not the classic model with an uid'],
  'stable-ids': (board) => {
    const ids = panelsOf(board).map(({ id }) => id);
    return new Set(ids).size === ids.length && !ids.includes(undefined) ? [] : ['panel ids are missing or repeated'];
  },
  'ref-ids': eachPanel(({ targets = [] }) => [
    new Set(targets.map(({ refId }) => refId)).size !== targets.length && 'refIds are repeated',
    targets.some(({ refId }) => !refId) && 'a query has no refId',
  ]),
  legends: eachPanel(({ type, targets = [], options }) => [
    type === 'timeseries' && options?.legend?.showLegend !== true && 'no legend',
    targets.some(({ legendFormat }) => !legendFormat) && 'a query has no legend',
  ]),
  // At 1280 pixels a column is 52 wide, and a character of a title 8.
  'title-fits': eachPanel(({ title = '', gridPos }) => [
    title.length > 6 * (gridPos?.w ?? 0) && 'the title is cut off on a small screen',
  ]),
  'within-the-grid': eachPanel(({ gridPos: at }) => [
    (at === undefined || at.x < 0 || at.w < 1 || at.h < 1 || at.x + at.w > COLUMNS) && 'not within 24 columns',
  ]),
  'no-overlap': (board) => {
    const places = panelsOf(board).flatMap(({ title, gridPos }) => (gridPos ? [{ title, ...gridPos }] : []));
    return places.flatMap((a, index) =>
      places
        .slice(index + 1)
        .filter((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
        .map((b) => `${a.title} lies over ${b.title}`),
    );
  },
};

/** What is wrong with a board, each with the rule's name in front. */
export const lintBoard = (board: BoardJson): readonly string[] =>
  Object.entries(RULES).flatMap(([name, rule]) => rule(board).map((problem) => `${name}: ${problem}`));
