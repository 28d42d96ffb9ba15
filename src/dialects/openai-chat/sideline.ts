import type { ComparedAnswer } from './compare.ts';
import type { Match } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/**
 * A request that re-sends the visible history but none of its reasoning, and is not the run itself going on: a title or
 * summary helper (other system text, tools or model), or a branch from an answer that was already continued whole.
 */
export function isSideline(
  facts: RequestFacts,
  turns: Turns,
  compared: readonly ComparedAnswer[],
  match: Match,
): boolean {
  const newest = compared.at(-1)?.answer;
  if (newest === undefined || match.relabelled.length > 0) return false;
  if (compared.some(({ blocks }) => blocks.some((row) => row.message !== undefined))) return false;
  if (compared.some(({ fabricated }) => fabricated.length > 0)) return false;
  const { request } = newest;
  const system = request.system !== facts.system;
  const others = [
    request.tools !== facts.tools,
    request.model !== facts.model.id,
    request.reasoningOn === true && facts.thinking.on !== true,
  ].filter(Boolean).length;
  if (turns.open) return system && others >= 2;
  if (newest.continuations.size > 0 && !newest.continuations.has(turns.prefix)) return true;
  return system ? others >= 1 : others >= 2 && facts.toolCount === 0 && request.tools !== 0;
}
