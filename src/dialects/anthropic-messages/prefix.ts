import { type Answer, type Chain, createChains, extend } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { PrefixChange } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer } from './compare.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** How the beginning in front of an answer differs from the one that it was given to. */
export function changeBefore(compared: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const { answer, message } = compared;
  const { request } = answer;
  // Behind the provider's own summary the prefix starts anew, by rules that no watcher can follow
  // (build-with-claude/compaction-thinking-blocks); what stands before it is gone.
  if (turns.compactionAt >= 0 && request.compaction !== turns.compaction) return 'none';
  if (request.system !== facts.system) return 'system';
  if (request.tools !== facts.tools.bound) return 'tools';
  for (const [name, own] of request.referencedTools) if (facts.tools.deferred.get(name) !== own) return 'tools';
  const prefix = turns.prefixOf[turns.groupOf[message] ?? message];
  return prefix === request.prefix ? 'none' : 'messages';
}

/** Tools that bind because something already refers to them. */
export function referencedTools(facts: RequestFacts, turns: Turns): ReadonlyMap<string, Digest> {
  const bound = new Map<string, Digest>();
  for (const [name, own] of facts.tools.deferred) if (turns.references.has(name)) bound.set(name, own);
  return bound;
}

/** A block in the row of those that the request sends. */
export interface SentSeal {
  readonly seal: Digest;
  /** Known: the answer and how many of its blocks stand before this one. */
  readonly answer?: Answer;
  readonly before?: number;
}

export interface SealChain {
  readonly chain: Chain<Digest> | undefined;
  /** Seals whose predecessors are not the ones that they were produced behind. */
  readonly broken: ReadonlySet<Digest>;
}

/**
 * Each block records the block before it. What is kept must be an unbroken stretch of the row in which it was produced:
 * cutting at the front or the end is allowed, a gap or a block put back is not (preserved-thinking, "what counts").
 */
export function checkSealChain(sent: readonly SentSeal[]): SealChain {
  const broken = new Set<Digest>();
  let chain: Chain<Digest> | undefined;
  for (const { seal, answer, before } of sent) {
    if (answer !== undefined) {
      let expected = answer.request.seals;
      for (const block of answer.blocks.slice(0, before)) {
        if (block.seal !== undefined && !block.superseded) expected = extend(expected, block.seal);
      }
      if (chain !== expected && !isTail(chain, expected)) broken.add(seal);
    }
    chain = answer === undefined ? extend(chain, seal) : shareNode(chain, answer, before ?? 0, seal);
  }
  return { chain, broken };
}

function isTail(kept: Chain<Digest> | undefined, produced: Chain<Digest> | undefined): boolean {
  let left = kept;
  let right = produced;
  while (left !== undefined && left !== right) {
    if (right === undefined || left.value !== right.value) return false;
    left = left.previous;
    right = right.previous;
  }
  return true;
}

const shareNode = createChains<Answer, Digest>();
