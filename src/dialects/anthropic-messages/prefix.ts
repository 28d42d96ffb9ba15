import { type Answer, type Chain, extend, type IssuedBlock } from '../../continuity/answer.ts';
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
  if (request.referencedTools.size > 0) {
    for (const [name, own] of request.referencedTools) if (facts.tools.deferred.get(name) !== own) return 'tools';
  }
  const prefix = turns.prefixOf[turns.groupOf[message] ?? message];
  return prefix === request.prefix ? 'none' : 'messages';
}

/** Tools that bind because something already refers to them. */
export function referencedTools(facts: RequestFacts, turns: Turns): ReadonlyMap<string, Digest> {
  const bound = new Map<string, Digest>();
  for (const [name, own] of facts.tools.deferred) if (turns.refersTo(name)) bound.set(name, own);
  return bound;
}

/** A piece of the row of seals that a request sends: a whole answer, a known block, or a seal that nobody here saw issued. */
export type Sent = Answer | IssuedBlock | Digest;

export interface SealChain {
  readonly chain: Chain<Digest> | undefined;
  /** Seals whose predecessors are not the ones that they were produced behind. */
  readonly broken: ReadonlySet<Digest>;
}

/**
 * Each block records the block before it. What is kept must be an unbroken stretch of the row in which it was produced:
 * cutting at the front or the end is allowed, a gap or a block put back is not (preserved-thinking, "what counts").
 */
export function checkSealChain(sent: readonly Sent[]): SealChain {
  const broken = new Set<Digest>();
  let chain: Chain<Digest> | undefined;
  for (const item of sent) {
    if (typeof item === 'number') {
      chain = extend(chain, item);
      continue;
    }
    if ('request' in item) {
      // A whole answer behind the very row that it was produced behind: nothing to look at.
      if (chain === item.request.seals) {
        chain = item.sealsAfter;
        continue;
      }
      for (const block of item.blocks) chain = checkBlock(block, chain, broken);
    } else chain = checkBlock(item, chain, broken);
  }
  return { chain, broken };
}

function checkBlock(
  block: IssuedBlock,
  chain: Chain<Digest> | undefined,
  broken: Set<Digest>,
): Chain<Digest> | undefined {
  if (block.seal === undefined || block.superseded) return chain;
  if (!isTail(chain, producedBehind(block))) broken.add(block.seal);
  return extend(chain, block.seal);
}

function producedBehind(block: IssuedBlock): Chain<Digest> | undefined {
  let row = block.answer.request.seals;
  for (const earlier of block.answer.blocks) {
    if (earlier === block) break;
    if (earlier.seal !== undefined && !earlier.superseded) row = extend(row, earlier.seal);
  }
  return row;
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
