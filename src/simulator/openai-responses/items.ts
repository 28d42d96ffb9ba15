import { asList, isWire, type Wire } from '../json.ts';

/** An item of the conversation as the model reads it, and where it came from. */
export interface PlacedItem {
  readonly item: Wire;
  readonly type: string;
  /** `input.3`, or `previous_response_id.3` and `conversation.3` for what the server held. */
  readonly path: string;
  readonly stored: boolean;
}

export function typeOf(item: Wire): string {
  return typeof item.type === 'string' ? item.type : item.role === undefined ? '' : 'message';
}

export function isReasoning({ type }: { readonly type: string }): boolean {
  return type === 'reasoning';
}

export function isUserMessage({ type, item }: PlacedItem): boolean {
  return type === 'message' && item.role === 'user';
}

/** What the model said, as against what the client or its tools did. */
export function isModelItem({ type, item }: { readonly type: string; readonly item: Wire }): boolean {
  if (type === 'message') return item.role === 'assistant';
  return type.endsWith('_call') || MODEL_TYPES.has(type);
}

const MODEL_TYPES = new Set([
  'reasoning',
  'compaction',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
  'program_output',
]);

interface CallRow {
  readonly output: string;
  /** As error messages call it. */
  readonly label: string;
  /** The member of the result that names the call. */
  readonly key: 'call_id' | 'id';
}

/** Calls that the client answers, by type. */
export const CALLS: Readonly<Record<string, CallRow>> = {
  function_call: { output: 'function_call_output', label: 'function call', key: 'call_id' },
  custom_tool_call: { output: 'custom_tool_call_output', label: 'custom tool call', key: 'call_id' },
  computer_call: { output: 'computer_call_output', label: 'computer call', key: 'call_id' },
  shell_call: { output: 'shell_call_output', label: 'shell call', key: 'call_id' },
  local_shell_call: { output: 'local_shell_call_output', label: 'local shell call', key: 'id' },
  apply_patch_call: { output: 'apply_patch_call_output', label: 'apply patch call', key: 'call_id' },
};

export const OUTPUTS: Readonly<Record<string, CallRow>> = Object.fromEntries(
  Object.values(CALLS).map((row) => [row.output, row]),
);

/** A message's text, whether it is written as a string or as parts. */
export function textOf({ content }: Wire): string {
  if (typeof content === 'string') return content;
  const texts = asList(content).filter(isWire);
  return texts.map(({ text, refusal }) => String(text ?? refusal ?? '')).join('\n');
}

/** Index of the item after the last message of the user: where the turn that is under way begins. */
export function turnStart(items: readonly PlacedItem[]): number {
  return items.findLastIndex(isUserMessage) + 1;
}
