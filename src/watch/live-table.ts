import { faultsOf, type StepFault } from './faults.ts';
import { type Column, type Layout, layOut } from './layout.ts';
import type { NumberedStep } from './run-book.ts';

export interface LiveTable {
  /** The lines that show these steps, to be printed once, in the order of the steps. */
  rows(steps: readonly NumberedStep[]): string[];
}

export interface LiveTableOptions extends Layout {
  /** What stands above the rows of a run, if anything. `again`: other runs were shown in between. */
  readonly heading?: (step: NumberedStep, again: boolean) => string;
}

const FIXED: readonly Column[] = [
  { width: 6, align: 'right' },
  { width: 2 },
  { width: 17 },
  { width: 10, align: 'right' },
  { width: 10, align: 'right' },
  { width: 9, align: 'right' },
  { width: 9, align: 'right' },
  { width: 9, align: 'right' },
  { width: 2 },
];
const HEAD = ['step', '', 'model', 'expected', 'returned', 'dropped', 'damaged', 're-sent', '', ''];
const INDENT = 8;
const LABEL = 6;

const CONTINUITY_WORDS: Readonly<Record<string, string>> = {
  intact: 'intact',
  partial: 'partial loss',
  stripped: 'all lost',
};

/** What the columns mean, for the top of a report. */
export function legend({ colors, width }: Layout): string[] {
  const lines = [
    ['expected', 'reasoning blocks that this request should carry'],
    ['returned', 'those that it does carry, as they were issued'],
    ['dropped', 'left out by the agent, or kept from the model by the provider'],
    ['damaged', 'sent, but changed or not readable there'],
    ['re-sent', 'reasoning tokens sent again, an estimate'],
  ];
  return lines.map(([word = '', meaning = '']) =>
    layOut([{ width: 2 }, { width: 10 }, { width: width - 12 }], ['', colors.bold(word), colors.dim(meaning)]),
  );
}

/** A line below a row, or below a run: a word and what it is about. */
export function note({ colors, width }: Layout, word: string, about: string): string {
  const columns = [{ width: INDENT }, { width: LABEL }, { width: width - INDENT - LABEL }];
  return layOut(columns, ['', colors.dim(word), colors.dim(about)]);
}

/**
 * A table that only ever grows at its end: nothing that has scrolled by is drawn again, so that it stands well beside
 * the output of the program that is watched. Each fault is explained once a run.
 */
export function createLiveTable(options: LiveTableOptions): LiveTable {
  const { colors, width } = options;
  const statusWidth = width - FIXED.reduce((sum, column) => sum + column.width, 0);
  const columns = [...FIXED, { width: statusWidth }];
  /** By run: the step at which each fault was explained. */
  const explained = new Map<string, Map<string, number>>();
  let current: string | undefined;

  const detail = (label: string, text: string): string =>
    layOut([{ width: INDENT, align: 'right' }, { width: LABEL }, { width: width - INDENT - LABEL }], ['', label, text]);

  const count = (value: number, bad: boolean): string => {
    if (value === 0) return colors.dim('0');
    return bad ? colors.red(colors.bold(String(value))) : String(value);
  };

  const status = (step: NumberedStep, losses: readonly StepFault[], before: number | undefined): string => {
    if (step.rejection) return colors.red('✖ refused');
    if (before !== undefined) return colors.red(`✖ as step ${before}`);
    const words = CONTINUITY_WORDS[step.continuity] ?? step.continuity;
    if (losses.length > 0) {
      const lost = step.continuity === 'partial' || step.continuity === 'stripped';
      const title = losses[0]?.counsel.title ?? '';
      return colors.red(`✖ ${lost ? words : title.length <= statusWidth - 2 ? title : 'fault'}`);
    }
    if (step.error) return colors.yellow('! failed');
    if (step.findings.length > 0) return colors.yellow('• noted');
    if (step.continuity === 'not_applicable') return colors.dim(`· ${step.issued > 0 ? 'thought' : 'no reasoning'}`);
    return step.continuity === 'intact' ? colors.green(`✔ ${words}`) : colors.red(`✖ ${words}`);
  };

  const details = (step: NumberedStep, faults: readonly StepFault[], known: Map<string, number>): string[] => {
    const lines: string[] = [];
    if (step.modelSwitch && step.modelSwitch.from !== step.modelSwitch.to) {
      const { from, to, direction } = step.modelSwitch;
      lines.push(detail(colors.dim('model'), `switched from ${from} to ${to} (${direction})`));
    }
    // Said once, with the finding that explains it.
    let refused = step.rejection !== undefined && step.findings.some(({ loss }) => loss);
    for (const { counsel, loss } of faults) {
      if (known.has(counsel.key)) continue;
      known.set(counsel.key, step.number);
      const what = loss && refused ? `${counsel.what} The provider refused the request.` : counsel.what;
      if (loss) refused = false;
      lines.push(detail(loss ? colors.red('why') : colors.yellow('note'), what));
      if (counsel.mend) lines.push(detail(colors.cyan('do'), counsel.mend));
    }
    if (step.error && !step.rejection) lines.push(detail(colors.yellow('error'), step.error));
    return lines;
  };

  const row = (step: NumberedStep): string[] => {
    const known = explained.get(step.runId) ?? new Map<string, number>();
    explained.set(step.runId, known);
    const faults = faultsOf(step);
    const losses = faults.filter(({ loss }) => loss);
    const before = losses.map(({ counsel }) => known.get(counsel.key));
    const asBefore =
      before.length > 0 && before.every((one) => one !== undefined) ? Math.min(...(before as number[])) : undefined;
    const whole = step.expected > 0 && step.returned === step.expected;
    return [
      layOut(columns, [
        String(step.number),
        '',
        step.model,
        count(step.expected, false),
        whole ? colors.green(String(step.returned)) : count(step.returned, false),
        count(step.dropped, true),
        count(step.damaged, true),
        step.resent === undefined ? colors.dim('-') : count(step.resent, false),
        '',
        status(step, losses, asBefore),
      ]),
      ...details(step, faults, known),
    ];
  };

  return {
    rows: (steps) =>
      steps.flatMap((step) => {
        const lines: string[] = [];
        if (step.runId !== current) {
          if (options.heading) lines.push(options.heading(step, explained.has(step.runId)));
          lines.push(colors.dim(layOut(columns, HEAD)));
          current = step.runId;
        }
        return [...lines, ...row(step)];
      }),
  };
}
