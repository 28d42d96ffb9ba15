/**
 * `npm run bench`: what judging a step costs, beside JSON.stringify of the same body, which every SDK pays anyway.
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

console.log(
  `Node ${process.version}, ${REPEATS} runs; processor time a step: the median of the runs, the mean of the steps\n`,
);
const { messages, responses, chat, generate, interactions, converse } = API_RUNS;
const both = (api: ApiRun, steps: number): Figures[] => [cost(api, steps, 'kept'), cost(api, steps, 'rebuilt')];
const figures = [
  ...[10, 40, 100].flatMap((steps) => both(messages, steps)),
  ...[responses, chat, generate, interactions, converse].flatMap((api) => both(api, 100)),
];
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
for (const name of ['messages', 'responses', 'chat', 'generate', 'interactions', 'converse'] as const)
  calls.push(await endToEnd(name, 100));
const callRow = (call: CallFigures): string[] => {
  const more = call.with - call.without;
  const same = figures.find(({ api, steps, habit }) => api === call.api && steps === 100 && habit === 'kept');
  return [call.api, micro(call.without), micro(call.with), micro(more), ratio(more / (same?.stringify ?? Number.NaN))];
};
console.log('The same through the real SDKs over loopback, 100 steps, messages kept:\n');
console.log(table(['API', 'a call without', 'a call with', 'difference', 'difference / JSON'], calls.map(callRow)));
