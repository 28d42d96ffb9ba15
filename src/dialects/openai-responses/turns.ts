import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { History } from './history.ts';
import type { ItemFacts } from './read-item.ts';

/** Where each item stands: in which turn, in which stretch of a model's items, behind which prefix. */
export interface Turns {
  /** Turn of each item. What the provider holds of the turn that is going on is in turn 0, what it holds before that in -1. */
  readonly turnOf: readonly number[];
  /** First item of the run of neighbouring items without one of the client between them. */
  readonly stretchOf: readonly number[];
  /** Digest chain over all that stands before an item, reasoning left aside; restarted at the provider's own summary. */
  readonly prefixOf: readonly Digest[];
  readonly prefix: Digest;
  /** The same over messages alone: what is left of a history that was written out as a transcript. */
  readonly spokenOf: readonly Digest[];
  readonly spoken: Digest;
  readonly lastTurn: number;
  readonly open: boolean;
  /** Answers with a call in the last turn, and their calls. */
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Item that holds the latest summary by the provider, -1 without one. */
  readonly compactionAt: number;
  readonly compaction: Digest;
  /** Every call id that a result in the request answers. */
  readonly results: ReadonlySet<Digest>;
}

export const START = digest('start');

/** What a summary by the provider is known by. */
export const summaryKey = ({ seal, id }: Pick<ItemFacts, 'id'> & { readonly seal: Digest | undefined }): Digest =>
  seal ?? id ?? START;

/** Behind a summary by the provider everything starts anew. */
export const startBehind = (compaction: Digest): Digest => mix(START, compaction);

/**
 * A turn begins with a user message; results, system messages and settings begin none. Its cycle is open from the first
 * call that waits for the client until an answer without one (guides/reasoning, guides/function-calling).
 */
export function readTurns(items: readonly ItemFacts[], history: History): Turns {
  const { standing } = history;
  const turnOf: number[] = [];
  const stretchOf: number[] = [];
  const prefixOf: Digest[] = [];
  const results = new Set<Digest>();
  const spokenOf: Digest[] = [];
  let prefix = standing?.prefix ?? START;
  let spoken = standing?.spoken ?? START;
  let turn = 0;
  let stretch = 0;
  let groups = standing?.cycleGroups ?? 0;
  let callCount = standing?.cycleCalls ?? 0;
  let open = standing?.open ?? false;
  let called = false;
  let compactionAt = -1;
  let { compaction } = history;

  for (let i = 0; i < items.length; i++) {
    const item = items[i] as ItemFacts;
    prefixOf.push(prefix);
    spokenOf.push(spoken);
    if (item.author === 'client') {
      stretch = i + 1;
      called = false;
      if (item.kind === 'user') {
        turn++;
        groups = 0;
        callCount = 0;
        open = false;
      } else if (item.kind === 'result') {
        results.add(item.call);
        // Its call is not there, but there was one.
        if (callCount === 0) open = true;
      }
    } else if (item.kind === 'call') {
      if (!called) groups++;
      called = true;
      callCount++;
      open = true;
    } else if (item.author === 'model' && item.kind !== 'block') {
      if (!called) open = false;
    } else if (item.kind === 'block' && item.type === 'compaction') {
      compactionAt = i;
      compaction = summaryKey(item);
      prefix = startBehind(compaction);
    }
    stretchOf.push(item.author === 'client' ? i : stretch);
    turnOf.push(turn);
    if (item.part !== undefined) prefix = mix(prefix, item.part);
    if (item.kind === 'user' || item.kind === 'text') spoken = mix(spoken, item.key);
  }
  return {
    turnOf,
    stretchOf,
    prefixOf,
    prefix,
    spokenOf,
    spoken,
    lastTurn: turn,
    open,
    cycleGroups: groups,
    cycleCalls: callCount,
    compactionAt,
    compaction,
    results,
  };
}
