import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { processContext } from '../src/context.ts';
import { observeCall } from '../src/observe/observe-call.ts';
import { type Answer, type Body, type Habit, play } from './agent-run.ts';
import { cpuOf, median } from './measure.ts';
import { replaySpan } from './span-replay.ts';

/** Runs of each kind; enough for medians to agree within a few per cent. */
export const REPEATS = 15;

/** Microseconds of processor time a step. `Late`: over the last tenth of the run's steps. */
export interface Figures {
  readonly steps: number;
  readonly habit: Habit;
  /** The last body, as JSON, in bytes. */
  readonly bytes: number;
  readonly stringify: number;
  readonly stringifyLate: number;
  readonly span: number;
  /** Beyond the span. */
  readonly judging: number;
  readonly judgingLate: number;
}

const ended: ReadableSpan[] = [];
const tracerProvider = new TracerProvider({
  spanProcessors: [
    {
      onStart: () => undefined,
      onEnd: (span) => ended.push(span),
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    },
  ],
});
const meterProvider = new MeterProvider({
  readers: [
    new PeriodicExportingMetricReader({
      exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
      exportIntervalMillis: 3_600_000,
    }),
  ],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
Object.assign(processContext().settings, { tracerProvider, meterProvider });
const tracer = tracerProvider.getTracer('bench');

/** One call as interception reports it. */
function observed(body: Body, answer: Answer): void {
  const call = observeCall({
    api: 'anthropic.messages',
    body,
    headers: {},
    baseURL: 'https://api.anthropic.com',
    credential: () => 'a key',
    stream: false,
    sdk: { name: '@anthropic-ai/sdk', version: '1.14.0' },
    manual: true,
  });
  if (call === undefined) throw new Error('the call was not observed');
  call.run(() => undefined);
  call.headers(200, () => undefined);
  call.response(answer);
  call.end('completed');
}

/** Processor time of `work` at each step of one run. */
function timesOf(steps: number, habit: Habit, work: (body: Body, answer: Answer, index: number) => void): number[] {
  const times: number[] = [];
  globalThis.gc?.();
  play(steps, habit, (body, answer, index) => times.push(cpuOf(() => work(body, answer, index))));
  return times;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export function cost(steps: number, habit: Habit): Figures {
  const late = -Math.ceil(steps / 10);
  let bytes = 0;
  const samples: { stringify: number[]; span: number[]; ours: number[] }[] = [];
  // The first runs warm the compiler up and are not counted.
  for (let repeat = -3; repeat < REPEATS; repeat += 1) {
    ended.length = 0;
    const ours = timesOf(steps, habit, observed);
    const spans = ended.slice();
    if (spans.length !== steps) throw new Error(`${spans.length} spans for ${steps} calls`);
    const lost = spans.find((span) => span.attributes['reasoning.dropped'] === true);
    if (lost !== undefined) throw new Error('the run of the benchmark is a healthy one, and something was dropped');
    const stringify = timesOf(steps, habit, (body) => {
      bytes = JSON.stringify(body).length;
    });
    const span = timesOf(steps, habit, (_body, _answer, index) => {
      const made = spans[index];
      if (made !== undefined) replaySpan(tracer, made);
    });
    if (repeat >= 0) samples.push({ stringify, span, ours });
  }
  const typical = (of: 'stringify' | 'span' | 'ours', from = 0): number =>
    median(samples.map((sample) => mean(sample[of].slice(from))));
  return {
    steps,
    habit,
    bytes,
    stringify: typical('stringify'),
    stringifyLate: typical('stringify', late),
    span: typical('span'),
    judging: typical('ours') - typical('span'),
    judgingLate: typical('ours', late) - typical('span', late),
  };
}
