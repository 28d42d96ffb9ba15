import type { Answer } from './answer.ts';
import type { Digest } from './digest.ts';

/** What a request asks with, beside its history. */
export interface Asking {
  readonly api: string;
  readonly system: Digest;
  readonly tools: Digest;
  readonly hasTools: boolean;
  readonly model: string;
  /** Reasoning that was on before is off. */
  readonly isReasoningOff: boolean;
  /** It stands in a cycle. */
  readonly open: boolean;
  /** Digest chain over all that it sends. */
  readonly prefix: Digest;
}

/**
 * Whether a request that took no reasoning along is not the run itself going on: a title or summary helper (other system
 * text, tools or model), or a branch from an answer that was already continued whole.
 *
 * Each API writes system text and tools in its own way, so a request is held against what its own API was asked before. A run
 * that comes to an API for the first time, behind answers that another one gave, goes on there: as a fallback it takes
 * its tools along, which a helper has no use for.
 * @param answers those that the request re-sends, oldest first.
 */
export function isAside(asking: Asking, answers: readonly Answer[]): boolean {
  const newest = answers.at(-1);
  if (newest === undefined) return false;
  const own = answers.findLast(({ request }) => request.api === asking.api);
  if (own === undefined) return !asking.hasTools && newest.request.tools !== 0;
  const { request } = own;
  const system = request.system !== asking.system;
  const others = [
    request.tools !== asking.tools,
    request.model !== asking.model,
    request.reasoningOn === true && asking.isReasoningOff,
  ].filter(Boolean).length;
  if (asking.open) return system && others >= 2;
  if (own === newest && newest.continuations.size > 0 && !newest.continuations.has(asking.prefix)) return true;
  return system ? others >= 1 : others >= 2 && !asking.hasTools && request.tools !== 0;
}
