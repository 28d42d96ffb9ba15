import { asList, isWire } from '../json.ts';
import type { HostRequest, Requirement, Upstream } from './profile.ts';

const hasTools = ({ body }: HostRequest): boolean => asList(body.tools).length > 0;
const thinkingOf = ({ body }: HostRequest) => (isWire(body.thinking) ? body.thinking : {});
const notDisabled = (request: HostRequest): boolean => thinkingOf(request).type !== 'disabled';
const effortNotNone = ({ body }: HostRequest): boolean => body.reasoning_effort !== 'none';

const UNSEALED = { seals: 'nothing', format: 'unknown' } as const;

/** https://api-docs.deepseek.com/guides/thinking_mode, read 2026-11-30; three generations of the rule. */
const DEEPSEEK_MISSING = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
const DEEPSEEK_SCOPE = { every_message: 'every_message', tool_turns: 'messages_of_tool_turns' } as const;

export const DEEPSEEK: Upstream = {
  ...UNSEALED,
  provider: 'DeepSeek',
  thinks: notDisabled,
  // Without tools whatever comes back is ignored.
  turns: (request) => (hasTools(request) ? 'all' : 'none'),
  requires(request) {
    const rule = request.conflicts.deepseekReturn;
    if (!hasTools(request) || rule === 'never') return undefined;
    return { of: DEEPSEEK_SCOPE[rule], message: () => DEEPSEEK_MISSING };
  },
};

/** https://platform.moonshot.ai, documents on thinking models, read 2026-11-30. */
const KIMI_PRESERVING = /kimi-(k2\.7-code|k3)/;

export const KIMI: Upstream = {
  ...UNSEALED,
  provider: 'Moonshot AI',
  thinks: (request) => KIMI_PRESERVING.test(request.model) || notDisabled(request),
  turns: (request) => (KIMI_PRESERVING.test(request.model) || thinkingOf(request).keep === 'all' ? 'all' : 'open_turn'),
  requires: () => ({
    of: 'open_tool_messages',
    message: (index) =>
      `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
  }),
};

/** Xiaomi's documents on MiMo. The exact error text is not published. */
export const MIMO: Upstream = {
  ...UNSEALED,
  provider: 'Xiaomi',
  thinks: notDisabled,
  turns: () => 'all',
  requires: () => ({
    of: 'tool_messages',
    message: () => 'The reasoning_content in the thinking mode must be passed back to the API.',
  }),
};

/** https://docs.z.ai, guide on thinking mode. Missing reasoning is no error. */
export const GLM: Upstream = {
  ...UNSEALED,
  provider: 'Z.AI',
  thinks: notDisabled,
  turns: (request) =>
    thinkingOf(request).clear_thinking === false || request.path.includes('/coding/') ? 'all' : 'open_turn',
};

/** https://platform.minimax.io, OpenAI-compatible API. M2 always thinks. */
export const MINIMAX: Upstream = {
  ...UNSEALED,
  provider: 'MiniMax',
  thinks: (request) => /m2/i.test(request.model) || notDisabled(request),
  turns: () => 'all',
};

/** Alibaba Cloud Model Studio, deep thinking. History is read only on request. */
export const QWEN: Upstream = {
  ...UNSEALED,
  provider: 'Alibaba',
  thinks: ({ body }) => body.enable_thinking !== false,
  turns: ({ body }) => (body.preserve_thinking === true ? 'all' : 'open_turn'),
};

/** https://docs.mistral.ai, guide on reasoning. */
export const MISTRAL: Upstream = { ...UNSEALED, provider: 'Mistral', thinks: effortNotNone, turns: () => 'all' };

/** Open weights behind a chat template, which mostly renders the turn under way only. */
export const OPEN_WEIGHTS: Upstream = {
  ...UNSEALED,
  provider: 'Open weights',
  thinks: ({ body }) =>
    effortNotNone({ body } as HostRequest) &&
    !(isWire(body.chat_template_kwargs) && body.chat_template_kwargs.enable_thinking === false),
  turns: ({ body }) => {
    const settings = isWire(body.chat_template_kwargs) ? body.chat_template_kwargs : {};
    return settings.preserve_thinking === true || body.reasoning_history === 'preserved' ? 'all' : 'open_turn';
  },
};

/** Models behind an endpoint that has no place for reasoning: each request thinks anew. */
export const CARRIERLESS: Upstream = {
  ...UNSEALED,
  provider: 'OpenAI',
  thinks: effortNotNone,
  turns: () => 'none',
};

/** https://ai.google.dev/gemini-api/docs/thought-signatures. Checked from Gemini 3 on. */
export const GEMINI: Upstream = {
  provider: 'Google AI Studio',
  seals: 'call',
  format: 'google-gemini-v1',
  thinks: () => true,
  turns: () => 'open_turn',
  requires: ({ model }) => (geminiGeneration(model) >= 3 ? GEMINI_REQUIREMENT : undefined),
  sealFailure: 'Corrupted thought signature.',
  bypasses: ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'],
  refusesPrefill: 'Requests ending with a model turn are not supported.',
};

const GEMINI_REQUIREMENT: Requirement = {
  of: 'open_tool_messages',
  message: (index, call) =>
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
    'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call ' +
    `\`default_api:${call}\` , position ${index + 1}.`,
};

function geminiGeneration(model: string): number {
  return Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 3);
}

/** Claude behind a gateway, with thinking that was asked for. */
export const CLAUDE: Upstream = {
  provider: 'Anthropic',
  seals: 'text',
  format: 'anthropic-claude-v1',
  thinks: notDisabled,
  turns: () => 'all',
  requires: () => ({
    of: 'open_tool_messages',
    onlyIssued: true,
    message: (index) =>
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`.`,
  }),
  sealFailure: 'Invalid `signature` in `thinking` block',
  runFailure:
    '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must ' +
    'remain as they were in the original response.',
};

/** OpenAI behind a gateway, which speaks the Responses API to it. A lost item is not missed. */
const OPENAI_RESPONSES: Upstream = {
  provider: 'OpenAI',
  seals: 'payload',
  format: 'openai-responses-v1',
  thinks: effortNotNone,
  turns: () => 'all',
  sealFailure:
    'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
};

export const GROK: Upstream = {
  ...OPENAI_RESPONSES,
  provider: 'xAI',
  format: 'xai-responses-v1',
  sealFailure: 'reasoning `encrypted_content` was not issued to this caller',
};

/** Upstreams of a gateway, by the vendor in the model's slug. https://openrouter.ai/docs, reasoning tokens. */
const BY_VENDOR: Readonly<Record<string, Upstream>> = {
  anthropic: CLAUDE,
  google: GEMINI,
  openai: OPENAI_RESPONSES,
  'x-ai': GROK,
  deepseek: DEEPSEEK,
  moonshotai: KIMI,
  'z-ai': GLM,
  minimax: MINIMAX,
  qwen: QWEN,
  mistralai: MISTRAL,
  xiaomi: MIMO,
};

export function upstreamOfSlug({ model }: HostRequest): Upstream {
  return BY_VENDOR[model.split('/')[0] ?? ''] ?? OPEN_WEIGHTS;
}
