import type { Duty, ModelRow } from './models.ts';

/**
 * What differs from host to host, as data: which members of an assistant message carry reasoning, which of them the host
 * reads back, what it refuses. Hosts' own pages and the reports named, read 2026-11-30. Whatever a row leaves to the
 * `model` follows the maker's rule (models.ts): resellers apply it as a template, but rarely its validation.
 */
export interface Profile {
  readonly name: string;
  /** `gen_ai.provider.name`. */
  readonly provider: string;
  /** Against the host, or the label that stands for it. */
  readonly host: RegExp;
  /** Against host and path of the base URL, where a host has several ways in. */
  readonly path?: RegExp;
  /** Maker whose own host it is: without a host, the model's name leads here. */
  readonly vendor?: string;
  /** Members that it reads, its own first. Absent: not known, any. */
  readonly reads?: readonly Member[];
  /** Members that stand for one another on input, as documented by the host. */
  readonly aliases?: readonly Member[];
  /** `model`: as the maker of the model says. */
  readonly returns: Duty | 'model';
  /** `returns` holds for this maker's models; for others, what their makers say. */
  readonly onlyFor?: string;
  readonly readsAllIf?: ModelRow['readsAllIf'];
  /** Answers a request with a 400 where reasoning that it wants is missing. */
  readonly refusesMissing: boolean;
  /** Members that it refuses on an assistant message, in whichever turn. */
  readonly refuses?: readonly Member[];
  /** Refuses every reasoning member while thinking is off. */
  readonly refusesWhileOff?: boolean;
  /** Stands between client and maker: seals and rules are those of whoever is behind it. */
  readonly router?: boolean;
}

/** Where reasoning stands in an assistant message. Of a signature on a call: its path inside the call. */
export type Member =
  | 'reasoning_content'
  | 'reasoning'
  | 'reasoning_text'
  | 'thinking'
  | 'reasoning_details'
  | 'thinking_blocks'
  /** Chunk of a content list. */
  | 'content.thinking'
  /** `<think>…</think>` at the start of the content. */
  | 'content.<think>'
  | (string & {});

const TEXT = ['reasoning_content'] as const;

/** Where the chat template decides what is rendered, its own switch says so (model cards of Qwen3.5 and later). */
const TEMPLATE: ModelRow['readsAllIf'] = [{ path: 'chat_template_kwargs.preserve_thinking', is: [true] }];

export const PROFILES: readonly Profile[] = [
  // Order matters where one name is part of another: who stands between, what it is served by, then the makers.
  {
    name: 'openrouter',
    provider: 'openrouter',
    host: /openrouter/,
    // openrouter.ai reasoning-tokens: `reasoning_content` is an input alias; without seals the string is as good as the list.
    reads: ['reasoning_details', 'reasoning', 'reasoning_content'],
    aliases: ['reasoning', 'reasoning_content', 'reasoning_details'],
    returns: 'model',
    refusesMissing: false,
    router: true,
  },
  {
    name: 'vercel',
    provider: 'vercel',
    host: /ai-gateway\.vercel|vercel/,
    reads: ['reasoning_details', 'reasoning'],
    aliases: ['reasoning', 'reasoning_details'],
    returns: 'model',
    refusesMissing: false,
    router: true,
  },
  {
    name: 'litellm',
    provider: 'litellm',
    host: /litellm/,
    returns: 'model',
    refusesMissing: false,
    router: true,
  },
  {
    name: 'copilot',
    provider: 'openai',
    host: /copilot/,
    reads: ['reasoning_text', 'reasoning_opaque'],
    returns: 'model',
    refusesMissing: false,
    router: true,
  },
  {
    // Reports on OpenCode gateways: `Extra inputs are not permitted` while thinking is off, the missing-field 400 while on.
    name: 'opencode',
    provider: 'opencode',
    host: /opencode/,
    reads: TEXT,
    returns: 'model',
    refusesMissing: true,
    refusesWhileOff: true,
    router: true,
  },
  {
    // vllm-project/vllm#38488: newer chat code reads `reasoning` only, other versions map the old name to it.
    name: 'vllm',
    provider: 'vllm',
    host: /vllm/,
    reads: ['reasoning', 'reasoning_content'],
    returns: 'optional_later',
    readsAllIf: TEMPLATE,
    refusesMissing: false,
  },
  {
    name: 'sglang',
    provider: 'sglang',
    host: /sglang/,
    returns: 'optional_later',
    readsAllIf: TEMPLATE,
    refusesMissing: false,
  },
  {
    // Templates look at `reasoning_content`, then `thinking`, then the tags; `reasoning` is lost without a word.
    name: 'llama_cpp',
    provider: 'llama_cpp',
    host: /llama[._-]?cpp|llama-server|lm-?studio|omlx/,
    reads: ['reasoning_content', 'thinking', 'content.<think>'],
    aliases: ['reasoning_content', 'thinking', 'content.<think>'],
    returns: 'optional_later',
    readsAllIf: TEMPLATE,
    refusesMissing: false,
  },
  {
    name: 'azure',
    provider: 'azure.ai.openai',
    host: /azure/,
    returns: 'nothing',
    onlyFor: 'openai',
    refusesMissing: false,
  },
  {
    name: 'gemini',
    provider: 'gcp.gemini',
    host: /generativelanguage|aiplatform|gemini|vertex/,
    vendor: 'google',
    reads: ['extra_content.google.thought_signature'],
    returns: 'model',
    refusesMissing: true,
  },
  {
    name: 'deepseek',
    provider: 'deepseek',
    host: /deepseek/,
    vendor: 'deepseek',
    reads: TEXT,
    returns: 'model',
    refusesMissing: true,
  },
  {
    name: 'kimi',
    provider: 'moonshot_ai',
    host: /moonshot|kimi/,
    vendor: 'moonshot',
    reads: TEXT,
    returns: 'model',
    refusesMissing: true,
  },
  {
    name: 'mimo',
    provider: 'xiaomi',
    host: /mimo|xiaomi/,
    vendor: 'xiaomi',
    reads: TEXT,
    returns: 'model',
    refusesMissing: true,
  },
  {
    // The Coding Plan's endpoint preserves thinking unless told not to (docs.z.ai thinking-mode).
    name: 'glm_coding',
    provider: 'zhipu_ai',
    host: /(?:^|[^a-z])z\.ai|bigmodel|zhipu|glm.coding/,
    path: /\/coding|glm.coding/,
    reads: TEXT,
    returns: 'all_turns',
    refusesMissing: false,
  },
  {
    name: 'glm',
    provider: 'zhipu_ai',
    host: /(?:^|[^a-z])z\.ai|bigmodel|zhipu/,
    vendor: 'zhipu',
    reads: TEXT,
    returns: 'model',
    refusesMissing: false,
  },
  {
    name: 'minimax',
    provider: 'minimax',
    host: /minimax/,
    vendor: 'minimax',
    // text-openai-api: `<think>` inside the content, or the list with `reasoning_split`.
    reads: ['content.<think>', 'reasoning_details'],
    returns: 'model',
    refusesMissing: false,
  },
  {
    name: 'qwen',
    provider: 'alibaba_cloud',
    host: /dashscope|aliyuncs|bailian/,
    vendor: 'qwen',
    reads: TEXT,
    returns: 'model',
    refusesMissing: false,
  },
  {
    // The Chat endpoint has no field for it (docs.x.ai): each request starts without.
    name: 'xai',
    provider: 'x_ai',
    host: /(?:^|[^a-z])x\.ai|(?:^|[^a-z])xai(?:[^a-z]|$)/,
    vendor: 'xai',
    returns: 'nothing',
    refusesMissing: false,
  },
  {
    name: 'mistral',
    provider: 'mistral_ai',
    host: /mistral/,
    vendor: 'mistral',
    reads: ['content.thinking'],
    returns: 'model',
    refusesMissing: false,
  },
  {
    // janhq/jan#8136: `property 'reasoning_content' is unsupported`.
    name: 'groq',
    provider: 'groq',
    host: /groq/,
    reads: ['reasoning', 'content.<think>'],
    returns: 'optional_later',
    refusesMissing: false,
    refuses: TEXT,
  },
  {
    name: 'cerebras',
    provider: 'cerebras',
    host: /cerebras/,
    reads: ['reasoning', 'content.<think>'],
    returns: 'optional_later',
    refusesMissing: false,
  },
  {
    name: 'together',
    provider: 'together',
    host: /together/,
    reads: ['reasoning', 'reasoning_content'],
    returns: 'optional_later',
    refusesMissing: false,
  },
  {
    name: 'fireworks',
    provider: 'fireworks',
    host: /fireworks/,
    reads: TEXT,
    returns: 'optional_later',
    readsAllIf: [{ path: 'reasoning_history', is: ['preserved'] }],
    refusesMissing: false,
  },
  {
    name: 'novita',
    provider: 'novita',
    host: /novita/,
    reads: ['reasoning_content', 'reasoning_details'],
    returns: 'optional_later',
    refusesMissing: false,
  },
  {
    name: 'openai',
    provider: 'openai',
    host: /(?:^|[^a-z])openai\.com|^openai$/,
    vendor: 'openai',
    returns: 'nothing',
    refusesMissing: false,
  },
  {
    name: 'self_hosted',
    provider: 'openai',
    host: /^(?:https?:\/\/)?(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]|0\.0\.0\.0)|ollama/,
    returns: 'optional_later',
    readsAllIf: TEMPLATE,
    refusesMissing: false,
  },
];

/** Nothing is known of it: only what holds everywhere is judged. */
export const OTHER: Profile = {
  name: 'other',
  provider: 'openai',
  host: /(?!)/,
  returns: 'optional_later',
  refusesMissing: false,
};

/** An unknown gateway in front of models whose maker has no such endpoint: its models' own rules hold. */
export const GATEWAY: Profile = { ...OTHER, name: 'gateway', returns: 'model', router: true };

export function profileNamed(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
