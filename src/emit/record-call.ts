import type { Attributes } from '@opentelemetry/api';
import type { Judgement } from '../continuity/judgement.ts';
import type { CallFacts } from '../dialects/dialect.ts';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_TOKEN_MODALITY,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_COST_KIND,
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_SOURCE,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_SWITCH_SURVIVES,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_REASONING_ASSERTIONS,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_EXPECTED,
  METRIC_REASONING_BLOCKS_RELEASED,
  METRIC_REASONING_BLOCKS_RETURNED,
  METRIC_REASONING_CALLS,
  METRIC_REASONING_COST,
  METRIC_REASONING_CYCLE_STEPS,
  METRIC_REASONING_CYCLE_TOOL_CALLS,
  METRIC_REASONING_FINDINGS,
  METRIC_REASONING_MODEL_SWITCHES,
  METRIC_REASONING_REJECTIONS,
  METRIC_REASONING_TOKENS_RESENT,
  METRIC_REASONING_TOOL_CALLS,
  METRICS,
  MODALITY_UNKNOWN,
} from '../semconv.ts';
import { costsOf, type PriceTable } from './cost.ts';
import { type Gated, gateLabels, type Labels } from './gate.ts';
import type { CallCircumstances } from './gen-ai-attributes.ts';
import type { Instruments } from './instruments.ts';
import { genAiLabels, openValue, reasoningLabels } from './metric-labels.ts';

/** One finished call, as metrics see it. Times in seconds. */
export interface CallRecord {
  readonly judgement: Judgement;
  readonly facts: CallFacts;
  readonly circumstances: CallCircumstances;
  readonly duration: number;
  /** From each chunk of a stream to the next. */
  readonly chunkGaps: readonly number[];
  readonly experimentArm?: string;
  /** Of the user's. */
  readonly prices?: PriceTable;
  /** Attributes of the application's own that every metric of the call carries. */
  readonly runLabels?: Attributes;
}

/** One point: metric, value, and the attributes that only it has. */
type Point = readonly [metric: string, value: number, ...labels: Labels];

function reasoningPoints({ continuity, firstSeen, rejection, assertion, ...judgement }: Judgement): readonly Point[] {
  const { modelSwitch, tokens, closedCycle } = judgement;
  return [
    [METRIC_REASONING_CALLS, 1, [ATTR_REASONING_CONTINUITY, continuity]],
    [METRIC_REASONING_BLOCKS_EXPECTED, firstSeen.expected],
    [METRIC_REASONING_BLOCKS_RETURNED, firstSeen.returned],
    ...firstSeen.dropped.map(
      ({ reason, source, count }): Point => [
        METRIC_REASONING_BLOCKS_DROPPED,
        count,
        [ATTR_REASONING_DROP_REASON, reason],
        [ATTR_REASONING_DROP_SOURCE, source],
      ],
    ),
    ...firstSeen.released.map(
      ({ reason, count }): Point => [METRIC_REASONING_BLOCKS_RELEASED, count, [ATTR_REASONING_DROP_REASON, reason]],
    ),
    ...firstSeen.findings.map(
      ({ kind, source, count }): Point => [
        METRIC_REASONING_FINDINGS,
        count,
        [ATTR_REASONING_FINDING_KIND, kind],
        [ATTR_REASONING_FINDING_SOURCE, source],
      ],
    ),
    ...(rejection === undefined
      ? []
      : [[METRIC_REASONING_REJECTIONS, 1, [ATTR_REASONING_REJECTION, rejection]] satisfies Point]),
    [METRIC_REASONING_ASSERTIONS, 1, [ATTR_REASONING_ASSERTION, assertion]],
    ...(modelSwitch === undefined
      ? []
      : [
          [
            METRIC_REASONING_MODEL_SWITCHES,
            1,
            [ATTR_REASONING_SWITCH_DIRECTION, modelSwitch.direction],
            [ATTR_REASONING_SWITCH_SURVIVES, modelSwitch.survives],
          ] satisfies Point,
        ]),
    ...(tokens === undefined
      ? []
      : [
          resent(tokens.openCached, 'cached', 'open'),
          resent(tokens.openFresh, 'fresh', 'open'),
          resent(tokens.closedCached, 'cached', 'closed'),
          resent(tokens.closedFresh, 'fresh', 'closed'),
        ]),
    ...judgement.toolCalls.map(
      ({ name, repeated }): Point => [
        METRIC_REASONING_TOOL_CALLS,
        1,
        [ATTR_GEN_AI_TOOL_NAME, openValue(ATTR_GEN_AI_TOOL_NAME, name)],
        [ATTR_REASONING_TOOL_CALL_REPEATED, repeated],
      ],
    ),
    ...(closedCycle === undefined
      ? []
      : [
          [METRIC_REASONING_CYCLE_STEPS, closedCycle.steps] satisfies Point,
          [METRIC_REASONING_CYCLE_TOOL_CALLS, closedCycle.toolCalls] satisfies Point,
        ]),
  ];
}

const resent = (count: number, cache: string, cycle: string): Point => [
  METRIC_REASONING_TOKENS_RESENT,
  count,
  [ATTR_REASONING_CACHE_STATE, cache],
  [ATTR_REASONING_CYCLE_STATE, cycle],
];

const UNKNOWN_MODALITY = [ATTR_GEN_AI_TOKEN_MODALITY, MODALITY_UNKNOWN] as const;
type Usage = NonNullable<CallFacts['usage']>;
const USAGE: ReadonlyArray<readonly [metric: string, read: (usage: Usage) => number | undefined]> = [
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS, (usage) => usage.input],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS, (usage) => usage.output],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS, (usage) => usage.cacheRead],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS, (usage) => usage.cacheWrite],
  [METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS, (usage) => usage.reasoning],
];

function genAiPoints({ facts, circumstances, duration, chunkGaps }: CallRecord): readonly Point[] {
  const { usage } = facts;
  const { errorType, timeToFirstChunk } = circumstances;
  return [
    [METRIC_GEN_AI_CLIENT_INFERENCE_DURATION, duration, [ATTR_ERROR_TYPE, errorType]],
    ...(timeToFirstChunk === undefined
      ? []
      : [[METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK, timeToFirstChunk] satisfies Point]),
    ...chunkGaps.map((gap): Point => [METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK, gap]),
    ...USAGE.map(([metric, read]): Point => [metric, (usage && read(usage)) ?? 0, UNKNOWN_MODALITY]),
    // The histograms, other than the counters, not for calls that failed (same page).
    ...(errorType === undefined && usage?.input !== undefined
      ? [[METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS, usage.input] satisfies Point]
      : []),
    ...(errorType === undefined && usage?.output !== undefined
      ? [[METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS, usage.output] satisfies Point]
      : []),
  ];
}

const ZEROS: readonly Point[] = METRICS.flatMap(({ name, zeros = [] }) =>
  zeros.map((zero): Point => [name, 0, ...Object.entries(zero)]),
);
/**
 * A call without usage still has its series: "including failed ones … or 0 if the response was not received or did not
 * contain token usage" (semantic-conventions-genai, gen-ai-token-metrics.md).
 */
const USAGE_ZEROS = USAGE.map(([metric]): Point => [metric, 0, UNKNOWN_MODALITY]);

const HISTOGRAMS = new Set(METRICS.filter(({ instrument }) => instrument === 'histogram').map(({ name }) => name));

/** Writes points that share `shared`, which is new here or not. To a counter that exists, 0 adds nothing. */
function write(instruments: Instruments, shared: Gated, zeros: readonly Point[], points: readonly Point[]): void {
  const put = ([metric, value, ...own]: Point) =>
    instruments.record(metric, value, own.length === 0 ? shared : gateLabels('metric', own, shared));
  if (instruments.isNew(Object.entries(shared).join(' '))) zeros.forEach(put);
  for (const point of points) if (point[1] !== 0 || HISTOGRAMS.has(point[0])) put(point);
}

/** Counts one finished call, sampled or not. */
export function recordCall(instruments: Instruments, record: CallRecord): void {
  const { judgement, facts, circumstances, experimentArm, runLabels } = record;
  const ours = reasoningLabels(facts, experimentArm, runLabels);
  const costs = costsOf(record.prices, facts, judgement.tokens).map(
    ({ kind, amount }): Point => [METRIC_REASONING_COST, amount, [ATTR_REASONING_COST_KIND, kind]],
  );
  write(instruments, ours, ZEROS, [...reasoningPoints(judgement), ...costs]);
  write(instruments, genAiLabels(ours, facts, circumstances), USAGE_ZEROS, genAiPoints(record));
}
