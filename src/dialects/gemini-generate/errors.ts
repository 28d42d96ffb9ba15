import type { CallError } from '../dialect.ts';

/**
 * Refusals that concern reasoning, or the pairing that carries it, in order of precedence. The API answers all of them
 * with `INVALID_ARGUMENT`, so the loosest stable fragment of the message decides (ai.google.dev and cloud.google.com:
 * thought-signatures, troubleshooting; wordings as reported).
 */
interface ErrorRow {
  readonly rejection: string;
  readonly fragments: readonly string[];
}

export const MISSING_SIGNATURE = 'missing_thought_signature';
export const SIGNATURE_INVALID = 'signature_invalid';
export const RESULTS_MISPAIRED = 'function_response_mismatch';

const ERRORS: readonly ErrorRow[] = [
  { rejection: MISSING_SIGNATURE, fragments: ['missing a thought_signature'] },
  { rejection: MISSING_SIGNATURE, fragments: ['missing a `thought_signature`'] },
  // Parts of server-side tools: router-for-me/CLIProxyAPI#5652.
  { rejection: MISSING_SIGNATURE, fragments: ['missing thought_signature'] },
  { rejection: SIGNATURE_INVALID, fragments: ['orrupted thought signature'] },
  { rejection: SIGNATURE_INVALID, fragments: ['nvalid thought signature'] },
  { rejection: SIGNATURE_INVALID, fragments: ['hought signature is not valid'] },
  { rejection: SIGNATURE_INVALID, fragments: ['thought_signature', 'Base64 decoding failed'] },
  { rejection: SIGNATURE_INVALID, fragments: ['(TYPE_BYTES), Base64 decoding failed'] },
  {
    rejection: RESULTS_MISPAIRED,
    fragments: ['number of function response parts is equal to the number of function call parts'],
  },
  { rejection: 'content_empty', fragments: ['must include at least one parts field'] },
  { rejection: 'config_disabled', fragments: ['only works in thinking mode'] },
  { rejection: 'config_disabled', fragments: ['does not support setting thinking_budget to 0'] },
];

export interface Refusal {
  readonly rejection: string;
  /** Name of the function call that the API complains about. */
  readonly call?: string;
  /** Its content, counted from 1, as far as the wordings agree on it. */
  readonly position?: number;
}

/** Class of a refusal; undefined for an error that is none (overload, rate limit, network). */
export function classifyError(error: CallError): Refusal | undefined {
  const message = error.message ?? '';
  const row = ERRORS.find((candidate) => candidate.fragments.every((fragment) => message.includes(fragment)));
  if (row === undefined) return error.status === 400 ? { rejection: 'unclassified' } : undefined;
  const call = /[Ff]unction call `(?:default_api:)?([\w.:-]+)`/.exec(message)?.[1];
  const position = /position (\d+)|in the (\d+)\. content block/.exec(message);
  const place = position?.[1] ?? position?.[2];
  return {
    rejection: row.rejection,
    ...(call === undefined ? {} : { call }),
    ...(place === undefined ? {} : { position: Number(place) }),
  };
}
