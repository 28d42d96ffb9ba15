import type { CallError } from '../dialect.ts';

/** Refusals that concern reasoning or the chain that carries it; the loosest stable fragment of the message decides. */
interface ErrorRow {
  readonly rejection: string;
  readonly fragments: readonly string[];
}

export const SIGNATURE_INVALID = 'signature_invalid';
export const PREVIOUS_NOT_FOUND = 'previous_interaction_not_found';

const ERRORS: readonly ErrorRow[] = [
  { rejection: 'missing_thought_signature', fragments: ['missing a thought_signature'] },
  { rejection: 'missing_thought_signature', fragments: ['missing a `thought_signature`'] },
  { rejection: SIGNATURE_INVALID, fragments: ['orrupted thought signature'] },
  { rejection: SIGNATURE_INVALID, fragments: ['nvalid thought signature'] },
  { rejection: SIGNATURE_INVALID, fragments: ['hought signature is not valid'] },
  { rejection: SIGNATURE_INVALID, fragments: ['(TYPE_BYTES), Base64 decoding failed'] },
  // Before the schema of May 2026 thoughts were not to be sent back at all.
  { rejection: 'thoughts_refused', fragments: ['cannot contain thought blocks'] },
  { rejection: PREVIOUS_NOT_FOUND, fragments: ['previous_interaction_id'] },
];

/** Class of a refusal; undefined for an error that is none (overload, rate limit, network). */
export function classifyError(error: CallError): string | undefined {
  const message = error.message ?? '';
  const row = ERRORS.find((candidate) => candidate.fragments.every((fragment) => message.includes(fragment)));
  if (row !== undefined) return row.rejection;
  if (error.status === 404) return PREVIOUS_NOT_FOUND;
  return error.status === 400 ? 'unclassified' : undefined;
}
