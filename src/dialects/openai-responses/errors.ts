import type { CallError } from '../dialect.ts';

/**
 * Refusals that concern reasoning and the state around it, in order of precedence: the code decides where there is one,
 * else the loosest stable fragment of the message. Codes and texts as documented (guides/websocket-mode,
 * guides/conversation-state) and as reported (openai/codex#8119, vercel/ai#7543, continuedev/continue#11994 and others).
 */
interface ErrorRow {
  readonly rejection: string;
  readonly codes?: readonly string[];
  readonly fragments?: readonly string[];
}

/** Payloads that could not be read. */
export const SEALS_REFUSED = 'encrypted_content_invalid';
/** Reasoning items are not taken at all (Copilot and its like). */
const ITEMS_REFUSED = 'reasoning_items_refused';
/** Leaving reasoning out is the only valid move after these. */
export const OUT_OF_PLACE: ReadonlySet<string | undefined> = new Set([SEALS_REFUSED, ITEMS_REFUSED]);

const ERRORS: readonly ErrorRow[] = [
  {
    rejection: 'follower_missing',
    fragments: ["of type 'reasoning' was provided without its required following item"],
  },
  { rejection: 'reasoning_missing', fragments: ["was provided without its required 'reasoning' item"] },
  { rejection: 'item_not_stored', fragments: ['Items are not persisted when'] },
  { rejection: 'item_not_stored', fragments: ["Item with id 'rs_", 'not found'] },
  { rejection: SEALS_REFUSED, codes: ['invalid_encrypted_content'] },
  { rejection: SEALS_REFUSED, fragments: ['invalid_encrypted_content'] },
  { rejection: SEALS_REFUSED, fragments: ['encrypted content', 'could not be'] },
  { rejection: SEALS_REFUSED, fragments: ['encrypted content', 'did not match'] },
  { rejection: SEALS_REFUSED, fragments: ['encrypted_content was not issued to this caller'] },
  { rejection: 'zero_data_retention', fragments: ['cannot be used for this organization due to Zero Data Retention'] },
  { rejection: 'previous_response_not_found', codes: ['previous_response_not_found'] },
  { rejection: 'previous_response_not_found', fragments: ['previous_response_not_found'] },
  { rejection: 'previous_response_not_found', fragments: ['Previous response with id', 'not found'] },
  { rejection: 'tool_output_missing', fragments: ['No tool output found for'] },
  { rejection: 'tool_call_missing', fragments: ['No tool call found for'] },
  { rejection: 'duplicate_item', fragments: ['Duplicate item found with id'] },
  { rejection: 'member_missing', fragments: ['Missing required parameter', 'summary'] },
  { rejection: 'member_missing', fragments: ['missing required field', 'summary'] },
  { rejection: 'unknown_member', fragments: ["Unknown parameter: 'input["] },
  { rejection: 'item_id_invalid', fragments: ["Expected an ID that begins with 'rs'"] },
  { rejection: 'item_id_invalid', fragments: ["Invalid 'input[", ".id'"] },
  { rejection: ITEMS_REFUSED, fragments: ['reasoning', 'is not a valid input item type'] },
  { rejection: 'item_type_refused', fragments: ['is not a valid input item type'] },
  { rejection: 'reasoning_text_missing', fragments: ['in the thinking mode must be passed back to the API'] },
  { rejection: 'reasoning_item_empty', fragments: ["Cannot determine type of 'item'"] },
  { rejection: 'reasoning_item_empty', fragments: ["item['content'] is empty"] },
  { rejection: 'model_does_not_reason', fragments: ['Reasoning input items can only be provided to a reasoning'] },
  { rejection: 'model_does_not_reason', fragments: ['reasoning', 'not supported with this model'] },
];

/** Codes that name their own class: socket and steering (SDK typings). */
const OWN_CODES = new Set([
  'websocket_connection_limit_reached',
  'websocket_stream_limit_reached',
  'invalid_stream_id',
  'response_not_found',
  'invalid_input',
  'steering_not_supported',
  'too_many_pending_steers',
  'response_already_completed',
  'response_not_active',
  'successor_creation_failed',
]);

export interface Refusal {
  readonly rejection: string;
  /** Ids of items and responses that the message names. Digested at once by whoever reads it. */
  readonly ids: readonly string[];
  /** Index of the input item that the message names. */
  readonly index?: number;
  /** Tail of the message on a payload that belongs to another organisation. */
  readonly organization: boolean;
  /** Upstream that a router names as the one that refused. */
  readonly provider?: string;
}

/** Class of a refusal; undefined for an error that is none (overload, rate limit, network). */
export function classifyError(error: CallError): Refusal | undefined {
  const message = error.message ?? '';
  const code = error.code ?? '';
  const row = ERRORS.find(
    ({ codes, fragments }) =>
      codes?.includes(code) || fragments?.every((fragment) => message.toLowerCase().includes(fragment.toLowerCase())),
  );
  const index = /input\[(\d+)\]/.exec(message)?.[1];
  const detail = {
    ids: [...message.matchAll(/'?\b((?:rs|fc|msg|cmp|resp|ctc)_[\w-]+)/g)].flatMap(([, id]) => id ?? []),
    ...(index === undefined ? {} : { index: Number(index) }),
    organization: message.includes('organization_id'),
    ...(error.provider === undefined ? {} : { provider: error.provider }),
  };
  if (row !== undefined) return { rejection: row.rejection, ...detail };
  if (OWN_CODES.has(code)) return { rejection: code, ...detail };
  return error.status === 400 ? { rejection: 'unclassified', ...detail } : undefined;
}
