import { LRUCache } from 'lru-cache';
import type { Counsel } from '../advice.ts';
import {
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_REASONING_TOKENS_RESENT,
  METRIC_REASONING_TOOL_CALLS,
} from '../semconv.ts';
import { faultsOf } from './faults.ts';
import type { ReceivedPoint, ReceivedSpan } from './otlp-json.ts';
import { readStep, type Step } from './step.ts';

/** What is kept of one run: sums only, so that a watcher can stay up for days. Blocks are summed over requests. */
export interface RunTotals {
  readonly runId: string;
  readonly service: string;
  calls: number;
  issued: number;
  expected: number;
  returned: number;
  dropped: number;
  damaged: number;
  newlyDropped: number;
  resent: number;
  refused: number;
  /** Steps at which something was lost, refused, or absent though expected. */
  faulty: number;
  /** By advice key, in the order of first sight. */
  readonly faults: Map<string, FaultTotal>;
}

export interface FaultTotal {
  readonly counsel: Counsel;
  readonly loss: boolean;
  steps: number;
}

/** A step with its number in its run, in the order of arrival. */
export interface NumberedStep extends Step {
  readonly number: number;
  readonly run: RunTotals;
}

export interface ToolCalls {
  readonly calls: number;
  readonly repeated: number;
}

export interface RunBook {
  /** @returns the steps among the spans that were not known yet, by start time. */
  addSpans(spans: readonly ReceivedSpan[]): NumberedStep[];
  addPoints(points: readonly ReceivedPoint[]): void;
  /** In the order of their first step. */
  readonly runs: readonly RunTotals[];
  /** Runs that were let go of to stay within bounds. */
  readonly forgotten: number;
  /** Spans that were no judged call. */
  readonly otherSpans: number;
  /** From the metrics; undefined where none have come (of that service). */
  toolCalls(service?: string): ToolCalls | undefined;
  /** Re-sent reasoning tokens of finished cycles, from the metrics. */
  resentClosed(service?: string): number | undefined;
}

const MAX_RUNS = 1_000;
/** An exporter repeats a batch whose answer it did not get; far older spans do not come again. */
const MAX_KNOWN_SPANS = 20_000;
const MAX_SERIES = 20_000;

const newRun = ({ runId, service }: Step): RunTotals => ({
  runId,
  service,
  calls: 0,
  issued: 0,
  expected: 0,
  returned: 0,
  dropped: 0,
  damaged: 0,
  newlyDropped: 0,
  resent: 0,
  refused: 0,
  faulty: 0,
  faults: new Map(),
});

const addTo = (run: RunTotals, step: Step): void => {
  run.calls += 1;
  run.issued += step.issued;
  run.expected += step.expected;
  run.returned += step.returned;
  run.dropped += step.dropped;
  run.damaged += step.damaged;
  run.newlyDropped += step.newlyDropped;
  run.resent += step.resent ?? 0;
  if (step.rejection) run.refused += 1;
  const faults = faultsOf(step);
  if (faults.some(({ loss }) => loss)) run.faulty += 1;
  for (const { counsel, loss } of faults) {
    const fault = run.faults.get(counsel.key) ?? { counsel, loss, steps: 0 };
    fault.steps += 1;
    run.faults.set(counsel.key, fault);
  }
};

interface Series {
  readonly point: ReceivedPoint;
  value: number;
}

/** Keeps what was received by run: `reasoning.run.id` tells one from another, never the order of arrival. */
export function createRunBook(): RunBook {
  const runs = new Map<string, RunTotals>();
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_SPANS });
  const series = new LRUCache<string, Series>({ max: MAX_SERIES });
  let forgotten = 0;
  let otherSpans = 0;

  const sum = (metric: string, service: string | undefined, attribute?: string, value?: string): number | undefined => {
    const ofMetric = [...series.values()].filter(
      ({ point }) => point.metric === metric && (service === undefined || point.service === service),
    );
    if (ofMetric.length === 0) return undefined;
    return ofMetric
      .filter(({ point }) => attribute === undefined || String(point.attributes[attribute]) === value)
      .reduce((total, one) => total + one.value, 0);
  };

  return {
    addSpans(spans) {
      const steps: Step[] = [];
      for (const span of spans) {
        const step = readStep(span);
        if (!step) {
          otherSpans += 1;
        } else if (!known.has(step.id)) {
          known.set(step.id, true);
          steps.push(step);
        }
      }
      steps.sort((a, b) => a.startMs - b.startMs);
      return steps.map((step) => {
        const run = runs.get(step.runId) ?? newRun(step);
        if (!runs.has(step.runId)) {
          runs.set(step.runId, run);
          const oldest = runs.size > MAX_RUNS ? runs.keys().next().value : undefined;
          if (oldest !== undefined) {
            runs.delete(oldest);
            forgotten += 1;
          }
        }
        addTo(run, step);
        return { ...step, number: run.calls, run };
      });
    },
    addPoints(points) {
      for (const point of points) {
        const before = series.get(point.series)?.value ?? 0;
        series.set(point.series, { point, value: point.temporality === 'delta' ? before + point.value : point.value });
      }
    },
    get runs() {
      return [...runs.values()];
    },
    get forgotten() {
      return forgotten;
    },
    get otherSpans() {
      return otherSpans;
    },
    toolCalls(service) {
      const calls = sum(METRIC_REASONING_TOOL_CALLS, service);
      const repeated = sum(METRIC_REASONING_TOOL_CALLS, service, ATTR_REASONING_TOOL_CALL_REPEATED, 'true');
      return calls === undefined ? undefined : { calls, repeated: repeated ?? 0 };
    },
    resentClosed: (service) => sum(METRIC_REASONING_TOKENS_RESENT, service, ATTR_REASONING_CYCLE_STATE, 'closed'),
  };
}
