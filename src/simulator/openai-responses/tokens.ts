import { asList, isWire, stableJson, type Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import { textOf } from './items.ts';

const CALL_OVERHEAD = 6;
const FILE_TOKENS = 1_600;

/** Tokens of an item that is not reasoning. */
export function itemTokens(item: Wire, type: string): number {
  switch (type) {
    case 'message':
      return textTokens(textOf(item)) + fileTokens(item.content);
    case 'function_call':
    case 'custom_tool_call':
      return CALL_OVERHEAD + textTokens(String(item.name)) + textTokens(String(item.arguments ?? item.input ?? ''));
    case 'function_call_output':
    case 'custom_tool_call_output':
      return CALL_OVERHEAD + textTokens(outputText(item.output));
    case 'compaction_trigger':
      return 0;
    default:
      return textTokens(stableJson(item));
  }
}

function fileTokens(content: unknown): number {
  return asList(content).filter((part) => isWire(part) && part.text === undefined).length * FILE_TOKENS;
}

function outputText(output: unknown): string {
  return typeof output === 'string' ? output : stableJson(output);
}
