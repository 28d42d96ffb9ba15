/**
 * `npm run bench [-- API … | all]`: what judging a step costs, beside JSON.stringify of the same body, which every SDK pays
 * anyway; of the Messages API where none is named. Each takes about a minute.
 * Times are processor time of the process per step: for each step the median of several runs, then the mean of the run.
 */
import Table from 'cli-table3';
import { API_RUNS, type ApiRun } from './api-runs.ts';
import { cost, type Figures, REPEATS } from './cost-of-judging.ts';
import { type CallFigures, endToEnd } from './end-to-end.ts';

const micro = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} µs`;
const ratio = (value: number): string => `${value.toFixed(3)}x`;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const drawn = new Table({ head: [...heads], style: { head: [], border: [] } });
  drawn.push(...rows.map((row) => [...row]));
  return drawn.toString();
}

const row = (figures: Figures): string[] => [
  figures.api,
  String(figures.steps),
  figures.habit,
  `${(figures.bytes / 1e6).toFixed(2)} MB`,
  micro(figures.stringify),
  micro(figures.span),
  micro(figures.judging),
  ratio(figures.ratio),
  ratio(figures.lateRatio),
];

type Name = keyof typeof API_RUNS;
const NAMES = Object.keys(API_RUNS) as Name[];
const asked = process.argv.slice(2);
const unknown = asked.find((name) => name !== 'all' && !NAMES.some((known) => known === name));
if (unknown !== undefined) {
  console.error(`no API ${unknown}; there are ${NAMES.join(', ')} and all`);
  process.exit(2);
}
const named = NAMES.filter((name) => asked.includes(name) || asked.includes('all'));
const names: readonly Name[] = named.length === 0 ? ['messages'] : named;
/** Short runs tell little of the others that those of this one do not. */
const stepsOf = (name: Name): readonly number[] => (name === 'messages' ? [10, 40, 100] : [100]);

function measured(api: ApiRun, steps: number, habit: Figures['habit']): Figures {
  console.error(`${api.api}, ${steps} steps, ${habit} …`);
  return cost(api, steps, habit);
}

console.log(
  `Node ${process.version}, ${REPEATS} runs; processor time a step: the median of the runs, the mean of the steps\n`,
);
const figures = names.flatMap((name) =>
  stepsOf(name).flatMap((steps) => [
    measured(API_RUNS[name], steps, 'kept'),
    measured(API_RUNS[name], steps, 'rebuilt'),
  ]),
);
console.log(
  table(
    ['API', 'steps', 'messages', 'last body', 'JSON.stringify', 'the span', 'judging', 'judging / JSON', 'last tenth'],
    figures.map(row),
  ),
);
console.log(`
the span:        making it with what stands on it, by hand, through the OpenTelemetry SDK
judging:         what observing the call costs beyond that: metrics and the collection of its garbage included
judging / JSON:  over the whole run; "last tenth" over its last steps alone, where bodies are largest
kept, rebuilt:   the harness sends the same message objects again, or a deep copy of all of them each time

Target at 100 steps: kept at most 0.1x, rebuilt at most 1.0x.
`);

const calls: CallFigures[] = [];
for (const name of names) {
  console.error(`${name}, through the SDK …`);
  calls.push(await endToEnd(name, 100));
}
const callRow = (call: CallFigures): string[] => {
  const more = call.with - call.without;
  const same = figures.find(({ api, steps, habit }) => api === call.api && steps === 100 && habit === 'kept');
  return [call.api, micro(call.without), micro(call.with), micro(more), ratio(more / (same?.stringify ?? Number.NaN))];
};
console.log('The same through the real SDKs over loopback, 100 steps, messages kept:\n');
console.log(table(['API', 'a call without', 'a call with', 'difference', 'difference / JSON'], calls.map(callRow)));
