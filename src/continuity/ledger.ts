import { LRUCache } from 'lru-cache';
import type { Answer, IssuedBlock } from './answer.ts';
import { type Digest, mix } from './digest.ts';
import type { ProducerRef } from './judgement.ts';
import type { Remark } from './vocabulary.ts';

export interface LedgerOptions {
  /** Answers remembered at most. Default 10,000. */
  readonly maxEntries?: number;
  /** Milliseconds after which an answer that nothing has touched is forgotten. Default 24 hours. */
  readonly maxAgeMs?: number;
}

/** What one run has done, for repeated calls and model switches. */
export interface RunState {
  readonly calls: Set<Digest>;
  /** What has been said about it, so that it is said once. */
  readonly remarks: Set<Remark>;
}

/** A request that the provider refused, so that a stripped retry can be linked to its cause. */
export interface Refused {
  readonly runId: string;
  readonly rejection: string;
  readonly producer?: ProducerRef;
}

/**
 * What was issued, by the ids and seals that come back. Holds digests only, is bounded in entries and age,
 * and counts what it had to forget. Answers are found by what a request carries, never by order of arrival.
 */
export interface Ledger {
  /** Answers held now. */
  readonly size: number;
  /** Answers forgotten for lack of room or for age. */
  readonly evicted: number;
  record(answer: Answer): void;
  bySeal(seal: Digest): readonly IssuedBlock[];
  byCall(id: Digest, behind?: Digest): readonly Answer[];
  /** Notes a further value that the provider gave for the seal of a block: it is as good as the others. */
  alsoSealed(block: IssuedBlock, seal: Digest): void;
  /**
   * By a text, a marker or another whole piece; by the provider's id of a piece, an answer or a conversation.
   * @param behind where many answers share a piece the newest are told, and all that were given to this beginning.
   */
  byPiece(key: Digest, behind?: Digest): readonly Answer[];
  /** Reasoning by its readable text: blocks without a seal have nothing else. */
  byReasoning(text: Digest): readonly IssuedBlock[];
  /** Answers that were given to exactly this beginning. */
  byPrefix(prefix: Digest): readonly Answer[];
  /** Keeps an answer that is still in use from being forgotten. @returns false where it has been. */
  touch(answer: Answer): boolean;
  /** @returns says whether nothing that is of use at this moment can have been forgotten since. */
  hold(): () => boolean;
  run(runId: string): RunState;
  refuse(prefix: Digest, refused: Refused): void;
  refused(prefix: Digest): Refused | undefined;
  /** Whether a model id has ever delivered a sealed block here. */
  seals(model: string): boolean;
}

const SHARED = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

export function createLedger(options: LedgerOptions = {}): Ledger {
  const max = options.maxEntries ?? 10_000;
  const ttl = options.maxAgeMs ?? DAY_MS;
  const bySeal = new Map<Digest, IssuedBlock[]>();
  const byCall = new Map<Digest, Answer[]>();
  const byPiece = new Map<Digest, Answer[]>();
  const byReasoning = new Map<Digest, IssuedBlock[]>();
  const byPrefix = new Map<Digest, Answer[]>();
  const sealingModels = new LRUCache<string, true>({ max: 1000 });
  const runs = new LRUCache<string, RunState>({ max, ttl, updateAgeOnGet: true });
  const refusals = new LRUCache<Digest, Refused>({ max: 1000, ttl: 60 * 60 * 1000 });
  const begunAt = performance.now();
  let evicted = 0;
  let recorded = 0;
  /** When each answer was last of use: asked at every step for every answer of a history, which the cache is too slow for. */
  const custody = new WeakMap<Answer, { at: number; count: number }>();

  const answers = new LRUCache<Answer, true>({
    max,
    ttl,
    updateAgeOnGet: true,
    perf: { now: () => performance.now() },
    dispose(_, answer, reason) {
      if (reason === 'set') return;
      evicted++;
      custody.delete(answer);
      for (const block of answer.blocks) {
        for (const seal of sealsOf(block)) remove(bySeal, seal, block);
        for (const text of textsOf(block)) remove(byReasoning, text, block);
      }
      for (const piece of answer.pieces) {
        if (piece.kind === 'call') remove(byCall, piece.key, answer);
        else if (piece.kind !== 'block') remove(byPiece, piece.key, answer);
        if (piece.id !== undefined) remove(byPiece, piece.id, answer);
      }
      for (const own of namesOf(answer)) if (own !== undefined) remove(byPiece, own, answer);
      remove(byPrefix, answer.request.prefix, answer);
    },
  });

  // Too old is unknown, though its rows go only when the cache comes across it.
  const lives = (answer: Answer, now: number): boolean => {
    const held = custody.get(answer);
    return held !== undefined && now - held.at <= ttl;
  };
  const blockLives = (block: IssuedBlock, now: number): boolean => lives(block.answer, now);
  /** Those of an index that are not too old. Until the first answer can be, all of them. */
  const living = <T>(rows: readonly T[] | undefined, isAlive: (row: T, now: number) => boolean): readonly T[] => {
    if (rows === undefined) return NONE;
    const now = performance.now();
    return now - begunAt <= ttl ? rows : rows.filter((row) => isAlive(row, now));
  };
  /** An index keeps the newest of those that share a key: older ones are told where their own beginning is asked for. */
  const sharing = (
    index: ReadonlyMap<Digest, Answer[]>,
    key: Digest,
    behind: Digest | undefined,
  ): readonly Answer[] => {
    const newest = living(index.get(key), lives);
    if (behind === undefined || newest.length < SHARED) return newest;
    const holds = (answer: Answer): boolean => answer.pieces.some((piece) => piece.key === key);
    const older = living(byPrefix.get(behind), lives).filter((answer) => !newest.includes(answer) && holds(answer));
    return older.length === 0 ? newest : [...older, ...newest];
  };
  const isFresh = (at: number, count: number): boolean =>
    performance.now() - at <= ttl / 8 && recorded - count <= max / 8;
  const touch = (answer: Answer): boolean => {
    const held = custody.get(answer);
    const now = performance.now();
    if (held === undefined || now - held.at > ttl) return false;
    if (!isFresh(held.at, held.count)) {
      answers.get(answer);
      held.at = now;
      held.count = recorded;
    }
    return true;
  };

  return {
    get size() {
      return answers.size;
    },
    get evicted() {
      return evicted;
    },
    record(answer) {
      answers.set(answer, true);
      recorded++;
      custody.set(answer, { at: performance.now(), count: recorded });
      for (const block of answer.blocks) {
        for (const text of textsOf(block)) add(byReasoning, text, block);
        for (const seal of sealsOf(block)) add(bySeal, seal, block);
        if (block.seal === undefined) continue;
        sealingModels.set(block.model, true);
      }
      for (const piece of answer.pieces) {
        if (piece.kind === 'call') add(byCall, piece.key, answer);
        else if (piece.kind !== 'block') add(byPiece, piece.key, answer);
        if (piece.id !== undefined) add(byPiece, piece.id, answer);
      }
      for (const own of namesOf(answer)) if (own !== undefined) add(byPiece, own, answer);
      add(byPrefix, answer.request.prefix, answer);
    },
    bySeal: (seal) => living(bySeal.get(seal), blockLives),
    alsoSealed(block: { otherSeals?: readonly Digest[] } & IssuedBlock, seal) {
      if (custody.get(block.answer) === undefined || sealsOf(block).includes(seal)) return;
      block.otherSeals = [...(block.otherSeals ?? []), seal];
      add(bySeal, seal, block);
    },
    byCall: (id, behind) => sharing(byCall, id, behind),
    byPiece: (key, behind) => sharing(byPiece, key, behind),
    byReasoning: (text) => living(byReasoning.get(text), blockLives),
    byPrefix: (prefix) => living(byPrefix.get(prefix), lives),
    touch,
    hold() {
      const [at, count] = [performance.now(), recorded];
      return () => isFresh(at, count);
    },
    run(runId) {
      let state = runs.get(runId);
      if (state === undefined) {
        state = { calls: new Set(), remarks: new Set() };
        runs.set(runId, state);
      }
      return state;
    },
    refuse(prefix, refused) {
      refusals.set(prefix, refused);
    },
    refused: (prefix) => refusals.get(prefix),
    seals: (model) => sealingModels.has(model),
  };
}

/** Key of a request for {@link Ledger.refused}: what it sent, reasoning left aside, so that a stripped retry has the same. */
export function requestKey(prefix: Digest, system: Digest, tools: Digest): Digest {
  return mix(mix(prefix, system), tools);
}

const NONE: readonly never[] = [];

/** All that can be read of a block, as a client may bring it back under another name. */
function textsOf({ text, squeezedText, summary }: IssuedBlock): readonly Digest[] {
  return [text, squeezedText, summary].filter((digest) => digest !== undefined);
}

/** What else an answer is known by, beside its pieces. */
function namesOf({ key, request, joinedText }: Answer): readonly (Digest | undefined)[] {
  return [key, request.conversation, joinedText];
}

/** Every value under which a block may come back, the bad ones included. */
function sealsOf({ seal, otherSeals, partialSeals }: IssuedBlock): readonly Digest[] {
  if (otherSeals === undefined && partialSeals === undefined) return seal === undefined ? NONE : [seal];
  return [...(seal === undefined ? NONE : [seal]), ...(otherSeals ?? NONE), ...(partialSeals ?? NONE)];
}

function add<K, V>(index: Map<K, V[]>, key: K, value: V): void {
  const rows = index.get(key);
  if (rows === undefined) index.set(key, [value]);
  else if (rows.at(-1) !== value) {
    rows.push(value);
    // A key that many answers share ("OK") tells none of them apart: the newest are enough.
    if (rows.length > SHARED) rows.shift();
  }
}

function remove<K, V>(index: Map<K, V[]>, key: K, value: V): void {
  const rows = index.get(key);
  if (rows === undefined) return;
  const at = rows.indexOf(value);
  if (at >= 0) rows.splice(at, 1);
  if (rows.length === 0) index.delete(key);
}
