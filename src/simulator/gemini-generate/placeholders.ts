import type { Caller } from '../gemini/caller.ts';
import type { GeminiConflicts } from './conflicts.ts';

/** Taken for calls that this API never issued. https://ai.google.dev/gemini-api/docs/thought-signatures */
const DOCUMENTED: Readonly<Record<string, readonly Caller['host'][]>> = {
  skip_thought_signature_validator: ['developer', 'vertex'],
  context_engineering_is_the_way_to_go: ['developer'],
};
/** What `@langchain/google-genai` puts on every call that has none. */
const HARD_CODED = { begins: 'ErYCCrMCAdHtim9kOoOkrPiC', length: 420 } as const;

export function isPlaceholder(token: string, { host }: Caller, conflicts: GeminiConflicts): boolean {
  if (token.startsWith(HARD_CODED.begins) && token.length === HARD_CODED.length) return true;
  const plain = Buffer.from(token, 'base64').toString('utf8');
  const names = conflicts.encodedPlaceholder === 'accept' ? [token, plain] : [token];
  return names.some((name) => Object.hasOwn(DOCUMENTED, name) && DOCUMENTED[name]?.includes(host));
}
