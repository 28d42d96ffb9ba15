/** Points on which no source, or no two, agree. `strict` refuses more. */
export interface ConverseConflicts {
  /** Unsigned reasoning sent back to gpt-oss, Kimi, MiniMax or Qwen. */
  readonly unsignedReplay: 'error' | 'ignore';
  /** A content block with two members, where the type allows one. */
  readonly twoMembers: 'error' | 'first';
  /** Sealed reasoning of an OpenAI model missing from an open cycle. */
  readonly missingSealed: 'error' | 'accept';
}

export const CONVERSE_CONFLICTS: Readonly<Record<'strict' | 'lenient', ConverseConflicts>> = {
  strict: { unsignedReplay: 'error', twoMembers: 'error', missingSealed: 'error' },
  lenient: { unsignedReplay: 'ignore', twoMembers: 'first', missingSealed: 'accept' },
};
