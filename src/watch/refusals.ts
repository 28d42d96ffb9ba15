/** Plain words for `reasoning.rejection`, what the provider holds against the request. */
const REFUSALS: Readonly<Record<string, string>> = {
  prefix_mismatch: 'something in front of the reasoning has changed since',
  signature_invalid: 'a signature is not the one that was issued',
  latest_message_edited: 'the reasoning of the latest answer is not as it was issued',
  block_empty: 'a reasoning block came without text and without signature',
  leading_thinking_missing: 'the answer that goes on has to begin with its thinking',
  thinking_while_disabled: 'thinking is off, yet the latest answer holds thinking',
  member_missing: 'a reasoning block came back without one of its members',
  binding_header_missing: 'block_binding needs the beta header thinking-binding-controls-2026-08-01',
  config_enabled: 'this model does not take thinking type "enabled"',
  config_disabled: 'this model does not take thinking type "disabled"',
  config_between_tools: 'this model does not take thinking type "between_tools"',
  config_adaptive: 'this model does not take adaptive thinking',
  config_effort: 'effort cannot be set that way while thinking is off',
  tool_choice_forced: 'this model cannot be forced to call a tool while it thinks',
  tool_result_missing: 'a tool call has no result in the message after it',
  tool_result_orphan: 'a tool result belongs to no call of the answer before it',
  server_tool_open: 'a tool of the provider is still open',
  system_message_placement: 'a system message stands where none may stand',
  prefill: 'this model does not go on from a prefilled answer',
  follower_missing: 'a reasoning item came back without the item that it led to',
  reasoning_missing: 'reasoning that the request has to carry is missing',
  encrypted_content_invalid: 'encrypted reasoning could not be read as it was sent',
  item_not_stored: 'an item is only named, and the provider has not kept it',
  previous_response_not_found: 'the response that the request goes on from is not known',
  zero_data_retention: 'nothing is kept for this account, so no earlier response can be named',
  model_does_not_reason: 'reasoning was sent to a model that does not reason',
  tool_output_missing: 'a tool call has no result',
  tool_call_missing: 'a tool result belongs to no call',
  duplicate_item: 'an item was sent twice',
  unknown_member: 'an item has a member that the provider does not know',
  field_refused: 'a message has a reasoning member that this host does not take',
  signature_missing: 'a tool call came back without its signature',
  thinking_missing: 'an answer came back without the thinking in front of its tool call',
};

/** What to tell of a request that the provider refused; a class without a row is shown by its name. */
export function refusalWords(rejection: string): string {
  const known = Object.hasOwn(REFUSALS, rejection) ? REFUSALS[rejection] : undefined;
  return `The provider refused the request: ${known ?? rejection}.`;
}
