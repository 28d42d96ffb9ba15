import type { AccountOptions } from './account.ts';
import { CONFLICT_PRESETS, type Conflicts } from './conflicts.ts';
import { defaultAgent } from './default-agent.ts';
import { createStickyRoutes, type StickyRoutes } from './fallback.ts';
import { createFallbackCredits, type FallbackCredits } from './fallback-credit.ts';
import { createIssuedSteps, type IssuedSteps } from './issued-steps.ts';
import type { ModelRow } from './models.ts';
import { createPromptCache, type PromptCache } from './prompt-cache.ts';
import { type Script, type ScriptOption, toScript } from './script.ts';
import { createSealer, type Sealer } from './seal.ts';
import { createThreadStore, type ThreadStore } from './threads.ts';

export interface AnthropicOptions {
  /** What the model answers. By default an agent that plans a few calls and then answers. */
  readonly script?: ScriptOption;
  /** The account of every key that `accounts` does not name. Default: one new account. */
  readonly account?: AccountOptions;
  /** Accounts by API key (bearer token, AWS access key). */
  readonly accounts?: Readonly<Record<string, AccountOptions>>;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<Conflicts>;
  /** Rows put before the built-in model table. */
  readonly models?: readonly ModelRow[];
  /** What `fallbacks: "default"` falls back to. */
  readonly defaultFallback?: string;
  /** Whether a conversation that fell back stays with the fallback model for an hour. Default true. */
  readonly stickyRouting?: boolean;
  /** `automatic` caches every request as if its last block had a marker; by default only marked prefixes are cached. */
  readonly caching?: 'markers' | 'automatic';
  /** Whether a refused prefix is diagnosed in the undocumented response header. Default true. */
  readonly diagnosisHeader?: boolean;
  /** Fields with which a thread is refused (`thread_unsupported_request`). Default none. */
  readonly unsupportedInThreads?: readonly string[];
}

/** Everything one simulated Messages API knows and remembers. */
export interface ApiContext {
  readonly seed: string;
  readonly now: () => number;
  readonly options: AnthropicOptions;
  readonly conflicts: Conflicts;
  readonly script: Script;
  readonly sealer: Sealer;
  readonly issued: IssuedSteps;
  readonly cache: PromptCache;
  readonly sticky: StickyRoutes;
  readonly threads: ThreadStore;
  readonly credits: FallbackCredits;
}

export function createContext(seed: string, now: () => number, options: AnthropicOptions): ApiContext {
  const { conflicts = 'strict', script = defaultAgent } = options;
  return {
    seed,
    now,
    options,
    conflicts:
      typeof conflicts === 'string' ? CONFLICT_PRESETS[conflicts] : { ...CONFLICT_PRESETS.strict, ...conflicts },
    script: toScript(script),
    sealer: createSealer(seed),
    issued: createIssuedSteps(),
    cache: createPromptCache(now),
    sticky: createStickyRoutes(now),
    threads: createThreadStore(now),
    credits: createFallbackCredits(seed, now),
  };
}
