/**
 * Strings that pass Gemini's check of signatures while carrying nothing (ai.google.dev thought-signatures: documented for
 * calls that the API never issued).
 */
const BYPASSES: readonly string[] = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** Some proxies encode them once more. */
const ENCODED = BYPASSES.map((value) => Buffer.from(value).toString('base64').replace(/=+$/, ''));

/** Beginning of a real-looking signature that `@langchain/google-genai` puts on every call that has none; 420 characters. */
const CONSTANT = { begins: 'ErYCCrMCAdHtim9kOoOkrPiC', length: 420 };

export function isBypass(seal: string): boolean {
  if (seal.length > CONSTANT.length) return false;
  const bare = seal.replace(/=+$/, '');
  return (
    BYPASSES.includes(seal) ||
    ENCODED.includes(bare) ||
    (seal.length === CONSTANT.length && seal.startsWith(CONSTANT.begins))
  );
}

/** Longer than this a text in the place of reasoning is no placeholder any more. */
export const PLACEHOLDER_LENGTH = 80;
