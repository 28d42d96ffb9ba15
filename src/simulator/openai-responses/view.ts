import { asList, digest, isWire, stableJson, type Wire } from '../json.ts';
import type { Segment } from '../openai/prefix-cache.ts';
import { textTokens } from '../text-tokens.ts';
import type { Binding } from './binding.ts';
import type { History } from './history.ts';
import type { PlacedItem } from './items.ts';
import { itemDigest } from './prefix.ts';
import type { ReasoningConfig } from './reasoning-config.ts';
import type { ResponsesRequest } from './request.ts';
import type { OpenedSeals } from './sealed-items.ts';
import { itemTokens } from './tokens.ts';

/** What the model reads of a request, piece by piece, for billing and for the prompt cache. */
export interface View {
  readonly segments: readonly Segment[];
  readonly inputTokens: number;
}

export function renderView(
  { body, model }: ResponsesRequest,
  { items }: History,
  seals: OpenedSeals,
  { shown }: Binding,
  config: ReasoningConfig,
): View {
  const tools = stableJson(asList(body.tools));
  const instructions: Segment[] =
    typeof body.instructions === 'string'
      ? [{ hash: digest('instructions', body.instructions), tokens: textTokens(body.instructions) }]
      : [];
  const tokens = asList(body.tools).length > 0 ? textTokens(tools) : 0;
  const segments: Segment[] = [{ hash: digest(tools, stableJson(config.format), config.effort), tokens }];
  // From GPT-6.2 on instructions stand behind the input, where they cannot be read from the cache.
  if (!model.bindsReasoning) segments.push(...instructions);
  const visible = new Map(shown.map(({ placed, sealed }) => [placed, sealed]));
  for (const placed of items.slice(Math.max(0, newestCompaction(items)))) {
    if (placed.type !== 'reasoning') segments.push(segmentOf(placed, seals));
    const sealed = visible.get(placed);
    if (sealed) segments.push({ hash: digest('reasoning', sealed.id), tokens: sealed.tokens });
  }
  if (model.bindsReasoning) segments.push(...instructions);
  return { segments, inputTokens: segments.reduce((sum, one) => sum + one.tokens, 0) };
}

export function newestCompaction(items: readonly PlacedItem[]): number {
  return items.findLastIndex(({ type }) => type === 'compaction');
}

function segmentOf(placed: PlacedItem, seals: OpenedSeals): Segment {
  const sealed = seals.get(placed);
  if (sealed) return { hash: digest('compaction', sealed.id), tokens: sealed.tokens };
  const { item, type } = placed;
  const segment = { hash: itemDigest(placed), tokens: itemTokens(item, type) };
  return hasBreakpoint(item) ? { ...segment, breakpoint: true } : segment;
}

function hasBreakpoint({ content, output }: Wire): boolean {
  return [...asList(content), ...asList(output)].some((part) => isWire(part) && isWire(part.prompt_cache_breakpoint));
}
