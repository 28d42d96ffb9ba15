import type { Span } from '@opentelemetry/api';
import {
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_BLOCKS_DROPPED,
  ATTR_REASONING_BLOCKS_EXPECTED,
  ATTR_REASONING_BLOCKS_ISSUED,
  ATTR_REASONING_BLOCKS_RETURNED,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_REASONS,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_DROPPED,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_KINDS,
  ATTR_REASONING_REJECTED,
  ATTR_REASONING_RUN_CALLS,
  ATTR_REASONING_RUN_ID,
  ATTR_REASONING_RUN_REPEATED_TOOL_CALLS,
  ATTR_REASONING_RUN_TOOL_CALLS,
  ATTR_REASONING_TOKENS_RESENT,
  ATTR_REASONING_TOKENS_RESENT_CACHED,
  ATTR_REASONING_TOKENS_RESENT_FRESH,
} from '../semconv.ts';
import { type AttributeRow, gate } from './gate.ts';
import { addCall, createTotals, droppedOf, type RunCall, type RunTotals } from './run-totals.ts';

const orNothing = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);

const ROWS: ReadonlyArray<AttributeRow<RunTotals>> = [
  [ATTR_REASONING_CONTINUITY, ({ continuity }) => continuity],
  [ATTR_REASONING_ASSERTION, ({ assertion }) => assertion],
  [ATTR_REASONING_DROPPED, ({ drops }) => drops.length > 0],
  [ATTR_REASONING_DROP_REASON, ({ drops }) => drops[0]?.reason],
  [ATTR_REASONING_DROP_REASONS, ({ drops }) => orNothing([...new Set(drops.map(({ reason }) => reason))])],
  [ATTR_REASONING_DROP_SOURCE, ({ drops }) => drops[0]?.source],
  [ATTR_REASONING_BLOCKS_ISSUED, ({ issued }) => issued],
  [ATTR_REASONING_BLOCKS_EXPECTED, ({ expected }) => expected],
  [ATTR_REASONING_BLOCKS_RETURNED, ({ returned }) => returned],
  [ATTR_REASONING_BLOCKS_DROPPED, droppedOf],
  [ATTR_REASONING_FINDING_KIND, ({ kinds }) => kinds[0]],
  [ATTR_REASONING_FINDING_KINDS, ({ kinds }) => orNothing(kinds)],
  [ATTR_REASONING_REJECTED, ({ rejections }) => rejections > 0],
  [ATTR_REASONING_TOKENS_RESENT, ({ resent }) => resent],
  [ATTR_REASONING_TOKENS_RESENT_CACHED, ({ resentCached }) => resentCached],
  [ATTR_REASONING_TOKENS_RESENT_FRESH, ({ resentFresh }) => resentFresh],
  [ATTR_REASONING_RUN_CALLS, ({ calls }) => calls],
  [ATTR_REASONING_RUN_TOOL_CALLS, ({ toolCalls }) => toolCalls],
  [ATTR_REASONING_RUN_REPEATED_TOOL_CALLS, ({ repeatedToolCalls }) => repeatedToolCalls],
  [ATTR_REASONING_RUN_ID, ({ runId }) => runId],
];

/** Writes what a run adds up to on its span: the worst state and the sums. Nothing once that span has ended. */
export function writeTotals(span: Span, totals: RunTotals, experimentArm: string | undefined): void {
  if (!span.isRecording()) return;
  const row: AttributeRow<RunTotals> = [ATTR_REASONING_EXPERIMENT_ARM, () => experimentArm];
  span.setAttributes(gate('run', [...ROWS, row], totals));
}

/**
 * Adds one finished call to a span that is the run's, though nobody has bracketed it: that of an SDK's own tool runner.
 * @param sums of this process, since each copy of this package sees calls of its own.
 */
export function rollUp(
  sums: WeakMap<Span, RunTotals>,
  span: Span,
  call: RunCall,
  experimentArm: string | undefined,
): void {
  if (!span.isRecording()) return;
  const sum = sums.get(span) ?? createTotals();
  sums.set(span, sum);
  addCall(sum, call);
  writeTotals(span, sum, experimentArm);
}
