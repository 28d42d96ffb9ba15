import type { Judgement, ReasonCount } from '../continuity/judgement.ts';
import type { FindingKind } from '../continuity/vocabulary.ts';
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
  ATTR_REASONING_REMARKS,
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
import { type AttributeRow, type Gated, gate } from './gate.ts';

/** For samplers, when a span starts; of the request alone, as soon as it has been read; or also of what became of it. */
export type Phase = 'start' | 'request' | 'end';

/** A judgement, and what several attributes take from it. */
interface Source {
  readonly judgement: Judgement;
  readonly drops: readonly ReasonCount[];
  readonly kinds: readonly FindingKind[];
  readonly experimentArm: string | undefined;
}

const orNothing = <T>(values: readonly T[]): readonly T[] | undefined => (values.length === 0 ? undefined : values);
const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** With these a sampler can keep every loss. An attribute costs an SDK more at the start of a span than after it. */
const START_ROWS: ReadonlyArray<AttributeRow<Source>> = [
  [ATTR_REASONING_CONTINUITY, ({ judgement }) => judgement.continuity],
  [ATTR_REASONING_DROPPED, ({ judgement }) => judgement.blocks.dropped > 0],
];

/** Known from the request alone. */
const REQUEST_ROWS: ReadonlyArray<AttributeRow<Source>> = [
  ...START_ROWS,
  [ATTR_REASONING_DROP_REASON, ({ drops }) => drops[0]?.reason],
  [ATTR_REASONING_DROP_REASONS, ({ drops }) => orNothing(unique(drops.map(({ reason }) => reason)))],
  [ATTR_REASONING_DROP_SOURCE, ({ drops }) => drops[0]?.source],
  [ATTR_REASONING_BLOCKS_EXPECTED, ({ judgement }) => judgement.blocks.expected],
  [ATTR_REASONING_BLOCKS_RETURNED, ({ judgement }) => judgement.blocks.returned],
  [ATTR_REASONING_BLOCKS_DROPPED, ({ judgement }) => judgement.blocks.dropped],
  [ATTR_REASONING_BLOCKS_DAMAGED, ({ judgement }) => judgement.blocks.damaged],
  [ATTR_REASONING_BLOCKS_NEWLY_DROPPED, ({ judgement }) => judgement.blocks.newlyDropped],
  [ATTR_REASONING_FINDING_KIND, ({ kinds }) => kinds[0]],
  [ATTR_REASONING_FINDING_KINDS, ({ kinds }) => orNothing(kinds)],
  [ATTR_REASONING_EXPECTED, ({ judgement }) => judgement.expectation],
  [ATTR_REASONING_VISIBILITY, ({ judgement }) => judgement.visibility],
  [ATTR_REASONING_MODE, ({ judgement }) => judgement.mode],
  [ATTR_REASONING_CYCLE_STATE, ({ judgement }) => judgement.cycle.state],
  [ATTR_REASONING_CYCLE_STEP, ({ judgement }) => judgement.cycle.step],
  [ATTR_REASONING_SWITCH_DIRECTION, ({ judgement }) => judgement.modelSwitch?.direction],
  [ATTR_REASONING_SWITCH_FROM, ({ judgement }) => judgement.modelSwitch?.from],
  [ATTR_REASONING_SWITCH_TO, ({ judgement }) => judgement.modelSwitch?.to],
  [ATTR_REASONING_SWITCH_SURVIVES, ({ judgement }) => judgement.modelSwitch?.survives],
  [ATTR_REASONING_PREFIX_CHANGED, ({ judgement }) => judgement.prefixChanged],
  [ATTR_REASONING_TOKENS_RESENT, ({ judgement }) => judgement.tokens?.resent],
  [ATTR_REASONING_RUN_ID, ({ judgement }) => judgement.runId],
  [ATTR_REASONING_REMARKS, ({ judgement }) => judgement.remarks],
  [ATTR_REASONING_EXPERIMENT_ARM, ({ experimentArm }) => experimentArm],
];

/** What would say something false for as long as there is no answer. */
const ANSWER_ROWS: ReadonlyArray<AttributeRow<Source>> = [
  [ATTR_REASONING_BLOCKS_ISSUED, ({ judgement }) => judgement.blocks.issued],
  [ATTR_REASONING_PRESENT, ({ judgement }) => judgement.present],
  [ATTR_REASONING_ASSERTION, ({ judgement }) => judgement.assertion],
  [ATTR_REASONING_REJECTED, ({ judgement }) => judgement.rejection !== undefined],
  [ATTR_REASONING_REJECTION, ({ judgement }) => judgement.rejection],
  [
    ATTR_REASONING_TOKENS_RESENT_CACHED,
    ({ judgement: { tokens } }) => tokens && tokens.openCached + tokens.closedCached,
  ],
  [ATTR_REASONING_TOKENS_RESENT_FRESH, ({ judgement: { tokens } }) => tokens && tokens.openFresh + tokens.closedFresh],
];

const ROWS: Readonly<Record<Phase, ReadonlyArray<AttributeRow<Source>>>> = {
  start: START_ROWS,
  request: REQUEST_ROWS,
  end: [...REQUEST_ROWS, ...ANSWER_ROWS],
};

/**
 * The `reasoning.*` attributes of the span of one call. Everything of the request is written again at the end.
 * @returns `passed`, with them added
 */
export const callAttributes = (judgement: Judgement, phase: Phase, experimentArm?: string, passed: Gated = {}): Gated =>
  gate(
    'call',
    ROWS[phase],
    { judgement, drops: dropsOf(judgement), kinds: kindsOf(judgement.findings), experimentArm },
    passed,
  );
