import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { API } from './api.ts';
import { findEcho } from './echo.ts';
import type { History } from './history.ts';
import { type ItemFacts, isPieceItem, type PieceItem } from './read-item.ts';
import type { RequestFacts } from './read-request.ts';
import { matchStretch } from './resemblance.ts';
import type { Turns } from './turns.ts';

/** An item of the request and the issued piece that it is, where one was found. */
export interface Sighting {
  readonly at: number;
  readonly item: PieceItem;
  /** Absent: belongs to the answer by its place only. */
  readonly issued: IssuedPiece | undefined;
}

/** An answer of which the request holds something, or that the provider holds for it. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly sightings: Sighting[];
  /** First item of it; -1 where the provider holds it. */
  readonly at: number;
  /** Every piece is there once, in order and as issued: where. */
  whole: readonly number[] | undefined;
  readonly held: boolean;
}

/** A known block where none was issued. */
export interface Stray {
  readonly path: string;
  readonly issued: IssuedBlock;
}

/** What is found so far, from the first item on. */
export interface Search {
  readonly facts: RequestFacts;
  readonly items: readonly ItemFacts[];
  readonly turns: Turns;
  readonly ledger: Ledger;
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  readonly sight: (answer: Answer, at: number, item: PieceItem, issued: IssuedPiece | undefined) => void;
  readonly stray: (at: number, issued: IssuedBlock) => void;
}

export interface Match {
  /** What the provider holds, oldest first, then what the request holds, in its order. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  readonly strays: readonly Stray[];
  /** Reasoning of another maker, known by its text alone, among items that nobody here issued. */
  readonly relabelled: readonly Stray[];
  /** Answers that the request holds, whole, once more than it should. */
  readonly copies: readonly { readonly at: number; readonly answer: Answer }[];
  /** Answers of which only the results of their calls are sent. */
  readonly resultsOnly: readonly { readonly at: number; readonly answer: Answer; readonly sure: boolean }[];
}

/**
 * Finds out which answers a request re-sends or names, by seals, ids, call ids and texts, never by position alone. What
 * several answers share is told apart by what stands before it.
 */
export function matchRequest(
  facts: RequestFacts,
  items: readonly ItemFacts[],
  turns: Turns,
  history: History,
  ledger: Ledger,
): Match {
  const byAnswer = new Map<Answer, SeenAnswer>();
  const seen: SeenAnswer[] = [];
  const strays: Stray[] = [];
  const copies: Match['copies'][number][] = [];

  const meet = (answer: Answer, at: number, whole?: readonly number[], held = false): SeenAnswer => {
    const entry: SeenAnswer = { answer, sightings: [], at, whole, held };
    byAnswer.set(answer, entry);
    seen.push(entry);
    ledger.touch(answer);
    return entry;
  };
  const sight: Search['sight'] = (answer, at, item, issued) => {
    const entry = byAnswer.get(answer) ?? meet(answer, at);
    // Seen whole before: from here on it has to be held piece by piece.
    entry.whole?.forEach((place, i) => {
      const own = items[place];
      if (own !== undefined && isPieceItem(own)) {
        entry.sightings.push({ at: place, item: own, issued: answer.pieces[i] });
      }
    });
    entry.whole = undefined;
    entry.sightings.push({ at, item, issued });
  };
  const stray: Search['stray'] = (at, issued) => {
    strays.push({ path: `input.${at}`, issued });
  };
  const search: Search = { facts, items, turns, ledger, seen, byAnswer, sight, stray };
  for (const answer of history.held) meet(answer, -1, undefined, true);

  const relabelled: Stray[] = [];
  const owners = new Map<number, Answer>();
  let begin = 0;
  const flush = (end: number): void => {
    if (begin < end && !matchStretch(begin, end, owners, search)) {
      for (let i = begin; i < end; i++) findRelabelled(i, items[i], ledger, relabelled);
    }
  };
  for (let i = 0; i < items.length; ) {
    const item = items[i] as ItemFacts;
    if (item.author === 'client') {
      flush(i);
      i++;
      begin = i;
      continue;
    }
    const echoed = findEcho(items, i, { prefix: turns.prefixOf[i] ?? 0, leg: facts.leg }, ledger);
    const known = echoed && byAnswer.get(echoed.answer);
    if (echoed === undefined || (known !== undefined && known.whole === undefined && !known.held)) {
      i++;
      continue;
    }
    const { answer, places } = echoed;
    if (known === undefined) meet(answer, i, places);
    else copies.push({ at: i, answer });
    for (const place of places) owners.set(place, answer);
    const next = (places.at(-1) ?? i) + 1;
    // Results between its calls, or of calls that the provider ran, are borders, but not to this answer.
    for (let at = i; at < next; at++) {
      if (items[at]?.author !== 'client') continue;
      if (begin < i) flush(at);
      begin = at + 1;
    }
    i = next;
  }
  flush(items.length);
  return { seen, byAnswer, strays, relabelled, copies, resultsOnly: findResultsOnly(items, history, byAnswer, ledger) };
}

function findRelabelled(at: number, item: ItemFacts | undefined, ledger: Ledger, into: Stray[]): void {
  if (item?.kind !== 'block') return;
  for (const text of [item.text, item.summary]) {
    const issued = text === undefined ? undefined : ledger.byReasoning(text).findLast(isOtherApi);
    if (issued !== undefined) into.push({ path: `input.${at}`, issued });
    if (issued !== undefined) return;
  }
}

const isOtherApi = ({ answer }: IssuedBlock): boolean => answer.request.api !== API;

/** A result whose call is neither sent nor held: the answer that made the call has been lost (guides/conversation-state). */
function findResultsOnly(
  items: readonly ItemFacts[],
  history: History,
  byAnswer: ReadonlyMap<Answer, SeenAnswer>,
  ledger: Ledger,
): Match['resultsOnly'] {
  const found = new Map<Answer, { at: number; answer: Answer; sure: boolean }>();
  const sent = new Set<number>();
  for (const item of items) if (item.kind === 'call') sent.add(item.key);
  items.forEach((item, at) => {
    if (item.kind !== 'result' || sent.has(item.call)) return;
    const makers = ledger.byCall(item.call).filter(({ request }) => request.api === API);
    if (makers.some((answer) => byAnswer.has(answer) || history.lost.includes(answer))) return;
    const answer = makers.at(-1);
    if (answer === undefined || found.has(answer)) return;
    // What is named may hold the call, as far as anybody here knows.
    const elsewhere = history.by === 'conversation' && answer.request.conversation !== undefined;
    if (history.unknown && !elsewhere) return;
    found.set(answer, { at, answer, sure: makers.length === 1 });
  });
  return [...found.values()];
}
