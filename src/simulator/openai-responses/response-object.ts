import { asList, isWire, type Wire } from '../json.ts';
import type { CacheUse } from '../openai/prefix-cache.ts';
import type { Binding } from './binding.ts';
import type { ResponsesConflicts } from './conflicts.ts';
import type { Evaluated } from './evaluate.ts';

export interface ResponseParts {
  readonly id: string;
  readonly createdAt: number;
  readonly status: string;
  readonly output: readonly Wire[];
  readonly usage: Wire | null;
  readonly incompleteReason?: string;
  readonly error?: Wire;
  readonly diagnostics?: Wire;
}

/** A `response` object. https://platform.openai.com/docs/api-reference/responses/object */
export function responseObject(
  { request, config, binding, history }: Evaluated,
  parts: ResponseParts,
  conflicts: ResponsesConflicts,
): Wire {
  const { body, model, stores } = request;
  const transformations = transformationsOf(binding, model.bindsReasoning, conflicts);
  const text = isWire(body.text) ? body.text : {};
  return {
    id: parts.id,
    object: 'response',
    created_at: parts.createdAt,
    status: parts.status,
    background: body.background === true,
    completed_at: parts.status === 'completed' ? parts.createdAt : null,
    error: parts.error ?? null,
    incomplete_details: parts.incompleteReason === undefined ? null : { reason: parts.incompleteReason },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model: model.snapshot ?? model.id,
    output: parts.output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    ...(history.conversation && { conversation: { id: history.conversation.id } }),
    prompt_cache_key: body.prompt_cache_key ?? null,
    ...(model.cacheOptions && { prompt_cache_options: cacheOptions(body.prompt_cache_options) }),
    ...(parts.diagnostics && { prompt_cache_diagnostics: parts.diagnostics }),
    reasoning:
      model.efforts.length === 0
        ? { effort: null, summary: null }
        : { effort: config.effort, summary: config.summary, context: config.context, mode: config.mode },
    ...(transformations && { input_transformations: transformations }),
    safety_identifier: body.safety_identifier ?? null,
    service_tier: serviceTier(body.service_tier),
    store: stores,
    temperature: body.temperature ?? 1,
    text: { format: config.format, verbosity: text.verbosity ?? 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: asList(body.tools),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: parts.usage,
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

/** Models that bind reasoning to its conversation list what they left out, in input order. */
function transformationsOf(
  { removed }: Binding,
  binds: boolean,
  conflicts: ResponsesConflicts,
): readonly Wire[] | undefined {
  const bound = removed.filter(({ reason }) => reason !== 'turn_boundary');
  const listed = binds || conflicts.turnBoundaryReport === 'every_model' ? removed : bound;
  if (listed.length === 0 && !(binds && conflicts.emptyTransformations === 'empty_list')) return undefined;
  return listed.map(({ sealed, reason }) => ({ id: sealed.id, type: 'reasoning', action: 'removed', reason }));
}

function cacheOptions(asked: unknown): Wire {
  const options = isWire(asked) ? asked : {};
  return {
    mode: options.mode ?? 'implicit',
    ttl: options.ttl ?? '30m',
    ...(options.comparison_response_id !== undefined && { comparison_response_id: options.comparison_response_id }),
  };
}

/** `fast` is answered as `priority`. */
function serviceTier(asked: unknown): unknown {
  if (asked == null || asked === 'auto') return 'default';
  return asked === 'fast' ? 'priority' : asked;
}

/** `usage` of a response. */
export function usageObject(
  { total, cached, written }: CacheUse,
  outputTokens: number,
  reasoningTokens: number,
  countsWrites: boolean,
): Wire {
  return {
    input_tokens: total,
    input_tokens_details: { cached_tokens: cached, ...(countsWrites && { cache_write_tokens: written }) },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: total + outputTokens,
  };
}
