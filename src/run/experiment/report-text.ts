import type { ExperimentReport } from './report.ts';
import type { Interval } from './statistics/interval.ts';

type Format = (value: number) => string;

const count: Format = (value) => value.toFixed(1);
const percent: Format = (value) => `${Math.round(value * 100)}%`;
const signed =
  (format: Format): Format =>
  (value) =>
    // What rounds to nothing has no sign.
    /[1-9]/.test(format(value)) ? `${value < 0 ? '-' : '+'}${format(Math.abs(value))}` : format(0);

const span = ({ estimate, low, high }: Interval, format: Format): string =>
  `${format(estimate)} (${format(low)} to ${format(high)})`;

const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

/** The report as a table for a terminal, without colours. */
export function experimentText(report: ExperimentReport): string {
  const { title, seed, tasks, arms, difference, confidence, warnings } = report;
  const [first, second] = arms;
  const rows = (
    [
      ['tool calls per task', 'toolCallsPerTask', count],
      ['of these repeated', 'repeatedCallsPerTask', count],
      ['completion rate', 'completionRate', percent],
    ] as const
  ).map(([label, name, format]) => {
    const { p, significant, test } = difference[name];
    return [
      label,
      span(first[name], format),
      span(second[name], format),
      span(difference[name], signed(format)),
      `${pText(p)}${significant ? ' *' : ''}`,
      test,
    ];
  });
  const table = [['', first.name, second.name, 'difference', '', ''], ...rows];
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return [
    ...(title === undefined ? [] : [title, '']),
    `${tasks} tasks, each in both arms; seed ${seed}; in brackets ${percent(confidence)} intervals; * p < 0.05`,
    '',
    ...table.map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map((warning) => `! ${warning}`)]),
  ].join('\n');
}
