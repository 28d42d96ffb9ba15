/**
 * Points on which published sources disagree, or say nothing. Every one is a choice; `strict` is the default and
 * takes the reading that refuses or drops more (for unpublished reader pairs, where no source says "dropped", the
 * pair reads in both).
 */
export interface Conflicts {
  /** Text of a `thinking` block of the latest assistant message edited, signature intact. Documented as refused, measured as accepted. */
  readonly editedText: 'error' | 'accept';
  /** Manual thinking: the latest assistant message of an open cycle no longer begins with its thinking. */
  readonly missingLeadingThinking: 'error' | 'accept';
  /** Thinking is off in the request, and the final assistant message of the open turn holds thinking blocks. */
  readonly thinkingOffWithBlocks: 'error' | 'strip';
  /** Results of one batch of calls spread over consecutive user messages. */
  readonly splitResults: 'error' | 'accept';
  /** What `drop_block` removes beside a failing block: every later one, the rest of its run, or nothing. */
  readonly dropExtent: 'every_later_block' | 'rest_of_run' | 'failing_block';
  /** Whether mythos-5-1 checks prefixes; the October and November pages disagree. */
  readonly mythos51PrefixCheck: 'every_account' | 'none';
  /** A stream with omitted display has one empty `thinking_delta`, or none. */
  readonly omittedDelta: 'empty' | 'none';
  /** Blocks of haiku-5-5 sent to other models on Bedrock. */
  readonly haikuBlocksOnBedrock: 'drop' | 'read';
  /** Pairs of models for which no source says whether one reads the other. */
  readonly unpublishedReaders: 'read' | 'drop';
  /** Whether blocks are tied to `metadata.user_id`. In the types, not known to be live. */
  readonly endUserBinding: 'off' | 'on';
}

export const CONFLICT_PRESETS: Readonly<Record<'strict' | 'lenient', Conflicts>> = {
  strict: {
    editedText: 'error',
    missingLeadingThinking: 'error',
    thinkingOffWithBlocks: 'error',
    splitResults: 'error',
    dropExtent: 'every_later_block',
    mythos51PrefixCheck: 'every_account',
    omittedDelta: 'empty',
    haikuBlocksOnBedrock: 'drop',
    unpublishedReaders: 'read',
    endUserBinding: 'off',
  },
  lenient: {
    editedText: 'accept',
    missingLeadingThinking: 'accept',
    thinkingOffWithBlocks: 'strip',
    splitResults: 'accept',
    dropExtent: 'failing_block',
    mythos51PrefixCheck: 'none',
    omittedDelta: 'none',
    haikuBlocksOnBedrock: 'read',
    unpublishedReaders: 'read',
    endUserBinding: 'off',
  },
};
