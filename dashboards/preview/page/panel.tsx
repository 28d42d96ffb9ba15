import {
  applyFieldOverrides,
  applyNullInsertThreshold,
  type DataFrame,
  type FieldConfigSource,
  type GrafanaTheme2,
  getFieldDisplayValues,
  transformDataFrame,
} from '@grafana/data';
import type { VizLegendOptions } from '@grafana/schema';
import {
  BigValue,
  type BigValueColorMode,
  type BigValueGraphMode,
  type BigValueTextMode,
  PanelChrome,
  Table,
  TimeSeries,
} from '@grafana/ui';
import { firstValueFrom } from 'rxjs';
import type { Panel, View } from './board.ts';
import { fieldRegistry } from './field-registry.ts';
import { framesOf, timeRangeOf } from './prometheus.ts';

const replaceVariables = (text: string): string => text;

/** What the panel plug-ins of Grafana add where a board says nothing. */
const DEFAULTS: Readonly<Record<string, FieldConfigSource['defaults']>> = {
  timeseries: {
    color: { mode: 'palette-classic' },
    custom: { drawStyle: 'line', lineWidth: 1, fillOpacity: 0, showPoints: 'auto', axisPlacement: 'auto' },
  },
  stat: { color: { mode: 'thresholds' } },
  table: { color: { mode: 'thresholds' }, custom: { cellOptions: { type: 'auto' }, align: 'auto' } },
};

/** The numbers of a panel, with units, thresholds, names and overrides by Grafana's own rules. */
export async function dataOf(panel: Panel, view: View, theme: GrafanaTheme2): Promise<DataFrame[]> {
  const raw = await framesOf(panel, view);
  const shaped = await firstValueFrom(transformDataFrame(panel.transformations ?? [], raw));
  const { defaults, overrides } = panel.fieldConfig;
  const base = DEFAULTS[panel.type] ?? {};
  return applyFieldOverrides({
    data: shaped,
    fieldConfig: {
      defaults: { ...base, ...defaults, custom: { ...base.custom, ...defaults.custom } },
      overrides,
    },
    fieldConfigRegistry: fieldRegistry,
    replaceVariables,
    theme,
  });
}

interface Props {
  readonly panel: Panel;
  readonly view: View;
  readonly theme: GrafanaTheme2;
  readonly data: DataFrame[];
  readonly width: number;
  readonly height: number;
}

function Stat({ panel, data, theme, width, height }: Props) {
  const { options, fieldConfig } = panel;
  const values = getFieldDisplayValues({
    data: data.length > 0 ? data : undefined,
    fieldConfig,
    reduceOptions: options.reduceOptions as never,
    replaceVariables,
    theme,
    timeZone: 'utc',
  });
  const shown = values.map(({ display }) => display);
  if (data.length === 0) {
    shown.splice(0, shown.length, { text: fieldConfig.defaults.noValue ?? 'No data', numeric: Number.NaN });
  }
  return (
    <div style={{ display: 'flex', width, height }}>
      {shown.map((value, at) => (
        <BigValue
          // biome-ignore lint/suspicious/noArrayIndexKey: drawn once
          key={at}
          value={value}
          width={Math.floor(width / shown.length)}
          height={height}
          colorMode={options.colorMode as BigValueColorMode}
          graphMode={options.graphMode as BigValueGraphMode}
          textMode={options.textMode as BigValueTextMode}
          count={shown.length}
          theme={theme}
        />
      ))}
    </div>
  );
}

function Trend({ panel, view, data, width, height }: Props) {
  if (data.length === 0) return <Nothing {...{ panel, width, height }} />;
  return (
    <TimeSeries
      // Grafana's panel does the same: a line breaks where a step has no value.
      frames={data.map((frame) =>
        applyNullInsertThreshold({
          frame,
          refFieldPseudoMin: view.from * 1000,
          refFieldPseudoMax: view.to * 1000,
        }),
      )}
      legend={{ calcs: [], ...(panel.options.legend as Partial<VizLegendOptions>) } as VizLegendOptions}
      timeRange={timeRangeOf(view)}
      timeZone="utc"
      width={width}
      height={height}
    />
  );
}

function Rows({ panel, data, width, height }: Props) {
  const [frame] = data;
  if (frame === undefined) return <Nothing {...{ panel, width, height }} />;
  const sorted = panel.options.sortBy as { displayName: string; desc?: boolean }[] | undefined;
  return <Table data={frame} width={width} height={height} {...(sorted && { initialSortBy: sorted })} />;
}

function Nothing({ panel, width, height }: Pick<Props, 'panel' | 'width' | 'height'>) {
  return (
    <div style={{ width, height, display: 'grid', placeItems: 'center' }}>
      {panel.fieldConfig.defaults.noValue ?? 'No data'}
    </div>
  );
}

const DRAWN: Readonly<Record<string, (props: Props) => React.ReactNode>> = {
  stat: Stat,
  timeseries: Trend,
  table: Rows,
};

export function DrawnPanel(
  props: Omit<Props, 'width' | 'height'> & { readonly width: number; readonly height: number },
) {
  const { panel, width, height } = props;
  const Drawn = DRAWN[panel.type];
  if (Drawn === undefined) throw new Error(`${panel.title}: panels of type ${panel.type} cannot be drawn here`);
  return (
    <PanelChrome title={panel.title} description={panel.description} width={width} height={height}>
      {(innerWidth, innerHeight) => <Drawn {...props} width={innerWidth} height={innerHeight} />}
    </PanelChrome>
  );
}
