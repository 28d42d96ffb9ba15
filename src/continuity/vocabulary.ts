/**
 * The closed vocabularies of a judgement. `as const` tables, so that semconv, audit and docs list
 * the same words; each type is derived from its table.
 */

/** What can be wrong (or worth a line) with one request, in the order in which one damaged block is counted. */
export const FINDING_KINDS = [
  'foreign',
  'converted_to_text',
  'edited',
  'misplaced',
  'reordered',
  'prefix_broken',
  'dropped',
  'trimmed',
  'carried',
  'unsigned_on_arrival',
  'duplicated',
  'merged',
  'split',
  'split_results',
  'orphaned',
  'unsealed',
  'fabricated',
  'mode_toggled',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export const CLIENT_DROP_REASONS = [
  'omitted_in_cycle',
  'omitted_after_cycle',
  'partial_run',
  'seal_missing',
  'redacted_filtered',
  'empty_text_filtered',
  'converted_to_text',
] as const;
export const SERVER_DROP_REASONS = [
  'model_mismatch',
  'prefix_mismatch',
  'organization_mismatch',
  'end_user_mismatch',
  'missing_signature',
] as const;
/** Planned losses: a note or nothing, never an alarm. They count as released, not as dropped. */
export const PLANNED_REASONS = [
  'turn_boundary',
  'context_edit',
  'compaction',
  'history_reset',
  'model_switch',
  'fallback',
  'experiment',
] as const;
export const DROP_REASONS = [...CLIENT_DROP_REASONS, ...SERVER_DROP_REASONS, ...PLANNED_REASONS, 'unknown'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export const SOURCES = ['client', 'server'] as const;
export type Source = (typeof SOURCES)[number];

export const SEVERITIES = ['loss', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `certain`: both sides were seen, or the provider said it. Everything else is `inferred`. */
export const CERTAINTIES = ['certain', 'inferred'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export const CYCLE_STATES = ['open', 'closed'] as const;
export type CycleState = (typeof CYCLE_STATES)[number];

export const CONTINUITY_STATES = ['intact', 'partial', 'stripped', 'not_applicable'] as const;
export type Continuity = (typeof CONTINUITY_STATES)[number];

export const VERDICTS = ['finding', 'note', 'clean'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const EXPECTATIONS = ['expected', 'not_expected', 'not_applicable'] as const;
export type Expectation = (typeof EXPECTATIONS)[number];

export const ASSERTION_RESULTS = ['pass', 'fail', 'skip'] as const;
export type AssertionResult = (typeof ASSERTION_RESULTS)[number];

export const VISIBILITIES = ['full', 'summary', 'omitted', 'encrypted'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const SWITCH_DIRECTIONS = ['upgrade', 'downgrade', 'lateral', 'cross_provider', 'unknown'] as const;
export type SwitchDirection = (typeof SWITCH_DIRECTIONS)[number];

export const SURVIVALS = ['kept', 'dropped', 'unknown'] as const;
export type Survival = (typeof SURVIVALS)[number];

export const PREFIX_CHANGES = ['none', 'system', 'tools', 'messages', 'config'] as const;
export type PrefixChange = (typeof PREFIX_CHANGES)[number];

/** Who on the client's side: the application's own code, or a helper of the SDK that it calls. */
export const CULPRITS = ['app', 'sdk'] as const;
export type Culprit = (typeof CULPRITS)[number];

/**
 * What is worth knowing about a run, and is no fault of a request: no block went missing, so nothing is counted. Each is
 * said once a run.
 */
export const REMARKS = [
  /** Reasoning in a tool loop on an endpoint that has no field to carry it. */
  'structural_loss',
  /** Reasoning tokens were spent, and no reasoning was delivered. */
  'hidden_at_source',
  /** The model reasoned until now, and without a change of settings stopped to. */
  'reasoning_stopped',
  /** A refused request went through once its reasoning had been given up. */
  'recovered_by_discarding',
  /** What came back whole does not show in the count of input tokens. Weak evidence. */
  'accepted_unread',
] as const;
export type Remark = (typeof REMARKS)[number];
