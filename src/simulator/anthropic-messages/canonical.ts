import { asList, isWire, stableJson, type Wire } from '../json.ts';
import { isReasoning, type PlacedBlock } from './request.ts';

/**
 * What two requests may differ in without the conversation counting as changed: cache markers, `null` members, explicit
 * defaults, key order, string or one text block, whitespace around a text, blank texts.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */

/** One canonical string per block that belongs to the prefix. Reasoning is not part of it, nor is a fallback marker. */
export function canonicalBlocks(blocks: readonly PlacedBlock[]): string[] {
  return blocks
    .filter((placed) => !isReasoning(placed) && placed.type !== 'fallback')
    .map(({ block }) => canonicalBlock(block))
    .filter((block) => block !== undefined)
    .map(stableJson);
}

export function canonicalSystem(system: unknown): string {
  return stableJson(canonicalContent(system));
}

export function canonicalTool(tool: Wire): string {
  const kept: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(tool)) {
    if (member === 'cache_control' || value == null) continue;
    if (member in TOOL_DEFAULTS && stableJson(TOOL_DEFAULTS[member]) === stableJson(value)) continue;
    kept[member] = value;
  }
  return stableJson(kept);
}

const TOOL_DEFAULTS: Wire = {
  strict: false,
  eager_input_streaming: false,
  defer_loading: false,
  type: 'custom',
  description: '',
  allowed_callers: ['direct'],
};

function canonicalContent(content: unknown): unknown[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
  return blocks.map((block) => (isWire(block) ? canonicalBlock(block) : block)).filter((block) => block !== undefined);
}

/** Undefined for a blank text, which counts as absent. */
function canonicalBlock(block: Wire): Wire | undefined {
  const kept: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(block)) {
    if (member === 'cache_control' || value == null) continue;
    if (member === 'is_error' && value === false) continue;
    if (member === 'citations' && asList(value).length === 0 && !isWire(value)) continue;
    kept[member] = value;
  }
  if (block.type === 'text') {
    const text = String(block.text ?? '').trim();
    if (text === '') return undefined;
    kept.text = text;
  }
  // A call's input and a file's bytes are compared as they are; the content of a result is content again.
  if (block.type === 'tool_result') kept.content = canonicalContent(block.content);
  if (isWire(block.source) && typeof block.source.url === 'string') kept.source = withoutQuery(block.source);
  return kept;
}

/** The API compares the bytes behind a URL. Here the address without its query, where expiring signatures stand, stands for them. */
function withoutQuery(source: Wire): Wire {
  return { ...source, url: String(source.url).replace(/\?.*$/, '') };
}
