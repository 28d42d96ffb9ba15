import type { ProjectsOptions } from '../gemini/caller.ts';
import { defaultGeminiAgent } from '../gemini/default-agent.ts';
import type { GeminiModelRow } from '../gemini/models.ts';
import type { GeminiScript, GeminiScriptOption } from '../gemini/script.ts';
import { createThoughtSealer, type ThoughtSealer } from '../gemini/seal.ts';
import { createPrefixCache, type PrefixCache } from '../openai/prefix-cache.ts';
import { scriptOf } from '../script-parts.ts';
import type { Composed } from './compose.ts';
import { INTERACTIONS_CONFLICTS, type InteractionsConflicts } from './conflicts.ts';
import { createInteractionStore, type InteractionStore } from './store.ts';

export interface InteractionsOptions extends ProjectsOptions {
  /** What the model answers. By default an agent that plans a few calls and then answers. */
  readonly script?: GeminiScriptOption;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<InteractionsConflicts>;
  /** Rows put before the built-in model table. */
  readonly models?: readonly GeminiModelRow[];
}

/** Everything one simulated Interactions API knows and remembers. */
export interface InteractionsContext {
  readonly seed: string;
  readonly now: () => number;
  readonly options: InteractionsOptions;
  readonly conflicts: InteractionsConflicts;
  readonly script: GeminiScript;
  readonly sealer: ThoughtSealer;
  readonly cache: PrefixCache;
  readonly store: InteractionStore;
  /** What is still to come of answers that paused, by their token. */
  readonly paused: Map<string, readonly Composed[]>;
}

export function createInteractionsContext(
  seed: string,
  now: () => number,
  options: InteractionsOptions,
): InteractionsContext {
  const { conflicts = 'strict', script = defaultGeminiAgent } = options;
  return {
    seed,
    now,
    options,
    conflicts:
      typeof conflicts === 'string'
        ? INTERACTIONS_CONFLICTS[conflicts]
        : { ...INTERACTIONS_CONFLICTS.strict, ...conflicts },
    script: scriptOf(script, 'interactions.script', ({ answers }) => answers),
    sealer: createThoughtSealer(seed),
    cache: createPrefixCache(now),
    store: createInteractionStore(now),
    paused: new Map(),
  };
}
