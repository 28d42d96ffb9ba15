import { defaultOpenAiAgent } from '../openai/default-agent.ts';
import type { OpenAiModelRow } from '../openai/models.ts';
import type { OrganizationOptions } from '../openai/organization.ts';
import { createPrefixCache, type PrefixCache } from '../openai/prefix-cache.ts';
import type { OpenAiScript, OpenAiScriptOption } from '../openai/script.ts';
import { scriptOf } from '../script-parts.ts';
import { type CacheDiagnostics, createCacheDiagnostics } from './cache-diagnostics.ts';
import { RESPONSES_CONFLICTS, type ResponsesConflicts } from './conflicts.ts';
import { createIssuedItems, type IssuedItems } from './issued-items.ts';
import { createItemSealer, type ItemSealer } from './seal.ts';
import { createResponseStore, type ResponseStore } from './store.ts';

export interface ResponsesOptions {
  /** What the model answers. By default an agent that plans a few calls and then answers. */
  readonly script?: OpenAiScriptOption;
  /** The organization of every key that `organizations` does not name. */
  readonly organization?: OrganizationOptions;
  /** Organizations by API key. */
  readonly organizations?: Readonly<Record<string, OrganizationOptions>>;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<ResponsesConflicts>;
  /** Rows put before the built-in model table: deployment names, models to come. */
  readonly models?: readonly OpenAiModelRow[];
}

/** Everything one simulated Responses API knows and remembers. */
export interface ResponsesContext {
  readonly seed: string;
  readonly now: () => number;
  readonly options: ResponsesOptions;
  readonly conflicts: ResponsesConflicts;
  readonly script: OpenAiScript;
  readonly sealer: ItemSealer;
  readonly issued: IssuedItems;
  readonly store: ResponseStore;
  readonly cache: PrefixCache;
  readonly diagnostics: CacheDiagnostics;
}

export function createResponsesContext(seed: string, now: () => number, options: ResponsesOptions): ResponsesContext {
  const { conflicts = 'strict', script = defaultOpenAiAgent } = options;
  return {
    seed,
    now,
    options,
    conflicts:
      typeof conflicts === 'string' ? RESPONSES_CONFLICTS[conflicts] : { ...RESPONSES_CONFLICTS.strict, ...conflicts },
    script: scriptOf(script, 'responses.script', ({ answers }) => answers),
    sealer: createItemSealer(seed),
    issued: createIssuedItems(),
    store: createResponseStore(now),
    cache: createPrefixCache(now),
    diagnostics: createCacheDiagnostics(),
  };
}
