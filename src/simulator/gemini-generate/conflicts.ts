/**
 * Points on which published sources disagree, or say nothing. Every one is a choice; `strict` is the default and takes
 * the reading that refuses more, where anybody has reported it.
 */
export interface GeminiConflicts {
  /** A missing signature: refused, or (the SDK knows the reason, nobody has shown one) 200 without content. */
  readonly missingSignature: 'error' | 'finish_reason';
  /** A signature that cannot be read. Reported as an error; on some models nothing was said. */
  readonly alteredSignature: 'error' | 'drop';
  /** A signature of another Gemini model: which ones are refused. */
  readonly modelSwitch: 'any_model' | 'other_generation' | 'none';
  /** A signature of another project, or from the other host. */
  readonly otherAccount: 'error' | 'accept';
  /** Whether a signature on another part than its own, or on an altered one, is noticed. No source says so. */
  readonly boundTo: 'nothing' | 'part';
  /** Adjacent contents of the model: a step each, or one. */
  readonly adjacentContents: 'steps' | 'merged';
  /** Whether results with ordinary content beside them begin a turn. */
  readonly mixedContent: 'same_turn' | 'new_turn';
  /** The results of one batch over several contents. */
  readonly splitResults: 'error' | 'accept';
  /** Results whose ids or names do not fit: answered with nothing, or answered. */
  readonly unpairedResults: 'empty' | 'answer';
  /** A signed part without text or any other data. */
  readonly bareSignature: 'error' | 'accept';
  /** Placeholders in base64, as some proxies send them. */
  readonly encodedPlaceholder: 'accept' | 'error';
  /** Images of the model without their signature, on the Developer API. */
  readonly unsignedImages: 'error' | 'accept';
  /** `thinkingBudget` from Gemini 3.5 on. */
  readonly newBudgets: 'error' | 'accept';
  /** Whether returned thoughts count as input. Recordings differ. */
  readonly countsThoughts: 'from_3_5' | 'always' | 'never';
  /** Streamed arguments of calls: the signature on the first chunk, or in pieces on several. */
  readonly streamedSignature: 'first_chunk' | 'fragments';
}

export const GEMINI_CONFLICTS: Readonly<Record<'strict' | 'lenient', GeminiConflicts>> = {
  strict: {
    missingSignature: 'error',
    alteredSignature: 'error',
    modelSwitch: 'any_model',
    otherAccount: 'error',
    boundTo: 'nothing',
    adjacentContents: 'steps',
    mixedContent: 'same_turn',
    splitResults: 'error',
    unpairedResults: 'empty',
    bareSignature: 'error',
    encodedPlaceholder: 'accept',
    unsignedImages: 'error',
    newBudgets: 'error',
    countsThoughts: 'from_3_5',
    streamedSignature: 'first_chunk',
  },
  lenient: {
    missingSignature: 'finish_reason',
    alteredSignature: 'drop',
    modelSwitch: 'none',
    otherAccount: 'accept',
    boundTo: 'nothing',
    adjacentContents: 'merged',
    mixedContent: 'new_turn',
    splitResults: 'accept',
    unpairedResults: 'answer',
    bareSignature: 'accept',
    encodedPlaceholder: 'accept',
    unsignedImages: 'accept',
    newBudgets: 'accept',
    countsThoughts: 'from_3_5',
    streamedSignature: 'fragments',
  },
};
