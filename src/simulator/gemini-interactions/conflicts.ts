/** Points on which published sources say nothing, or disagree. `strict` takes the reading that refuses more. */
export interface InteractionsConflicts {
  /** A call of the current turn sent back without the thought that led to it. No source says what happens. */
  readonly missingThought: 'error' | 'silent';
  readonly alteredSignature: 'error' | 'drop';
  /** A signature of another project. */
  readonly otherProject: 'error' | 'accept';
  /** Steps in the event that completes a stream: the types allow both. */
  readonly completedSteps: 'absent' | 'full';
  /** Whether returned thoughts count as input. Recordings of the sister API differ. */
  readonly countsThoughts: 'from_3_5' | 'always' | 'never';
}

export const INTERACTIONS_CONFLICTS: Readonly<Record<'strict' | 'lenient', InteractionsConflicts>> = {
  strict: {
    missingThought: 'error',
    alteredSignature: 'error',
    otherProject: 'error',
    completedSteps: 'absent',
    countsThoughts: 'from_3_5',
  },
  lenient: {
    missingThought: 'silent',
    alteredSignature: 'drop',
    otherProject: 'accept',
    completedSteps: 'full',
    countsThoughts: 'from_3_5',
  },
};
