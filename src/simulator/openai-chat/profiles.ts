import { asList, isWire } from '../json.ts';
import type { ChatProfile, HostRequest, Member, Upstream } from './profile.ts';
import {
  CARRIERLESS,
  CLAUDE,
  DEEPSEEK,
  GEMINI,
  GLM,
  GROK,
  KIMI,
  MIMO,
  MINIMAX,
  MISTRAL,
  OPEN_WEIGHTS,
  QWEN,
  upstreamOfSlug,
} from './upstreams.ts';

const always =
  <T>(value: T) =>
  (): T =>
    value;

const CONTENT: readonly Member[] = ['reasoning_content'];
const DETAILS: readonly Member[] = ['reasoning_details', 'reasoning', 'reasoning_content'];

/** DeepSeek's way: one string beside the content. */
function stringHost(id: string, upstream: ChatProfile['upstream'], more: Partial<ChatProfile> = {}): ChatProfile {
  return { id, upstream, delivers: always(CONTENT), reads: always(CONTENT), ...more };
}

function isStructured({ body }: HostRequest): boolean {
  const format = isWire(body.response_format) ? body.response_format.type : 'text';
  return format !== 'text' || asList(body.tools).length > 0;
}

/** `raw` by default, parsed where tools or JSON are asked for. https://console.groq.com/docs/reasoning */
function groqFormat(request: HostRequest): string {
  return String(request.body.reasoning_format ?? (isStructured(request) ? 'parsed' : 'raw'));
}

const GATEWAY: Omit<ChatProfile, 'id'> = {
  upstream: upstreamOfSlug,
  delivers: ({ body }) =>
    isWire(body.reasoning) && body.reasoning.exclude === true ? [] : ['reasoning', 'reasoning_details'],
  reads: always(DETAILS),
  thinks: ({ body }) => {
    const { enabled, effort } = isWire(body.reasoning) ? body.reasoning : {};
    return enabled !== false && (effort ?? body.reasoning_effort) !== 'none';
  },
  alwaysStreamsUsage: true,
};

/** With `modify_params` the proxy drops `thinking` from the request instead of having it refused, and only logs it. */
const LITELLM_CLAUDE: Upstream = {
  ...CLAUDE,
  requires: (request) => {
    const requirement = CLAUDE.requires?.(request);
    const switchesOff = request.conflicts.litellmMissingBlocks === 'thinking_off';
    return requirement && { ...requirement, switchesOff };
  },
};

const PROFILES: readonly ChatProfile[] = [
  // OpenAI has no member for reasoning: nothing comes, and what is sent is not looked at.
  { id: 'openai', upstream: always(CARRIERLESS), delivers: always([]), reads: always([]) },
  { id: 'xai', upstream: always({ ...CARRIERLESS, provider: GROK.provider }), delivers: always([]), reads: always([]) },
  stringHost('deepseek', always(DEEPSEEK), { usage: 'deepseek', deliversEmpty: true }),
  // The generation before V3.2, which refused what later ones demand.
  stringHost('deepseek-r1', always({ ...DEEPSEEK, turns: always('none' as const), requires: always(undefined) }), {
    usage: 'deepseek',
    refuses: always(CONTENT),
    refusal: () => 'The `reasoning_content` field is not supported in input messages.',
  }),
  stringHost('kimi', always(KIMI), { usage: 'kimi', deliversEmpty: true }),
  stringHost('mimo', always(MIMO), { deliversEmpty: true, envelope: 'mimo' }),
  stringHost('glm', always(GLM)),
  stringHost('qwen', always(QWEN)),
  stringHost('fireworks', always(OPEN_WEIGHTS)),
  // Its templates look at `reasoning_content`, then at tags; `reasoning` is lost without a word.
  stringHost('llamacpp', always(OPEN_WEIGHTS), { reads: always(['reasoning_content', 'think_tags']) }),
  {
    id: 'vllm',
    upstream: always(OPEN_WEIGHTS),
    delivers: always(['reasoning']),
    reads: ({ conflicts }) => (conflicts.vllmReads === 'both' ? ['reasoning', 'reasoning_content'] : ['reasoning']),
  },
  {
    id: 'minimax',
    upstream: always(MINIMAX),
    delivers: ({ body }) => (body.reasoning_split === true ? ['reasoning_details'] : ['think_tags']),
    reads: always(['reasoning_details', 'think_tags']),
  },
  {
    id: 'mistral',
    upstream: always(MISTRAL),
    delivers: always(['thinking_chunks']),
    reads: always(['thinking_chunks']),
  },
  {
    id: 'groq',
    upstream: always(OPEN_WEIGHTS),
    delivers: (request) => {
      const format = groqFormat(request);
      return format === 'hidden' ? [] : format === 'raw' ? ['think_tags'] : ['reasoning'];
    },
    reads: always(['reasoning', 'think_tags']),
    refuses: ({ conflicts }) =>
      conflicts.groqReasoningInput === 'refuse' ? ['reasoning_content', 'reasoning'] : ['reasoning_content'],
    refusal: (index, member) =>
      `'messages.${index}' : for 'role:assistant' the following must be satisfied[('messages.${index}' : property ` +
      `'${member}' is unsupported)]`,
    check: (request) =>
      request.body.reasoning_format === 'raw' && isStructured(request)
        ? "reasoning_format 'raw' is not supported with JSON mode or tools"
        : undefined,
  },
  {
    id: 'gemini',
    upstream: always(GEMINI),
    delivers: always(['thought_signature']),
    reads: always(['thought_signature']),
    envelope: 'google',
  },
  {
    id: 'litellm',
    upstream: ({ model }) => (/claude/.test(model) ? LITELLM_CLAUDE : OPEN_WEIGHTS),
    delivers: ({ model }) => (/claude/.test(model) ? ['reasoning_content', 'thinking_blocks'] : CONTENT),
    reads: ({ model }) => (/claude/.test(model) ? ['thinking_blocks'] : CONTENT),
    // The proxy asks for thinking only where the caller does.
    thinks: ({ body, model }) =>
      !/claude/.test(model) ||
      (isWire(body.thinking) && body.thinking.type !== 'disabled') ||
      (body.reasoning_effort != null && body.reasoning_effort !== 'none'),
    envelope: 'litellm',
  },
  { id: 'openrouter', ...GATEWAY, envelope: 'openrouter', idPrefix: 'gen-', namesProvider: true },
  { id: 'vercel', ...GATEWAY },
];

export const CHAT_PROFILE_IDS: readonly string[] = PROFILES.map(({ id }) => id);

export function findChatProfile(id: string | undefined, extra: readonly ChatProfile[] = []): ChatProfile | undefined {
  return [...extra, ...PROFILES].find((profile) => profile.id === id);
}
