import { asList, isWire, stableJson, type Wire } from '../json.ts';
import type { History } from './history.ts';
import { itemDigest } from './prefix.ts';
import type { ReasoningConfig } from './reasoning-config.ts';
import type { ResponsesRequest } from './request.ts';
import { newestCompaction, type View } from './view.ts';

/** What a request is compared by. */
interface CacheFacts {
  readonly organization: string;
  /** Front matter, in the order in which the API compares it. */
  readonly settings: Readonly<Record<MissReason, string>>;
  readonly items: readonly string[];
  readonly inputTokens: number;
}

type MissReason =
  | 'model_changed'
  | 'prompt_cache_key_changed'
  | 'tools_changed'
  | 'text_format_changed'
  | 'reasoning_effort_changed'
  | 'verbosity_changed'
  | 'service_tier_changed'
  | 'context_compacted';

export interface CacheDiagnostics {
  /** `prompt_cache_diagnostics`, where the request names a response to be compared with. */
  of(request: ResponsesRequest, history: History, view: View, config: ReasoningConfig): Wire | undefined;
  remember(id: string, request: ResponsesRequest, history: History, view: View, config: ReasoningConfig): void;
}

const LIMIT = 5_000;

/** https://platform.openai.com/docs/guides/prompt-caching */
export function createCacheDiagnostics(): CacheDiagnostics {
  const known = new Map<string, CacheFacts>();
  return {
    of(request, history, view, config) {
      const { prompt_cache_options: options } = request.body;
      if (!request.model.cacheOptions || !isWire(options) || options.comparison_response_id == null) return undefined;
      const before = known.get(String(options.comparison_response_id));
      if (before?.organization !== request.organization.id) return { type: 'comparison_response_not_found' };
      return compare(before, factsOf(request, history, view, config));
    },
    remember(id, request, history, view, config) {
      known.set(id, factsOf(request, history, view, config));
      for (const oldest of known.keys()) {
        if (known.size <= LIMIT) break;
        known.delete(oldest);
      }
    },
  };
}

function compare(before: CacheFacts, now: CacheFacts): Wire {
  const miss = (reason: string, tokens: number): Wire => ({ type: 'cache_miss', reason, cache_missed_tokens: tokens });
  for (const [reason, value] of Object.entries(before.settings)) {
    if (now.settings[reason as MissReason] !== value) return miss(reason, now.inputTokens);
  }
  const same = before.items.every((item, index) => item === now.items[index]);
  if (same) return { type: 'cache_hit' };
  const at = before.items.findIndex((item, index) => item !== now.items[index]);
  return miss('input_changed', Math.ceil(now.inputTokens * (1 - at / Math.max(1, now.items.length))));
}

function factsOf(
  { body, model, organization }: ResponsesRequest,
  { items }: History,
  { inputTokens }: View,
  config: ReasoningConfig,
): CacheFacts {
  const compaction = items[newestCompaction(items)];
  return {
    organization: organization.id,
    settings: {
      model_changed: model.id,
      prompt_cache_key_changed: String(body.prompt_cache_key ?? ''),
      tools_changed: stableJson(asList(body.tools)),
      text_format_changed: stableJson(config.format),
      reasoning_effort_changed: config.effort,
      verbosity_changed: isWire(body.text) ? String(body.text.verbosity ?? '') : '',
      service_tier_changed: String(body.service_tier ?? ''),
      context_compacted: String(compaction?.item.encrypted_content ?? ''),
    },
    items: items.filter(({ type }) => type !== 'compaction_trigger').map(itemDigest),
    inputTokens,
  };
}
