/** The parts of Grafana's classic dashboard JSON that tests look at. */
import { readFileSync } from 'node:fs';

export interface Target {
  readonly refId?: string;
  readonly expr?: string;
  readonly legendFormat?: string;
  readonly datasource?: { readonly uid?: string };
}

export interface BoardPanel {
  readonly id?: number;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly datasource?: { readonly uid?: string };
  readonly gridPos?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: {
    readonly defaults: { readonly unit?: string; readonly links?: readonly Link[] };
    readonly overrides?: ReadonlyArray<{ readonly properties: ReadonlyArray<{ id: string; value?: unknown }> }>;
  };
  readonly targets?: readonly Target[];
  readonly options?: { readonly legend?: { readonly showLegend?: boolean } };
}

export interface Link {
  readonly title: string;
  readonly url: string;
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly query?: unknown;
  readonly multi?: boolean;
  readonly includeAll?: boolean;
  readonly allValue?: string;
  readonly refresh?: number;
  readonly regex?: string;
  readonly datasource?: { readonly uid?: string };
}

export interface BoardJson {
  readonly uid?: string;
  readonly title?: string;
  readonly schemaVersion?: number;
  readonly editable?: boolean;
  readonly panels?: readonly BoardPanel[];
  readonly templating?: { readonly list: readonly Variable[] };
}

/** A file under dashboards/. */
export const readDashboards = (file: string): string =>
  readFileSync(new URL(`../../../dashboards/${file}`, import.meta.url), 'utf8');

export const readBoard = (file: string): BoardJson => JSON.parse(readDashboards(`${file}.json`));

/** Links of a panel, on its values and on its columns. */
export const linksOf = ({ fieldConfig }: BoardPanel): readonly Link[] => [
  ...(fieldConfig?.defaults.links ?? []),
  ...(fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.flatMap(({ id, value }) => (id === 'links' && Array.isArray(value) ? (value as Link[]) : [])),
  ),
];
