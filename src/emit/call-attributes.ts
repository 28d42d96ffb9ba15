import type { Judgement } from '../continuity/judgement.ts';
import {
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_BLOCKS_DAMAGED,
  ATTR_REASONING_BLOCKS_DROPPED,
  ATTR_REASONING_BLOCKS_EXPECTED,
  ATTR_REASONING_BLOCKS_ISSUED,
  ATTR_REASONING_BLOCKS_NEWLY_DROPPED,
  ATTR_REASONING_BLOCKS_RETURNED,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_CYCLE_STEP,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_REASONS,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_DROPPED,
  ATTR_REASONING_EXPECTED,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_KINDS,
  ATTR_REASONING_MODE,
  ATTR_REASONING_PREFIX_CHANGED,
  ATTR_REASONING_PRESENT,
  ATTR_REASONING_REJECTED,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_RUN_ID,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_SWITCH_FROM,
  ATTR_REASONING_SWITCH_SURVIVES,
  ATTR_REASONING_SWITCH_TO,
  ATTR_REASONING_TOKENS_RESENT,
  ATTR_REASONING_TOKENS_RESENT_CACHED,
  ATTR_REASONING_TOKENS_RESENT_FRESH,
  ATTR_REASONING_VISIBILITY,
} from '../semconv.ts';
import { dropsOf, kindsOf } from './drops.ts';
import { type Gated, gate } from './gate.ts';

/** Of the request alone, set as soon as it has been read; or also of what became of it. */
export type Phase = 'request' | 'end';

interface Row {
  readonly name: string;
  /** `end`: says something false for as long as there is no answer. */
  readonly from: Phase;
  readonly read: (judgement: Judgement, experimentArm: string | undefined) => unknown;
}

const orNothing = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);
const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

const ROWS: readonly Row[] = [
  { name: ATTR_REASONING_CONTINUITY, from: 'request', read: (j) => j.continuity },
  { name: ATTR_REASONING_DROPPED, from: 'request', read: (j) => j.blocks.dropped > 0 },
  { name: ATTR_REASONING_DROP_REASON, from: 'request', read: (j) => dropsOf(j)[0]?.reason },
  {
    name: ATTR_REASONING_DROP_REASONS,
    from: 'request',
    read: (j) => orNothing(unique(dropsOf(j).map(({ reason }) => reason))),
  },
  { name: ATTR_REASONING_DROP_SOURCE, from: 'request', read: (j) => dropsOf(j)[0]?.source },
  { name: ATTR_REASONING_BLOCKS_ISSUED, from: 'end', read: (j) => j.blocks.issued },
  { name: ATTR_REASONING_BLOCKS_EXPECTED, from: 'request', read: (j) => j.blocks.expected },
  { name: ATTR_REASONING_BLOCKS_RETURNED, from: 'request', read: (j) => j.blocks.returned },
  { name: ATTR_REASONING_BLOCKS_DROPPED, from: 'request', read: (j) => j.blocks.dropped },
  { name: ATTR_REASONING_BLOCKS_DAMAGED, from: 'request', read: (j) => j.blocks.damaged },
  { name: ATTR_REASONING_BLOCKS_NEWLY_DROPPED, from: 'request', read: (j) => j.blocks.newlyDropped },
  { name: ATTR_REASONING_FINDING_KIND, from: 'request', read: (j) => kindsOf(j.findings)[0] },
  { name: ATTR_REASONING_FINDING_KINDS, from: 'request', read: (j) => orNothing(kindsOf(j.findings)) },
  { name: ATTR_REASONING_EXPECTED, from: 'request', read: (j) => j.expectation },
  { name: ATTR_REASONING_PRESENT, from: 'end', read: (j) => j.present },
  { name: ATTR_REASONING_ASSERTION, from: 'end', read: (j) => j.assertion },
  { name: ATTR_REASONING_VISIBILITY, from: 'request', read: (j) => j.visibility },
  { name: ATTR_REASONING_MODE, from: 'request', read: (j) => j.mode },
  { name: ATTR_REASONING_CYCLE_STATE, from: 'request', read: (j) => j.cycle.state },
  { name: ATTR_REASONING_CYCLE_STEP, from: 'request', read: (j) => j.cycle.step },
  { name: ATTR_REASONING_SWITCH_DIRECTION, from: 'request', read: (j) => j.modelSwitch?.direction },
  { name: ATTR_REASONING_SWITCH_FROM, from: 'request', read: (j) => j.modelSwitch?.from },
  { name: ATTR_REASONING_SWITCH_TO, from: 'request', read: (j) => j.modelSwitch?.to },
  { name: ATTR_REASONING_SWITCH_SURVIVES, from: 'request', read: (j) => j.modelSwitch?.survives },
  { name: ATTR_REASONING_PREFIX_CHANGED, from: 'request', read: (j) => j.prefixChanged },
  { name: ATTR_REASONING_REJECTED, from: 'end', read: (j) => j.rejection !== undefined },
  { name: ATTR_REASONING_REJECTION, from: 'end', read: (j) => j.rejection },
  { name: ATTR_REASONING_TOKENS_RESENT, from: 'request', read: (j) => j.tokens?.resent },
  {
    name: ATTR_REASONING_TOKENS_RESENT_CACHED,
    from: 'end',
    read: ({ tokens }) => tokens && tokens.openCached + tokens.closedCached,
  },
  {
    name: ATTR_REASONING_TOKENS_RESENT_FRESH,
    from: 'end',
    read: ({ tokens }) => tokens && tokens.openFresh + tokens.closedFresh,
  },
  { name: ATTR_REASONING_RUN_ID, from: 'request', read: (j) => j.runId },
  { name: ATTR_REASONING_EXPERIMENT_ARM, from: 'request', read: (_, experimentArm) => experimentArm },
];

const REQUEST_ROWS = ROWS.filter(({ from }) => from === 'request');

/** The `reasoning.*` attributes of the span of one call. Everything of the request is written again at the end. */
export function callAttributes(judgement: Judgement, phase: Phase, experimentArm?: string): Gated {
  const rows = phase === 'request' ? REQUEST_ROWS : ROWS;
  return gate(
    'call',
    rows.map(({ name, read }) => [name, read(judgement, experimentArm)] as const),
  );
}
