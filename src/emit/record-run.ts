import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_REASONING_RUN_OUTCOME,
  METRIC_GEN_AI_INVOKE_AGENT_DURATION,
  METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS,
  METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS,
  METRIC_REASONING_RUNS,
  OPERATION_INVOKE_AGENT,
} from '../semconv.ts';
import { gateLabels } from './gate.ts';
import type { Instruments } from './instruments.ts';
import { openValue, reasoningLabels } from './metric-labels.ts';
import type { RunEnd } from './run-span.ts';
import type { RunTotals } from './run-totals.ts';

/** One run that has ended, as metrics see it. Seconds. */
export interface RunRecord extends RunEnd {
  readonly totals: RunTotals;
  readonly duration: number;
  readonly name?: string;
  readonly experimentArm?: string;
  readonly runLabels?: Attributes;
}

/** Counts one run, sampled or not. */
export function recordRun(instruments: Instruments, run: RunRecord): void {
  const { totals, name, outcome, errorType } = run;
  const ours = reasoningLabels(totals.first, run.experimentArm, run.runLabels);
  const genAi = gateLabels(
    'metric',
    [
      [ATTR_GEN_AI_OPERATION_NAME, OPERATION_INVOKE_AGENT],
      [ATTR_GEN_AI_AGENT_NAME, name && openValue(ATTR_GEN_AI_AGENT_NAME, name)],
    ],
    ours,
  );
  instruments.record(
    METRIC_REASONING_RUNS,
    1,
    gateLabels('metric', [[ATTR_REASONING_RUN_OUTCOME, openValue(ATTR_REASONING_RUN_OUTCOME, outcome)]], ours),
  );
  instruments.record(
    METRIC_GEN_AI_INVOKE_AGENT_DURATION,
    run.duration,
    gateLabels('metric', [[ATTR_ERROR_TYPE, errorType]], genAi),
  );
  instruments.record(METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS, totals.calls, genAi);
  instruments.record(METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS, totals.toolCalls, genAi);
}
