/** Processes that call models, and those of them whose calls are judged. */
import {
  ATTR_GEN_AI_OPERATION_NAME,
  INFERENCE_OPERATIONS,
  METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
} from '../../src/semconv.ts';
import { oneOf, type Series, TARGET_LABELS } from './promql.ts';
import type { Counted } from './scope.ts';

const calls = (metric: string): Counted & Series => ({
  metric,
  part: 'count',
  where: [oneOf(ATTR_GEN_AI_OPERATION_NAME, INFERENCE_OPERATIONS)],
  by: TARGET_LABELS,
});

/**
 * Model calls by process, whichever instrumentation counted them: ours, or another one of the newest or of the older
 * conventions. `or`, since two of them in one process count the same calls.
 */
export const callsByProcess = (count: (counted: Counted) => string): string =>
  `(${count(calls(METRIC_GEN_AI_CLIENT_INFERENCE_DURATION))} or ${count(calls(METRIC_GEN_AI_CLIENT_OPERATION_DURATION))})`;
