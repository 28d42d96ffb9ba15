import type { CallError } from '../dialect.ts';

/**
 * Refusals that concern reasoning, in order of precedence. Gateways wrap a maker's error in their own, so the loosest stable
 * fragment decides, wherever in the message it stands: as documented (api-docs.deepseek.com, ai.google.dev
 * thought-signatures, developers.openai.com) and as reported (janhq/jan#8136, rikkahub#1690, BerriAI/litellm PR 41383).
 */
interface ErrorRow {
  readonly rejection: string;
  readonly fragments: readonly string[];
}

/** Reasoning that the target wants is not there. */
export const MISSING: readonly string[] = ['reasoning_missing', 'signature_missing', 'thinking_missing'];
/** Seals that it could not verify. */
export const UNREADABLE: readonly string[] = ['signature_invalid', 'ciphertext_invalid'];
/** A member that it does not take. */
export const FORBIDDEN: readonly string[] = ['field_refused', 'reasoning_items_refused'];

const ERRORS: readonly ErrorRow[] = [
  { rejection: 'reasoning_missing', fragments: ['in the thinking mode must be passed back to the api'] },
  { rejection: 'reasoning_missing', fragments: ['reasoning_content is missing in assistant tool call message'] },
  // Up to V3.2 (langchain-ai/langchain#34166 and others).
  { rejection: 'reasoning_missing', fragments: ['missing `reasoning_content` field in the assistant message'] },
  { rejection: 'signature_missing', fragments: ['missing a `thought_signature`'] },
  { rejection: 'signature_missing', fragments: ['missing a thought_signature'] },
  // OpenRouter, of Gemini (open-webui/open-webui#19328).
  { rejection: 'signature_missing', fragments: ['require openrouter reasoning details to be preserved'] },
  { rejection: 'signature_invalid', fragments: ['invalid thought signature'] },
  { rejection: 'signature_invalid', fragments: ['corrupted thought signature'] },
  { rejection: 'signature_invalid', fragments: ['thought signature is not valid'] },
  { rejection: 'signature_invalid', fragments: ['invalid `signature` in `thinking` block'] },
  { rejection: 'signature_invalid', fragments: ['invalid `signature` in'] },
  // The same from Amazon Bedrock (linanwx/nagobot#21), and of a block that came without one.
  { rejection: 'signature_invalid', fragments: ['invalid signature in thinking block'] },
  { rejection: 'signature_invalid', fragments: ['thinking.signature: field required'] },
  { rejection: 'thinking_missing', fragments: ['expected `thinking` or `redacted_thinking`'] },
  { rejection: 'field_refused', fragments: ['extra inputs are not permitted', 'reasoning'] },
  { rejection: 'field_refused', fragments: ['extra inputs are not permitted', 'thinking'] },
  { rejection: 'field_refused', fragments: ["property 'reasoning", 'is unsupported'] },
  { rejection: 'field_refused', fragments: ['reasoning_content', 'not supported'] },
  { rejection: 'field_refused', fragments: ['reasoning_content', 'is unsupported'] },
  // Models of a host that do not reason (vercel/ai#8057, suitenumerique/conversations#402).
  { rejection: 'field_refused', fragments: ['reasoning is not supported with this model'] },
  { rejection: 'field_refused', fragments: ['reasoning input is not enabled'] },
  { rejection: 'field_refused', fragments: ['unknown parameter', 'reasoning'] },
  { rejection: 'field_refused', fragments: ['unrecognized', 'reasoning_content'] },
  { rejection: 'reasoning_items_refused', fragments: ['is not a valid input item type'] },
  { rejection: 'ciphertext_invalid', fragments: ['encrypted content', 'could not be verified'] },
  { rejection: 'ciphertext_invalid', fragments: ['encrypted content', 'could not be decrypted'] },
  { rejection: 'ciphertext_invalid', fragments: ['not issued to this caller'] },
  { rejection: 'reasoning_item_empty', fragments: ["cannot determine type of 'item'"] },
  { rejection: 'reasoning_item_empty', fragments: ["item['content'] is empty"] },
  { rejection: 'tools_with_reasoning', fragments: ['function tools with reasoning_effort are not supported'] },
  { rejection: 'model_turn_last', fragments: ['requests ending with a model turn are not supported'] },
  { rejection: 'tool_output_missing', fragments: ['must be followed by tool messages'] },
  { rejection: 'tool_output_missing', fragments: ['number of function response parts is equal'] },
];

const CODES: Readonly<Record<string, string>> = { invalid_encrypted_content: 'ciphertext_invalid' };

export interface Refusal {
  readonly rejection: string;
  /** Index of the message that it names. */
  readonly message?: number;
  /** Member that it names. */
  readonly member?: string;
  /** Who refused, behind a router. */
  readonly upstream?: string;
}

const MEMBERS =
  /\b(reasoning_content|reasoning_details|reasoning_text|reasoning_opaque|thinking_blocks|reasoning|thinking)\b/;

/** Class of a refusal; undefined for an error that is none (overload, rate limit, network). */
export function classifyError(error: CallError): Refusal | undefined {
  // JSON inside JSON: its quotes are escaped once or more.
  const message = (error.message ?? '').replaceAll('\\', '');
  const lower = message.toLowerCase();
  const row = ERRORS.find(({ fragments }) => fragments.every((fragment) => lower.includes(fragment)));
  const rejection = row?.rejection ?? (error.code === undefined ? undefined : CODES[error.code]);
  const index = /(?:message at index|messages?[.[])\s*(\d+)/i.exec(message)?.[1];
  const member = MEMBERS.exec(message)?.[1];
  const detail = {
    ...(index === undefined ? {} : { message: Number(index) }),
    ...(member === undefined ? {} : { member }),
    ...(error.provider === undefined ? {} : { upstream: error.provider }),
  };
  if (rejection !== undefined) return { rejection, ...detail };
  return error.status === 400 || error.status === 422 ? { rejection: 'unclassified', ...detail } : undefined;
}
