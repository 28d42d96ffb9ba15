import type { ProjectsOptions } from '../gemini/caller.ts';
import { defaultGeminiAgent } from '../gemini/default-agent.ts';
import type { GeminiModelRow } from '../gemini/models.ts';
import type { GeminiScript, GeminiScriptOption } from '../gemini/script.ts';
import { createThoughtSealer, type ThoughtSealer } from '../gemini/seal.ts';
import { createPrefixCache, type PrefixCache } from '../openai/prefix-cache.ts';
import { scriptOf } from '../script-parts.ts';
import { type ContextCaches, createContextCaches } from './cached-contents.ts';
import type { Composed } from './compose.ts';
import { GEMINI_CONFLICTS, type GeminiConflicts } from './conflicts.ts';

/** How the chunks of a streamed answer are cut. All of these have been seen. */
export interface GeminiStreamOptions {
  /** The finish reason with the last part, or in a chunk without content. Default `with_last_part`. */
  readonly finish?: 'with_last_part' | 'own_chunk';
  /** Parallel calls in one chunk, or in one each. Default `together`. */
  readonly calls?: 'together' | 'apart';
  /** The signature of a text on an empty text behind it, or on its last piece. Default `empty_text`. */
  readonly signature?: 'empty_text' | 'last_piece';
}

export interface GeminiOptions extends ProjectsOptions {
  /** What the model answers. By default an agent that plans a few calls and then answers. */
  readonly script?: GeminiScriptOption;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<GeminiConflicts>;
  /** Rows put before the built-in model table: aliases, tuned models, models to come. */
  readonly models?: readonly GeminiModelRow[];
  readonly stream?: GeminiStreamOptions;
}

/** Everything one simulated generateContent API knows and remembers. */
export interface GeminiContext {
  readonly seed: string;
  readonly now: () => number;
  readonly options: GeminiOptions;
  readonly conflicts: GeminiConflicts;
  readonly script: GeminiScript;
  readonly sealer: ThoughtSealer;
  readonly cache: PrefixCache;
  readonly contextCaches: ContextCaches;
  /** What is still to come of answers that paused, by their token. */
  readonly paused: Map<string, readonly Composed[]>;
}

export function createGeminiContext(seed: string, now: () => number, options: GeminiOptions): GeminiContext {
  const { conflicts = 'strict', script = defaultGeminiAgent } = options;
  return {
    seed,
    now,
    options,
    conflicts:
      typeof conflicts === 'string' ? GEMINI_CONFLICTS[conflicts] : { ...GEMINI_CONFLICTS.strict, ...conflicts },
    script: scriptOf(script, 'gemini.script', ({ answers }) => answers),
    sealer: createThoughtSealer(seed),
    cache: createPrefixCache(now),
    contextCaches: createContextCaches(now),
    paused: new Map(),
  };
}
