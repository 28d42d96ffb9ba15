import type { Wire } from '../json.ts';
import type { CacheUse } from '../openai/prefix-cache.ts';
import type { Composed } from './compose.ts';
import type { ChatProfile } from './profile.ts';
import type { ChatRequest } from './request.ts';

/** A `chat.completion` object. https://platform.openai.com/docs/api-reference/chat/object */
export function completionObject(
  { answersAs, profile, upstream, body }: ChatRequest,
  {
    id,
    created,
    message,
    composed,
    usage,
  }: { id: string; created: number; message: Wire; composed: Composed; usage: Wire },
): Wire {
  return {
    id,
    object: 'chat.completion',
    created,
    model: answersAs,
    ...(profile.namesProvider && { provider: upstream.provider }),
    choices: [{ index: 0, message, logprobs: null, finish_reason: composed.finishReason }],
    usage,
    ...(profile.id === 'openai' && { service_tier: body.service_tier ?? 'default', system_fingerprint: null }),
  };
}

/** `usage` in the host's own members. */
export function usageObject(profile: ChatProfile, use: CacheUse, { outputTokens, reasoningTokens }: Composed): Wire {
  const { total, cached } = use;
  return {
    prompt_tokens: total,
    completion_tokens: outputTokens,
    total_tokens: total + outputTokens,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    ...(profile.usage === 'deepseek' && { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: total - cached }),
    ...(profile.usage === 'kimi' && { cached_tokens: cached }),
  };
}
