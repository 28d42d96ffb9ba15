import { asList, isWire, stableJson, type Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';

const CALL_OVERHEAD = 6;
const FILE_TOKENS = 1_600;

/** Tokens of a block that is not reasoning. Cache markers cost nothing. */
export function blockTokens(block: Wire): number {
  switch (block.type) {
    case 'text':
      return textTokens(String(block.text ?? ''));
    case 'tool_use':
    case 'server_tool_use':
      return CALL_OVERHEAD + textTokens(String(block.name)) + textTokens(stableJson(block.input));
    case 'tool_result':
      return CALL_OVERHEAD + contentTokens(block.content);
    case 'image':
    case 'document':
      return FILE_TOKENS;
    case 'compaction':
      return textTokens(String(block.content ?? ''));
    case 'fallback':
      return 0;
    default: {
      const { cache_control: _, ...rest } = block;
      return textTokens(stableJson(rest));
    }
  }
}

export function contentTokens(content: unknown): number {
  if (typeof content === 'string') return textTokens(content);
  return asList(content).reduce<number>((sum, block) => sum + (isWire(block) ? blockTokens(block) : 0), 0);
}
