/** What a reader of a board can pick. Forms and names are those that Grafana's dashboard linter asks for. */
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_REQUEST_MODEL, METRIC_REASONING_CALLS } from '../../src/semconv.ts';
import { labelName, prometheusName } from './prometheus-name.ts';
import type { Settings } from './settings.ts';

/** The data source that is picked at the top of the board. */
export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' } as const;

const CALLS = prometheusName(METRIC_REASONING_CALLS);

const labelValues = (name: string, label: string, of: string, selector = ''): QueryVariableBuilder =>
  new QueryVariableBuilder(name)
    .label(label)
    .datasource(DATASOURCE)
    .query(`label_values(${CALLS}${selector}, ${of})`)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);

const ALL = { selected: true, text: 'All', value: '$__all' };

const several = (variable: QueryVariableBuilder, allValue: string): QueryVariableBuilder =>
  variable.multi(true).includeAll(true).allValue(allValue).current(ALL);

/** A picker for one attribute, of the jobs that are picked. "All" takes in series without it. */
const attribute = (name: string, label: string, of: string): QueryVariableBuilder =>
  several(labelValues(name, label, labelName(of), '{job=~"$job", instance=~"$instance"}'), '.*');

const dataSource = new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus');
const job = several(labelValues('job', 'Job', 'job'), '.+');
const instance = several(labelValues('instance', 'Instance', 'instance', '{job=~"$job"}'), '.+');

export interface Choices {
  /** Pickers for provider and model. */
  readonly models: boolean;
}

export function variables({ jaegerUrl }: Settings, { models }: Choices): Builder<VariableModel>[] {
  return [
    dataSource,
    job,
    instance,
    ...(models
      ? [
          attribute('provider', 'Provider', ATTR_GEN_AI_PROVIDER_NAME),
          attribute('model', 'Model', ATTR_GEN_AI_REQUEST_MODEL),
        ]
      : []),
    // `job` is namespace/name where a service has a namespace; Jaeger and Tempo know the name alone.
    labelValues('jaegerService', 'Service in traces', 'job', '{job=~"$job"}').regex('/^(?:.*\\/)?([^\\/]+)$/'),
    new TextBoxVariableBuilder('jaegerUrl').label('Jaeger').defaultValue(jaegerUrl),
  ];
}
