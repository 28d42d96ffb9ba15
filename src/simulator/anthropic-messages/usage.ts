import type { Wire } from '../json.ts';
import type { CacheUse } from './prompt-cache.ts';

export interface Usage {
  readonly input: CacheUse;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  readonly iterations?: readonly Wire[];
  readonly batch?: boolean;
  /** A fallback credit was presented. */
  readonly redeemed?: boolean;
}

/** `usage` of a message. */
export function usageWire({ input, outputTokens, thinkingTokens, iterations, batch, redeemed }: Usage): Wire {
  return {
    ...inputWire(input),
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    ...(iterations && { iterations }),
    ...(redeemed && { fallback_credit: { status: { type: 'redeemed' } } }),
    service_tier: batch ? 'batch' : 'standard',
  };
}

export function inputWire(input: CacheUse): Wire {
  return {
    input_tokens: input.fresh,
    cache_creation_input_tokens: input.written5m + input.written1h,
    cache_read_input_tokens: input.read,
    cache_creation: { ephemeral_5m_input_tokens: input.written5m, ephemeral_1h_input_tokens: input.written1h },
  };
}

/** An entry of `usage.iterations`. */
export function iteration(type: string, model: string | undefined, input: CacheUse, outputTokens: number): Wire {
  return { type, ...(model !== undefined && { model }), ...inputWire(input), output_tokens: outputTokens };
}
