import type { CallError } from '../dialect.ts';

/**
 * Refusals that concern reasoning, in order of precedence. The Messages API gives no error code for any of them
 * (`@anthropic-ai/sdk` 1.14, `error.details.error_code`), so the loosest stable fragment of the message decides;
 * platform.claude.com thinking-troubleshooting and api/errors.
 */
interface ErrorRow {
  readonly rejection: string;
  readonly fragments: readonly string[];
}

const ERRORS: readonly ErrorRow[] = [
  { rejection: 'prefix_mismatch', fragments: ['bound to a different conversation'] },
  { rejection: 'signature_invalid', fragments: ['Invalid `signature` in'] },
  { rejection: 'latest_message_edited', fragments: ['cannot be modified'] },
  { rejection: 'block_empty', fragments: ['each thinking block must contain thinking'] },
  { rejection: 'leading_thinking_missing', fragments: ['Expected `thinking` or `redacted_thinking`'] },
  { rejection: 'leading_thinking_missing', fragments: ['contains any thinking blocks, the first block must be'] },
  // Other makers that speak this dialect: DeepSeek (api-docs.deepseek.com guides/thinking_mode) and Kimi.
  { rejection: 'reasoning_missing', fragments: ['in the thinking mode must be passed back'] },
  { rejection: 'reasoning_missing', fragments: ['reasoning_content is missing in assistant tool call message'] },
  { rejection: 'thinking_while_disabled', fragments: ['When thinking is disabled'] },
  { rejection: 'member_missing', fragments: ['thinking.signature: Field required'] },
  { rejection: 'member_missing', fragments: ['thinking.thinking: Field required'] },
  { rejection: 'member_missing', fragments: ['redacted_thinking.data: Field required'] },
  { rejection: 'binding_header_missing', fragments: ['block_binding: Extra inputs are not permitted'] },
  { rejection: 'config_enabled', fragments: ['thinking.type.enabled', 'not supported'] },
  { rejection: 'config_disabled', fragments: ['thinking.type.disabled', 'not supported'] },
  { rejection: 'config_disabled', fragments: ['To turn thinking off on this model'] },
  { rejection: 'config_between_tools', fragments: ['thinking.type.between_tools', 'not supported'] },
  { rejection: 'config_adaptive', fragments: ['adaptive thinking is not supported'] },
  { rejection: 'config_effort', fragments: ['not supported when thinking is disabled'] },
  { rejection: 'config_effort', fragments: ['effort cannot change when thinking is disabled'] },
  { rejection: 'tool_choice_forced', fragments: ['tool_choice: type "tool" and "any" are not supported'] },
  { rejection: 'tool_result_missing', fragments: ['ids were found without `tool_result` blocks'] },
  { rejection: 'tool_result_orphan', fragments: ['unexpected `tool_use_id` found in'] },
  { rejection: 'server_tool_open', fragments: ['was found without a corresponding'] },
  { rejection: 'server_tool_open', fragments: ['tool was provided'] },
  { rejection: 'system_message_placement', fragments: ["role 'system' must follow"] },
  { rejection: 'prefill', fragments: ['does not support assistant message prefill'] },
];

/** Codes that name their own class. */
const CODES = /^(?:compaction|thread|tool|available_tools)_[a-z_]+$/;

export interface Refusal {
  readonly rejection: string;
  /** `messages.{i}.content.{j}` as the provider wrote it. */
  readonly path?: string;
}

/** Class of a refusal; undefined for an error that is none (overload, rate limit, network). */
export function classifyError(error: CallError): Refusal | undefined {
  if (error.code !== undefined && CODES.test(error.code)) return { rejection: error.code };
  const message = error.message ?? '';
  const row = ERRORS.find((candidate) => candidate.fragments.every((fragment) => message.includes(fragment)));
  const path = /messages\.\d+\.content\.\d+/.exec(message)?.[0];
  if (row !== undefined) return { rejection: row.rejection, ...(path === undefined ? {} : { path }) };
  return error.status === 400 ? { rejection: 'unclassified' } : undefined;
}
