import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { asArray, asObject, asString } from '../json.ts';
import { findEcho } from './echo.ts';
import { longStrings, type MessageFacts, type Piece } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';
import { matchPieces } from './resemblance.ts';
import type { Turns } from './turns.ts';

/** A piece of the request and the issued piece that it is, where one was found. */
export interface Sighting {
  readonly message: number;
  readonly piece: Piece;
  /** Absent: belongs to the answer by its place only. */
  readonly issued: IssuedPiece | undefined;
}

/** An answer of which the request holds something. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly sightings: Sighting[];
  /** Message of the first sighting. */
  readonly message: number;
  /** Every piece is there once, in order and as issued, in one message of its own. */
  exact: boolean;
}

export interface Stray {
  readonly message: number;
  readonly path: string;
  readonly issued: IssuedBlock;
}

/** What is found so far, from the first message on. */
export interface Search {
  readonly facts: RequestFacts;
  readonly ledger: Ledger;
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  readonly sight: (answer: Answer, message: number, piece: Piece, issued: IssuedPiece | undefined) => void;
  readonly stray: (message: number, at: number, issued: IssuedBlock) => void;
}

export interface Match {
  /** In the order in which the request holds them. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  /** Known seals in a message that no model wrote, on a piece that has none, or in an answer of another conversation. */
  readonly strays: readonly Stray[];
  /** Reasoning of another maker, known by its text or inside a seal, in a message that nobody here issued. */
  readonly relabelled: readonly Stray[];
  /** Copies of whole messages that were echoed once already: number of blocks in them. */
  readonly copies: readonly { readonly message: number; readonly answer: Answer; readonly blocks: number }[];
}

/**
 * Finds out which answers a request re-sends, by seals, call ids and texts, never by position alone. Ids and texts that
 * several answers share are told apart by what stands before them.
 */
export function matchRequest(facts: RequestFacts, turns: Turns, ledger: Ledger): Match {
  const byAnswer = new Map<Answer, SeenAnswer>();
  const seen: SeenAnswer[] = [];
  const strays: Stray[] = [];
  const relabelled: Stray[] = [];
  const copies: Match['copies'][number][] = [];

  const meet = (answer: Answer, message: number, exact: boolean): SeenAnswer => {
    const entry = { answer, sightings: [], message, exact };
    byAnswer.set(answer, entry);
    seen.push(entry);
    return entry;
  };
  const sight: Search['sight'] = (answer, message, piece, issued) => {
    const entry = byAnswer.get(answer) ?? meet(answer, message, false);
    ledger.touch(answer);
    if (entry.exact) {
      // Seen whole before: from here on it has to be held piece by piece.
      entry.exact = false;
      facts.messages[entry.message]?.pieces.forEach((own, i) => {
        entry.sightings.push({ message: entry.message, piece: own, issued: answer.pieces[i] });
      });
    }
    entry.sightings.push({ message, piece, issued });
  };
  const stray: Search['stray'] = (message, at, issued) => {
    strays.push({ message, path: `messages.${message}.content.${at}`, issued });
  };
  const search: Search = { facts, ledger, seen, byAnswer, sight, stray };

  facts.messages.forEach((message, m) => {
    for (const piece of message.strayBlocks) {
      const issued = piece.seal === undefined ? undefined : ledger.bySeal(piece.seal).at(-1);
      if (issued !== undefined) stray(m, piece.at, issued);
    }
    if (message.role !== 'assistant' || message.pieces.length === 0) return;
    const prefix = turns.prefixOf[turns.groupOf[m] ?? m] ?? 0;
    const remembered = rememberedEcho(message, prefix, facts.leg, ledger);
    const echoed = remembered ?? findEcho(message.pieces, prefix, facts.leg, ledger);
    if (echoed !== undefined && echoed !== remembered) {
      ledger.touch(echoed);
      echoes.set(message, { ledger, prefix, leg: facts.leg, answer: echoed });
    }
    const known = echoed && byAnswer.get(echoed);
    if (echoed !== undefined && known === undefined) {
      meet(echoed, m, true);
      return;
    }
    if (echoed !== undefined && known?.exact) {
      copies.push({ message: m, answer: echoed, blocks: echoed.blocks.length });
      return;
    }
    if (matchPieces(m, turns.groupOf[m] ?? m, message.pieces, prefix, search)) return;
    for (const piece of message.pieces) {
      if (piece.kind !== 'block') continue;
      const known = piece.text === undefined ? [] : ledger.byReasoning(piece.text);
      const inside = sealsInside(facts.rawMessages[m], piece.at).flatMap((seal) => ledger.bySeal(seal));
      const issued = [...known, ...inside].findLast(({ answer }) => answer.request.vendor !== facts.model.vendor);
      if (issued !== undefined) relabelled.push({ message: m, path: `messages.${m}.content.${piece.at}`, issued });
    }
  });
  const guests = new Set(seen.filter((one) => isGuest(one, seen)));
  for (const { answer, sightings } of guests) {
    byAnswer.delete(answer);
    for (const { message, piece, issued } of sightings) if (issued?.block) stray(message, piece.at, issued.block);
  }
  return {
    seen: guests.size === 0 ? seen : seen.filter((one) => !guests.has(one)),
    byAnswer,
    strays,
    relabelled,
    copies,
  };
}

/**
 * Blocks alone, in messages that answers of another conversation fill with their calls and texts: put there by a cache that
 * conversations share. Their own answer is no part of this history, and nothing else of it is owed here.
 */
function isGuest({ exact, answer, sightings }: SeenAnswer, seen: readonly SeenAnswer[]): boolean {
  if (exact || sightings.some(({ issued }) => issued?.block === undefined)) return false;
  return sightings.every(({ message }) => {
    const hosts = seen.filter((other) =>
      other.sightings.some(({ message: own, issued }) => own === message && issued && !issued.block),
    );
    return hosts.length > 0 && !hosts.some((host) => isBehind(host.answer, answer) || isBehind(answer, host.answer));
  });
}

/** Whether the request for an answer re-sent the other one. */
function isBehind(answer: Answer, other: Answer): boolean {
  for (let node = answer.request.answers; node !== undefined; node = node.previous) {
    if (node.value === other) return true;
  }
  return answer === other;
}

/** Seals of another maker's reasoning, where a harness keeps its whole item as the signature of a block. */
function sealsInside(message: unknown, at: number): readonly Digest[] {
  const signature = asString(asObject(asArray(asObject(message)?.content)?.[at])?.signature);
  if (signature === undefined || !signature.startsWith('{')) return [];
  try {
    return longStrings(JSON.parse(signature), '');
  } catch {
    return [];
  }
}

/** A message that was an echo at the last step, and stands where it stood, is one now. */
const echoes = new WeakMap<
  MessageFacts,
  { readonly ledger: Ledger; readonly prefix: Digest; readonly leg: string | undefined; readonly answer: Answer }
>();

function rememberedEcho(
  message: MessageFacts,
  prefix: Digest,
  leg: string | undefined,
  ledger: Ledger,
): Answer | undefined {
  const known = echoes.get(message);
  if (known === undefined || known.prefix !== prefix || known.leg !== leg || known.ledger !== ledger) return undefined;
  return ledger.touch(known.answer) ? known.answer : undefined;
}
