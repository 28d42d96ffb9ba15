/** Panels as Grafana's classic dashboard JSON has them. */
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  GraphGradientMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TableSortByFieldStateBuilder,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardLinkBuilder,
  FieldColorBuilder,
  FieldColorModeId,
  type Panel,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as statPanel from '@grafana/grafana-foundation-sdk/stat';
import * as tablePanel from '@grafana/grafana-foundation-sdk/table';
import * as timeseriesPanel from '@grafana/grafana-foundation-sdk/timeseries';
import { colorsOf, GRAY } from './colors.ts';
import type { Placed } from './layout.ts';
import type { FieldLink } from './links.ts';
import type { StatSpec, Step, TableSpec, TrendSpec } from './panel.ts';
import { labelName } from './prometheus-name.ts';
import { DATASOURCE } from './variables.ts';

type AnyBuilder = statPanel.PanelBuilder | tablePanel.PanelBuilder | timeseriesPanel.PanelBuilder;

const fieldLink = ({ title, url }: FieldLink): DashboardLinkBuilder =>
  new DashboardLinkBuilder(title).url(url).targetBlank(true);

const thresholds = (steps: readonly Step[]): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    // The lowest step has no lower bound.
    .steps(steps.map(({ color, from }, index) => ({ color, value: index === 0 ? null : from })));

const target = (expr: string, legend: string, index: number): DataqueryBuilder =>
  new DataqueryBuilder()
    .refId(String.fromCharCode('A'.charCodeAt(0) + index))
    .datasource(DATASOURCE)
    .expr(expr)
    .legendFormat(legend);

/** What all three kinds have. */
function common<B extends AnyBuilder>(builder: B, { id, place, panel }: Placed, targets: Builder<Dataquery>[]): B {
  builder
    .id(id)
    .title(panel.title)
    .description(panel.description)
    .datasource(DATASOURCE)
    .gridPos(place)
    .unit(panel.unit)
    .targets(targets);
  if (panel.kind !== 'table') {
    builder.min(0);
    if (panel.links !== undefined) builder.dataLinks(panel.links.map(fieldLink));
  }
  if (panel.decimals !== undefined) builder.decimals(panel.decimals);
  if (panel.max !== undefined) builder.max(panel.max);
  if (panel.noValue !== undefined) builder.noValue(panel.noValue);
  if (panel.steps !== undefined) builder.thresholds(thresholds(panel.steps));
  return builder;
}

function buildStat(placed: Placed, { queries, steps, named }: StatSpec): Panel {
  const builder = common(
    new statPanel.PanelBuilder(),
    placed,
    queries.map(({ expr, legend }, index) => target(expr, legend, index).instant()),
  );
  return builder
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .colorMode(steps === undefined ? BigValueColorMode.None : BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .textMode(named ? BigValueTextMode.ValueAndName : BigValueTextMode.Value)
    .build();
}

/**
 * What is zero throughout is drawn and not named: counters of all the reasons there are would fill the legend. It lies
 * at zero, not as a line on top of a stack.
 */
const ZERO_THROUGHOUT = {
  matcher: { id: 'byValue', options: { reducer: 'allIsZero' } },
  properties: [
    { id: 'custom.hideFrom', value: { legend: true, tooltip: true, viz: false } },
    { id: 'custom.stacking', value: { mode: StackingMode.None, group: 'A' } },
    { id: 'custom.lineWidth', value: 1 },
    { id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor: GRAY } },
  ],
};

/** Width of the line, opacity below it, points. Areas have no edge: one that is zero for a while must not hide the next. */
const LINE = [1, 10, VisibilityMode.Auto] as const;
const AREA = [0, 60, VisibilityMode.Never] as const;

/** Where an axis ends at least; where all is zero, Grafana's would end at 100. Of shares, ten percent. */
const SMALL = 0.1;

function buildTrend(placed: Placed, { queries, stacked }: TrendSpec): Panel {
  const builder = common(
    new timeseriesPanel.PanelBuilder(),
    placed,
    queries.map(({ expr, legend }, index) => target(expr, legend, index).range()),
  );
  if (stacked) builder.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  for (const [name, fixedColor] of queries.flatMap(({ legend }) => colorsOf(legend))) {
    builder.overrideByName(name, [{ id: 'color', value: { mode: FieldColorModeId.Fixed, fixedColor } }]);
  }
  const [lineWidth, fillOpacity, points] = stacked ? AREA : LINE;
  return builder
    .withOverride(ZERO_THROUGHOUT)
    .axisSoftMax(SMALL)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic))
    .lineWidth(lineWidth)
    .fillOpacity(fillOpacity)
    .gradientMode(GraphGradientMode.None)
    .showPoints(points)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
    .build();
}

/** Of the column with the number, in pixels: what is left is for names. */
const NUMBER_WIDTH = 95;

function buildTable(placed: Placed, { expr, columns, value, unit, links }: TableSpec): Panel {
  const names = columns.map(([attribute, heading]) => [labelName(attribute), heading] as const);
  const widths = [...columns.map(([, heading, width]) => [heading, width] as const), [value, NUMBER_WIDTH] as const];
  const shown = value === undefined ? names : [...names, ['Value', value] as const];
  const builder = common(new tablePanel.PanelBuilder(), placed, [
    target(expr, '__auto', 0).format(PromQueryFormat.Table).instant(),
  ]).withTransformation({
    id: 'organize',
    options: {
      excludeByName: { Time: true, ...(value === undefined && { Value: true }) },
      indexByName: Object.fromEntries(shown.map(([name], index) => [name, index])),
      renameByName: Object.fromEntries(shown),
    },
  });
  if (value !== undefined) builder.sortBy([new TableSortByFieldStateBuilder().displayName(value).desc(true)]);
  // Labels are text, whatever the unit of the number.
  builder.overrideByFieldType('string', [{ id: 'unit', value: 'none' }]);
  for (const [heading, width] of widths) {
    if (heading !== undefined && width !== undefined) {
      builder.overrideByName(heading, [{ id: 'custom.width', value: width }]);
    }
  }
  const [first] = names;
  if (links !== undefined && first !== undefined) {
    builder.overrideByName(first[1], [{ id: 'links', value: links.map((link) => ({ ...link })) }]);
  }
  return builder.unit(unit).build();
}

export function buildPanel(placed: Placed): Panel {
  const { panel } = placed;
  switch (panel.kind) {
    case 'stat':
      return buildStat(placed, panel);
    case 'timeseries':
      return buildTrend(placed, panel);
    case 'table':
      return buildTable(placed, panel);
  }
}
