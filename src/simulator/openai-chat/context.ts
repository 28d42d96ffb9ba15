import { defaultOpenAiAgent } from '../openai/default-agent.ts';
import type { OpenAiModelRow } from '../openai/models.ts';
import type { OrganizationOptions } from '../openai/organization.ts';
import { createPrefixCache, type PrefixCache } from '../openai/prefix-cache.ts';
import type { OpenAiScript, OpenAiScriptOption } from '../openai/script.ts';
import { scriptOf } from '../script-parts.ts';
import { CHAT_CONFLICTS, type ChatConflicts } from './conflicts.ts';
import { createIssuedAnswers, type IssuedAnswers } from './issued-answers.ts';
import type { ChatProfile } from './profile.ts';
import { CHAT_PROFILE_IDS, findChatProfile } from './profiles.ts';
import { createThoughtSealer, type ThoughtSealer } from './seal.ts';

export interface ChatOptions {
  /** The host behind `/v1/chat/completions`; `/<profile>/v1/chat/completions` reaches any other. Default `openai`. */
  readonly profile?: string;
  /** What the model answers. By default an agent that plans a few calls and then answers. */
  readonly script?: OpenAiScriptOption;
  /** The organization of every key that `organizations` does not name. */
  readonly organization?: OrganizationOptions;
  /** Organizations by API key. */
  readonly organizations?: Readonly<Record<string, OrganizationOptions>>;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<ChatConflicts>;
  /** Hosts put before the built-in ones. */
  readonly profiles?: readonly ChatProfile[];
  /** Rows put before the built-in table of OpenAI's models. */
  readonly models?: readonly OpenAiModelRow[];
}

/** Everything that the simulated hosts of Chat Completions know and remember. */
export interface ChatContext {
  readonly seed: string;
  readonly now: () => number;
  readonly options: ChatOptions;
  readonly conflicts: ChatConflicts;
  readonly script: OpenAiScript;
  readonly sealer: ThoughtSealer;
  readonly issued: IssuedAnswers;
  readonly cache: PrefixCache;
}

export function createChatContext(seed: string, now: () => number, options: ChatOptions): ChatContext {
  const { conflicts = 'strict', script = defaultOpenAiAgent, profile } = options;
  if (profile !== undefined && !findChatProfile(profile, options.profiles)) {
    throw new TypeError(`chat.profile: no profile "${profile}"; there are ${CHAT_PROFILE_IDS.join(', ')}`);
  }
  return {
    seed,
    now,
    options,
    conflicts: typeof conflicts === 'string' ? CHAT_CONFLICTS[conflicts] : { ...CHAT_CONFLICTS.strict, ...conflicts },
    script: scriptOf(script, 'chat.script', ({ answers }) => answers),
    sealer: createThoughtSealer(seed),
    issued: createIssuedAnswers(),
    cache: createPrefixCache(now),
  };
}
