import Table from 'cli-table3';
import { type Layout, layOut } from './layout.ts';
import type { FaultTotal, RunBook, RunTotals } from './run-book.ts';

const sum = (runs: readonly RunTotals[], of: (run: RunTotals) => number): number =>
  runs.reduce((total, run) => total + of(run), 0);

/** Faults of all runs, losses first, the most frequent first. */
const worstFaults = (runs: readonly RunTotals[]): FaultTotal[] => {
  const all = new Map<string, FaultTotal>();
  for (const fault of runs.flatMap((run) => [...run.faults.values()])) {
    const known = all.get(fault.counsel.key);
    if (known) known.steps += fault.steps;
    else all.set(fault.counsel.key, { ...fault });
  }
  return [...all.values()].sort((a, b) => Number(b.loss) - Number(a.loss) || b.steps - a.steps);
};

export const thousands = (count: number): string => count.toLocaleString('en-US');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export interface SummaryOptions extends Layout {
  /** How a run is called in its line. */
  readonly name: (run: RunTotals) => string;
  /** Runs listed one by one; of more only the worst are. */
  readonly maxRuns?: number;
}

/** The lines that close a report: totals, the runs, the worst reasons and what to do first. */
export function summarise(book: RunBook, options: SummaryOptions): string[] {
  const { colors } = options;
  const { runs } = book;
  if (runs.length === 0) {
    return book.otherSpans > 0
      ? [
          `Received ${plural(book.otherSpans, 'span')}, none of a judged model call: is reasoning-otel/register loaded in the program?`,
        ]
      : ['No model call was seen.'];
  }

  const faulty = runs.filter((run) => run.faulty > 0);
  const tools = book.toolCalls();
  const facts: [string, string][] = [
    [
      'runs',
      `${runs.length}, ${faulty.length === 0 ? colors.green('all clean') : colors.red(`${faulty.length} with findings`)}`,
    ],
    ['model calls', String(sum(runs, (run) => run.calls))],
    ['blocks issued', String(sum(runs, (run) => run.issued))],
    [
      'blocks expected',
      `${sum(runs, (run) => run.expected)} over all requests: ${sum(runs, (run) => run.returned)} returned, ` +
        `${sum(runs, (run) => run.dropped)} dropped, ${sum(runs, (run) => run.damaged)} damaged`,
    ],
    ['tokens re-sent', `${thousands(sum(runs, (run) => run.resent))} of reasoning (estimate)${closedShare(book)}`],
    ['tool calls', tools ? `${tools.calls}, ${tools.repeated} of them repeated` : 'unknown (no metrics received)'],
  ];
  const lines = [colors.bold('Summary'), ...facts.map(([name, value]) => indented(options, colors.dim(name), value))];

  const maxRuns = options.maxRuns ?? 20;
  const listed = runs.length > maxRuns ? [...runs].sort((a, b) => b.faulty - a.faulty).slice(0, maxRuns) : runs;
  lines.push('', runTable(listed, options));
  if (listed.length < runs.length + book.forgotten) {
    lines.push(colors.dim(`  ${runs.length + book.forgotten - listed.length} more runs are not listed`));
  }

  const faults = worstFaults(runs);
  const losses = faults.filter((fault) => fault.loss);
  if (losses.length > 0) {
    lines.push('', colors.bold('Worst reasons'));
    for (const { counsel, steps } of losses.slice(0, 5)) {
      const key = counsel.key === counsel.title ? '' : colors.dim(` (${counsel.key})`);
      lines.push(indented(options, colors.red(plural(steps, 'request')), `${counsel.title}${key}`));
    }
    const [first] = losses;
    if (first?.counsel.mend)
      lines.push(
        '',
        colors.bold('Do first'),
        layOut([{ width: 2 }, { width: options.width - 2 }], ['', first.counsel.mend]),
      );
  } else {
    lines.push('', colors.green('✔ No reasoning was lost.'));
  }
  return lines;
}

const indented = ({ width }: Layout, name: string, value: string, of = 18): string =>
  layOut([{ width: 2 }, { width: of }, { width: width - of - 2 }], ['', name, value]);

const closedShare = (book: RunBook): string => {
  const closed = book.resentClosed();
  return closed ? `, ${thousands(closed)} of them of finished turns` : '';
};

const runTable = (runs: readonly RunTotals[], { colors, name }: SummaryOptions): string => {
  const table = new Table({
    head: ['run', 'calls', 'expected', 'returned', 'dropped', 'damaged', 'reason'].map((word) => colors.dim(word)),
    style: { head: [], border: [], 'padding-left': 1, 'padding-right': 1, compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const run of runs) {
    const [worst] = [...run.faults.values()].sort((a, b) => Number(b.loss) - Number(a.loss) || b.steps - a.steps);
    const bad = (value: number): string => (value > 0 ? colors.red(String(value)) : colors.dim('0'));
    table.push([
      name(run),
      run.calls,
      run.expected,
      run.returned,
      bad(run.dropped),
      bad(run.damaged),
      worst ? (worst.loss ? colors.red : colors.yellow)(worst.counsel.title) : colors.green('✔'),
    ]);
  }
  // The lines step back behind what they frame.
  return table.toString().replaceAll(/[─│┌┐└┘├┤┬┴┼]+/g, colors.dim);
};
