import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { BETAS } from './betas.ts';
import type { ModelRow } from './models.ts';
import type { Platform } from './platform.ts';
import type { PlacedMessage } from './request.ts';

export type ThinkingMode = 'adaptive' | 'enabled' | 'between_tools' | 'off';

/** What the `thinking` parameter, or its absence, comes to on one model. */
export interface ResolvedThinking {
  readonly mode: ThinkingMode;
  readonly display: 'summarized' | 'omitted' | 'updates';
  readonly budget?: number;
  readonly effort: string;
  readonly prefixBehavior?: 'error' | 'drop_block';
  /** Whether the model may think between tool calls. */
  readonly interleaved: boolean;
}

export interface ThinkingRequest {
  readonly model: ModelRow;
  readonly platform: Platform;
  readonly betas: ReadonlySet<string>;
  readonly body: Wire;
  readonly messages: readonly PlacedMessage[];
  readonly maxTokens: number;
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  adaptive: ['type', 'display', 'block_binding'],
  enabled: ['type', 'display', 'block_binding', 'budget_tokens'],
  between_tools: ['type'],
  disabled: ['type'],
};

/**
 * Applies a model's row of the configuration table.
 * https://platform.claude.com/docs/en/build-with-claude/thinking and .../thinking-troubleshooting
 */
export function resolveThinking(request: ThinkingRequest): ResolvedThinking | ApiFailure {
  const { model, body, betas } = request;
  const config = isWire(body.thinking) ? body.thinking : { type: model.omitted === 'off' ? 'disabled' : 'adaptive' };
  const type = String(config.type);
  if (isWire(body.thinking)) {
    const refusal = refusedType(model, type) ?? refusedMembers(request, config, type);
    if (refusal) return refusal;
  }
  const effort = effortOf(body.output_config) ?? model.defaultEffort ?? 'high';
  const refusedByEffort = refusedEffort(request, type, effort);
  if (refusedByEffort) return refusedByEffort;

  const binding = bindingOf(config, request.platform);
  if (binding !== undefined && binding !== 'error' && binding !== 'drop_block') {
    return invalid(`thinking.${type}.block_binding.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'`);
  }
  const mode = type === 'disabled' ? 'off' : (type as ThinkingMode);
  const display = displayOf(config) ?? (mode === 'between_tools' ? 'summarized' : model.display);
  return {
    mode,
    display,
    effort,
    ...(typeof config.budget_tokens === 'number' && { budget: config.budget_tokens }),
    ...(binding && { prefixBehavior: binding }),
    interleaved:
      mode === 'adaptive' ||
      mode === 'between_tools' ||
      (mode === 'enabled' && model.manualInterleaving === 'beta' && betas.has(BETAS.interleaved)),
  };
}

function refusedType(model: ModelRow, type: string): ApiFailure | undefined {
  switch (type) {
    case 'adaptive':
      return model.adaptive ? undefined : invalid('adaptive thinking is not supported on this model');
    case 'enabled':
      if (model.enabled) return undefined;
      return invalid(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and ' +
          '"output_config.effort" to control thinking behavior.',
      );
    case 'between_tools':
      return model.betweenTools === 'no'
        ? invalid('"thinking.type.between_tools" is not supported for this model.')
        : undefined;
    case 'disabled':
      if (model.disabled !== 'no') return undefined;
      return invalid(
        '"thinking.type.disabled" is not supported for this model.' +
          (model.betweenTools === 'no'
            ? ''
            : ' To turn thinking off on this model, use "thinking.type.between_tools".'),
      );
    default:
      return invalid(
        `thinking: Input tag '${type}' found using 'type' does not match any of the expected tags: ` +
          "'adaptive', 'between_tools', 'disabled', 'enabled'",
      );
  }
}

function refusedMembers(request: ThinkingRequest, config: Wire, type: string): ApiFailure | undefined {
  const { betas, maxTokens } = request;
  const extra = (member: string): ApiFailure => invalid(`thinking.${type}.${member}: Extra inputs are not permitted`);
  for (const member of Object.keys(config)) {
    if (config[member] === undefined) continue;
    if (!MEMBERS[type]?.includes(member)) return extra(member);
    if (member === 'block_binding' && config[member] !== null && !betas.has(BETAS.bindingControls)) {
      return extra(member);
    }
  }
  const display = config.display ?? undefined;
  const displays = betas.has(BETAS.displayUpdates) ? ['summarized', 'omitted', 'updates'] : ['summarized', 'omitted'];
  if (display !== undefined && !displays.includes(String(display))) {
    return invalid(`thinking.${type}.display: Input should be ${displays.map((one) => `'${one}'`).join(' or ')}`);
  }
  if (type === 'enabled') {
    const budget = config.budget_tokens;
    if (typeof budget !== 'number') return invalid('thinking.enabled.budget_tokens: Field required');
    if (budget < 1024) {
      return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    }
    if (budget >= maxTokens && !betas.has(BETAS.interleaved)) {
      return invalid('`max_tokens` must be greater than `thinking.budget_tokens`');
    }
  }
  return undefined;
}

function refusedEffort(request: ThinkingRequest, type: string, effort: string): ApiFailure | undefined {
  const { model, messages } = request;
  const limited =
    (type === 'disabled' && model.disabled === 'low_effort') ||
    (type === 'between_tools' && model.betweenTools === 'low_effort');
  if (!limited) return undefined;
  if (effort === 'xhigh' || effort === 'max') {
    return invalid(`output_config.effort: "${effort}" is not supported when thinking is disabled on this model`);
  }
  if (model.oneEffortWhenOff) {
    for (const { role, wire, path } of messages) {
      const own = role === 'system' ? effortOf(wire.output_config) : undefined;
      if (own !== undefined && own !== effort) {
        return invalid(`${path}.output_config: effort cannot change when thinking is disabled on this model`);
      }
    }
  }
  return undefined;
}

function effortOf(outputConfig: unknown): string | undefined {
  return isWire(outputConfig) && typeof outputConfig.effort === 'string' ? outputConfig.effort : undefined;
}

function displayOf(config: Wire): ResolvedThinking['display'] | undefined {
  const { display } = config;
  return display === 'summarized' || display === 'omitted' || display === 'updates' ? display : undefined;
}

function bindingOf(config: Wire, platform: Platform): string | undefined {
  const binding = config.block_binding;
  if (!isWire(binding)) return undefined;
  if (typeof binding.prefix_mismatch_behavior === 'string') return binding.prefix_mismatch_behavior;
  // Bedrock's spelling of September 2026; its default dropped.
  if (platform === 'bedrock' && 'mismatch_behavior' in binding)
    return String(binding.mismatch_behavior ?? 'drop_block');
  return undefined;
}
