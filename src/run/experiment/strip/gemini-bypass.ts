/**
 * Passes the check of a signature and carries nothing (ai.google.dev gemini-api/docs/thought-signatures). From Gemini 3 on
 * a call of the current turn is refused without a signature, so that nothing less leaves the reasoning out.
 */
export const GEMINI_BYPASS = 'skip_thought_signature_validator';
