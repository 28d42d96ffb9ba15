/**
 * Points on which published sources disagree, or say nothing. Every one is a choice; `strict` is the default and takes
 * the reading that refuses or drops more.
 */
export interface ResponsesConflicts {
  /** When ciphertext comes with an answer: now by default, on older gateways only where `include` asks for it. */
  readonly encryptedContent: 'always' | 'on_include';
  /** `status` on a reasoning item sent back. The types allow it, the API has refused it. */
  readonly reasoningStatus: 'error' | 'accept';
  /** HTTP status of an item that is not stored. */
  readonly missingItemStatus: 404 | 400;
  /** Reasoning sent to a model that does not reason. */
  readonly reasoningToPlainModel: 'error' | 'ignore';
  /** Default `reasoning.context` of GPT-6 and later. */
  readonly gpt6Context: 'all_turns' | 'current_turn';
  /** `input_transformations` where nothing was removed. */
  readonly emptyTransformations: 'absent' | 'empty_list';
  /** Whether models that only leave out reasoning of closed turns list that. */
  readonly turnBoundaryReport: 'binding_models' | 'every_model';
  /** What identifies the end user that reasoning is tied to. */
  readonly endUser: 'safety_identifier_or_user' | 'safety_identifier' | 'none';
  /** Ciphertext of one item in `output_item.done` and in the terminal event. */
  readonly terminalCiphertext: 'same' | 'different';
  /** `output` of the terminal event. Some servers leave it to the client to have kept the items. */
  readonly terminalOutput: 'full' | 'empty' | 'absent';
  /** How unreadable ciphertext is told to a streaming request: before the stream or in it. */
  readonly sealErrorInStream: 'status' | 'event';
}

export const RESPONSES_CONFLICTS: Readonly<Record<'strict' | 'lenient', ResponsesConflicts>> = {
  strict: {
    encryptedContent: 'always',
    reasoningStatus: 'error',
    missingItemStatus: 404,
    reasoningToPlainModel: 'error',
    gpt6Context: 'all_turns',
    emptyTransformations: 'absent',
    turnBoundaryReport: 'binding_models',
    endUser: 'safety_identifier_or_user',
    terminalCiphertext: 'same',
    terminalOutput: 'full',
    sealErrorInStream: 'status',
  },
  lenient: {
    encryptedContent: 'always',
    reasoningStatus: 'accept',
    missingItemStatus: 400,
    reasoningToPlainModel: 'ignore',
    gpt6Context: 'current_turn',
    emptyTransformations: 'empty_list',
    turnBoundaryReport: 'every_model',
    endUser: 'none',
    terminalCiphertext: 'different',
    terminalOutput: 'full',
    sealErrorInStream: 'event',
  },
};
