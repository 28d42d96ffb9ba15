/**
 * Values that pass the API's check of a signature and carry nothing (ai.google.dev gemini-api/docs/thought-signatures:
 * for calls that were injected or came from another model). The last is what `@langchain/google-genai` puts there.
 */
const DOCUMENTED = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
/** Some proxies encode them once more. */
const KNOWN = new Set(DOCUMENTED.flatMap((value) => [value, Buffer.from(value).toString('base64'), base64url(value)]));
const LANGCHAIN = { start: 'ErYCCrMCAdHtim9kOoOkrPiC', length: 420 } as const;

/** Looked at first: to hash a long seal costs as much as to read it. */
const LENGTHS = new Set([...KNOWN].map(({ length }) => length));

/** Whether a signature is one of the values that stand for none. */
export function isPlaceholder(signature: string): boolean {
  if (LENGTHS.has(signature.length)) return KNOWN.has(signature);
  return signature.length === LANGCHAIN.length && signature.startsWith(LANGCHAIN.start);
}

function base64url(value: string): string {
  return Buffer.from(value).toString('base64url');
}
