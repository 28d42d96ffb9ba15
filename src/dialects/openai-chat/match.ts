import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { findEcho } from './echo.ts';
import { API } from './issued.ts';
import type { BlockPiece, Piece } from './read-message.ts';
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

/** A known block in a message that nobody here issued. */
export interface Relabelled {
  readonly message: number;
  readonly piece: BlockPiece;
  readonly issued: IssuedBlock;
}

/** What is found so far, from the first message on. */
export interface Search {
  readonly facts: RequestFacts;
  readonly ledger: Ledger;
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  readonly sight: (answer: Answer, message: number, piece: Piece, issued: IssuedPiece | undefined) => void;
}

export interface Match {
  /** In the order in which the request holds them. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  readonly relabelled: readonly Relabelled[];
  /** Copies of whole messages that were echoed once already. */
  readonly copies: readonly { readonly message: number; readonly answer: Answer }[];
  /** Assistant messages of which nothing is known. */
  readonly unknown: readonly number[];
}

/**
 * Finds out which answers a request re-sends: by the ids of their calls, then by what they hold, then by what stands before
 * them, never by order of arrival. Ids and texts that several answers share are told apart by what stands before them.
 */
export function matchRequest(facts: RequestFacts, turns: Turns, ledger: Ledger): Match {
  const byAnswer = new Map<Answer, SeenAnswer>();
  const seen: SeenAnswer[] = [];
  const relabelled: Relabelled[] = [];
  const copies: Match['copies'][number][] = [];
  const unknown: number[] = [];

  const meet = (answer: Answer, message: number, exact: boolean): SeenAnswer => {
    const entry = { answer, sightings: [], message, exact };
    byAnswer.set(answer, entry);
    seen.push(entry);
    ledger.touch(answer);
    return entry;
  };
  const sight: Search['sight'] = (answer, message, piece, issued) => {
    const entry = byAnswer.get(answer) ?? meet(answer, message, false);
    if (entry.exact) {
      // Seen whole before: from here on it has to be held piece by piece.
      entry.exact = false;
      facts.messages[entry.message]?.pieces.forEach((own, i) => {
        entry.sightings.push({ message: entry.message, piece: own, issued: answer.pieces[i] });
      });
    }
    entry.sightings.push({ message, piece, issued });
  };
  const search: Search = { facts, ledger, seen, byAnswer, sight };

  for (let m = 0; m < facts.messages.length; m++) {
    const message = facts.messages[m];
    if (message?.role !== 'assistant') continue;
    const { pieces } = message;
    const group = turns.groupOf[m] ?? m;
    const prefix = turns.prefixOf[group] ?? 0;
    const echoed = pieces.length === 0 ? undefined : findEcho(pieces, prefix, facts.leg, ledger);
    const known = echoed && byAnswer.get(echoed);
    if (echoed !== undefined && known === undefined) {
      meet(echoed, m, true);
      continue;
    }
    if (echoed !== undefined && known?.exact) {
      copies.push({ message: m, answer: echoed });
      continue;
    }
    if (pieces.length > 0 && matchPieces(m, group, pieces, prefix, search)) continue;
    unknown.push(m);
    for (const piece of pieces) {
      if (piece.kind !== 'block') continue;
      const issued = issuedElsewhere(piece, ledger);
      if (issued !== undefined) relabelled.push({ message: m, piece, issued });
    }
  }
  return { seen, byAnswer, relabelled, copies, unknown };
}

/** Reasoning of an answer that another API gave, known by its seal or by its text alone. */
function issuedElsewhere({ seal, text }: BlockPiece, ledger: Ledger): IssuedBlock | undefined {
  const blocks = seal !== undefined ? ledger.bySeal(seal) : text !== undefined ? ledger.byReasoning(text) : [];
  return blocks.findLast(({ answer }) => answer.request.api !== API);
}
