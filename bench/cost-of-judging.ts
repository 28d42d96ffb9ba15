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
import type { Habit } from './agent-run.ts';
import { type ApiRun, play } from './api-runs.ts';
import { cpuOf, scavenge, typical } from './measure.ts';
import { replaySpan } from './span-replay.ts';

/** Runs of each kind that count, and runs before them that warm the compiler up. */
export const REPEATS = 15;
const WARM_UP = 5;

/** Microseconds of processor time a step, and what judging costs in units of JSON.stringify. */
export interface Figures {
  readonly api: string;
  readonly steps: number;
  readonly habit: Habit;
  /** The last body, as JSON, in bytes. */
  readonly bytes: number;
  readonly stringify: number;
  readonly span: number;
  /** Beyond the span. */
  readonly judging: number;
  /** Over the whole run, and over the last tenth of its steps. */
  readonly ratio: number;
  readonly lateRatio: number;
}

const spans: ReadableSpan[] = [];
const tracerProvider = new TracerProvider({
  spanProcessors: [
    {
      onStart: () => undefined,
      onEnd: (span) => spans.push(span),
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
function observe({ api, sdk, baseURL }: ApiRun, body: unknown, answer: unknown): void {
  const call = observeCall({
    api,
    body,
    headers: {},
    baseURL,
    credential: () => 'a key',
    stream: false,
    sdk,
    manual: true,
  });
  if (call === undefined) throw new Error('the call was not observed');
  call.run(() => undefined);
  call.headers(200, () => undefined);
  call.response(answer);
  call.end('completed');
}

/** What is measured. `nothing` is the cost of measuring, and is taken off the others. */
type Kind = 'nothing' | 'stringify' | 'span' | 'ours';

interface Sample {
  readonly times: Readonly<Record<Kind, readonly number[]>>;
  readonly bytes: number;
}

/** Processor time of `work` at each step of one run. */
function timesOf(
  api: ApiRun,
  steps: number,
  habit: Habit,
  work: (body: unknown, answer: unknown, index: number) => void,
): number[] {
  const times: number[] = [];
  globalThis.gc?.();
  play(api, steps, habit, (body, answer, index) => {
    // The harness's garbage is not charged to what is measured; that of the work itself is.
    scavenge();
    const spent = cpuOf(() => {
      work(body, answer, index);
      scavenge();
    });
    times.push(spent);
  });
  return times;
}

/** One run of each kind, close together, so that a busy moment of the machine falls on all alike. */
function sample(api: ApiRun, steps: number, habit: Habit): Sample {
  let bytes = 0;
  spans.length = 0;
  const ours = timesOf(api, steps, habit, (body, answer) => observe(api, body, answer));
  const made = [...spans];
  if (made.length !== steps) throw new Error(`${made.length} spans for ${steps} calls`);
  if (made.some((span) => span.attributes['reasoning.dropped'] === true)) throw new Error('a sound run lost blocks');
  if (made.at(-1)?.attributes['reasoning.blocks.returned'] !== steps - 1) throw new Error('blocks were not recognised');
  const stringify = timesOf(api, steps, habit, (body) => {
    bytes = JSON.stringify(body).length;
  });
  const span = timesOf(api, steps, habit, (_body, _answer, index) => {
    const original = made[index];
    if (original !== undefined) replaySpan(tracer, original);
  });
  const nothing = timesOf(api, steps, habit, () => undefined);
  return { times: { nothing, stringify, span, ours }, bytes };
}

export function cost(api: ApiRun, steps: number, habit: Habit): Figures {
  for (let repeat = 0; repeat < WARM_UP; repeat += 1) sample(api, steps, habit);
  const samples = Array.from({ length: REPEATS }, () => sample(api, steps, habit));
  const kindFrom = (kind: Kind, first: number): number => typical(samples.map(({ times }) => times[kind].slice(first)));
  const figuresFrom = (first: number) => {
    const of = (kind: Kind): number => kindFrom(kind, first) - kindFrom('nothing', first);
    return { stringify: of('stringify'), span: of('span'), judging: of('ours') - of('span') };
  };
  const whole = figuresFrom(0);
  const late = figuresFrom(-Math.ceil(steps / 10));
  return {
    api: api.api,
    ...whole,
    steps,
    habit,
    bytes: samples[0]?.bytes ?? 0,
    ratio: whole.judging / whole.stringify,
    lateRatio: late.judging / late.stringify,
  };
}
