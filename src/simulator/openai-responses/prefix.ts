import { asList, digest, isWire, stableJson, type Wire } from '../json.ts';
import { type PlacedItem, textOf } from './items.ts';
import type { PrefixStates } from './seal.ts';

/**
 * Rolls up what stands before an item: tools and text format of the request, then every item. Instructions are not part
 * of it: from GPT-6.2 on the API places them behind the input.
 * https://platform.openai.com/docs/guides/keep-prefix-unchanged
 */
export interface PrefixRoller {
  states(): PrefixStates;
  add(item: Wire, type: string): void;
  /** Reasoning counts by its identity. What belongs to a closed turn is not part of the turn's own state. */
  addReasoning(id: string, isOfThisTurn: boolean): void;
  /** A compaction stands for all before it. */
  restart(id: string): void;
}

export function createPrefixRoller(body: Wire, format: unknown): PrefixRoller {
  // The order of tools counts, unlike the order of members.
  const tools = stableJson(asList(body.tools).map(withoutNulls));
  const base = digest('start', tools, stableJson(format));
  let all = base;
  let turn = base;
  return {
    states: () => ({ all, turn }),
    add(item, type) {
      const canonical = stableJson(canonicalItem(item, type));
      all = digest(all, canonical);
      turn = digest(turn, canonical);
    },
    addReasoning(id, isOfThisTurn) {
      all = digest(all, 'reasoning', id);
      if (isOfThisTurn) turn = digest(turn, 'reasoning', id);
    },
    restart(id) {
      all = digest(base, 'compaction', id);
      turn = all;
    },
  };
}

/** Whether an item may be read behind what stands before it now. */
export function fitsPrefix(sealed: PrefixStates, now: PrefixStates): boolean {
  return sealed.all === now.all || sealed.turn === now.turn;
}

/** Members that two sendings of one item may differ in without its being another. */
const LOOSE = new Set(['id', 'status', 'created_by', 'phase', 'prompt_cache_breakpoint']);

function canonicalItem(item: Wire, type: string): Wire {
  const kept: Record<string, unknown> = { type };
  for (const [member, value] of Object.entries(item)) {
    if (!LOOSE.has(member) && value != null) kept[member] = value;
  }
  if (type === 'message') {
    const parts = asList(item.content).filter(isWire);
    const isText = typeof item.content === 'string' || parts.every(({ text, refusal }) => (text ?? refusal) != null);
    kept.content = isText ? textOf(item) : parts.map(withoutNulls);
  }
  return kept;
}

function withoutNulls(value: unknown): unknown {
  if (!isWire(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member != null));
}

/** Digest of a request's items, to say where two requests part. */
export function itemDigest({ item, type }: PlacedItem): string {
  return digest(type, stableJson(canonicalItem(item, type)));
}
