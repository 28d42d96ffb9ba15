import { type DataFrame, dateTime, type Field, FieldType, toDataFrame } from '@grafana/data';
import type { Panel, Target, View } from './board.ts';

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}
type Answer = {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly Series[] };
};

/** Every variable is at "All"; the range is that of the picture. */
function interpolate(expr: string, { from, to, step, rateInterval }: View): string {
  const values: Readonly<Record<string, string>> = {
    __range: `${to - from}s`,
    __rate_interval: `${rateInterval}s`,
    __interval: `${step}s`,
  };
  return expr.replace(/\$\{?(\w+)\}?/g, (_, name: string) => values[name] ?? '.+');
}

async function ask({ expr, instant }: Target, view: View): Promise<readonly Series[]> {
  const at = instant ? { time: view.to } : { start: view.from, end: view.to, step: view.step };
  const parameters = Object.entries({ query: interpolate(expr, view), ...at }).map(([name, value]) => [
    name,
    `${value}`,
  ]);
  const response = await fetch(`/api/v1/${instant ? 'query' : 'query_range'}?${new URLSearchParams(parameters)}`);
  const answer: Answer = await response.json();
  if (answer.status !== 'success') throw new Error(`${answer.error}: ${expr}`);
  return answer.data.result;
}

function nameOf(metric: Series['metric'], legend = ''): string {
  if (legend !== '' && legend !== '__auto') {
    return legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => metric[label] ?? '');
  }
  return Object.values(metric).join(' ') || 'Value';
}

/** One row a series, one column a label, as the Prometheus data source answers a table. */
function tableFrame(series: readonly Series[], refId: string): DataFrame {
  const labels = [...new Set(series.flatMap(({ metric }) => Object.keys(metric)))];
  const values = series.map(({ value }): readonly [number, string] => value ?? [0, 'NaN']);
  return toDataFrame({
    refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: values.map(([time]) => time * 1000) },
      ...labels.map((label) => ({
        name: label,
        type: FieldType.string,
        values: series.map(({ metric }) => metric[label] ?? ''),
      })),
      { name: 'Value', type: FieldType.number, values: values.map(([, value]) => Number(value)) },
    ],
  });
}

function seriesFrame(
  { metric, value, values = value ? [value] : [] }: Series,
  { refId, legendFormat }: Target,
  { step }: View,
): DataFrame {
  const displayNameFromDS = nameOf(metric, legendFormat);
  const fields: Partial<Field>[] = [
    {
      name: 'Time',
      type: FieldType.time,
      config: { interval: step * 1000 },
      values: values.map(([time]) => time * 1000),
    },
    {
      name: 'Value',
      type: FieldType.number,
      labels: { ...metric },
      config: { displayNameFromDS },
      values: values.map(([, text]) => Number(text)),
    },
  ];
  return toDataFrame({ refId, name: displayNameFromDS, fields: fields as Field[] });
}

export async function framesOf(panel: Panel, view: View): Promise<DataFrame[]> {
  const answers = await Promise.all(
    panel.targets.map(async (target) => {
      const series = await ask(target, view);
      if (series.length === 0) return [];
      return target.format === 'table'
        ? [tableFrame(series, target.refId)]
        : series.map((one) => seriesFrame(one, target, view));
    }),
  );
  return answers.flat();
}

export const timeRangeOf = ({ from, to }: View) => {
  const range = { from: dateTime(from * 1000), to: dateTime(to * 1000) };
  return { ...range, raw: range };
};
