import type { Answer, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { returnOf } from './block-state.ts';
import type { ItemFacts } from './read-item.ts';

/** One whole answer and the items that hold it. */
export interface Echo {
  readonly answer: Answer;
  readonly places: readonly number[];
}

/**
 * The common case: from an item on, the request holds one answer, untouched; results may stand between its calls.
 */
export function findEcho(
  items: readonly ItemFacts[],
  at: number,
  { prefix, leg }: { readonly prefix: Digest; readonly leg: string | undefined },
  ledger: Ledger,
): Echo | undefined {
  const first = items[at];
  if (first === undefined) return undefined;
  const candidates = nearest(candidatesOf(first, prefix, ledger), leg);
  for (let i = candidates.length - 1; i >= 0; i--) {
    const answer = candidates[i];
    if (answer === undefined) continue;
    const places = placesOf(items, at, answer, ledger);
    if (places === undefined) continue;
    if (answer.request.prefix === prefix) return { answer, places };
    // Without a seal or a call, equal words may be another run's.
    if (candidates.length === 1 && (answer.blocks.length > 0 || answer.pieces.some(({ kind }) => kind === 'call'))) {
      return { answer, places };
    }
  }
  return undefined;
}

/** A gateway's two sides issue the same answer twice: the one on this side is meant. */
function nearest(candidates: readonly Answer[], leg: string | undefined): readonly Answer[] {
  if (candidates.length < 2 || candidates.every(({ request }) => request.leg === leg)) return candidates;
  const near = candidates.filter(({ request }) => request.leg === leg);
  return near.length > 0 ? near : candidates;
}

/** Oldest first. */
function candidatesOf(item: ItemFacts, prefix: Digest, ledger: Ledger): readonly Answer[] {
  switch (item.kind) {
    case 'block': {
      if (item.seal === undefined) return item.id === undefined ? NONE : ledger.byPiece(item.id);
      const blocks = ledger.bySeal(item.seal);
      const only = blocks[0];
      return blocks.length === 1 && only !== undefined ? [only.answer] : blocks.map(({ answer }) => answer);
    }
    case 'call':
      return ledger.byCall(item.key, prefix);
    case 'text':
    case 'other':
      return ledger.byPiece(item.key, prefix);
    default:
      return NONE;
  }
}

const NONE: readonly never[] = [];

function placesOf(
  items: readonly ItemFacts[],
  from: number,
  { pieces }: Answer,
  ledger: Ledger,
): readonly number[] | undefined {
  if (pieces.length === 0) return undefined;
  const places: number[] = [];
  let at = from;
  for (const piece of pieces) {
    while (places.length > 0 && isOwnResult(items[at], pieces, places.length) && piece.kind === 'call') at++;
    const item = items[at];
    if (item === undefined || !isSame(item, piece)) return undefined;
    // A seal that was stamped on an item that never had one.
    if (item.kind !== 'block' && item.strings.some((one) => ledger.bySeal(one).length > 0)) return undefined;
    places.push(at++);
  }
  return places;
}

/** A result of one of the first `count` pieces, which are there already. */
function isOwnResult(item: ItemFacts | undefined, pieces: readonly IssuedPiece[], count: number): boolean {
  if (item?.kind !== 'result') return false;
  for (let i = 0; i < count; i++) if (pieces[i]?.call !== undefined && pieces[i]?.key === item.call) return true;
  return false;
}

function isSame(item: ItemFacts, piece: IssuedPiece): boolean {
  if (item.kind === 'block') return piece.block !== undefined && returnOf(item, piece.block) === 'intact';
  if (item.id !== undefined && piece.id !== undefined && item.id !== piece.id) return false;
  switch (item.kind) {
    case 'call':
      return piece.key === item.key && piece.call?.input === item.input && piece.call.name === item.name;
    case 'text':
      return piece.kind === 'text' && piece.key === item.key && piece.label === item.label;
    case 'other':
    case 'result':
    case 'setting':
      return piece.kind === 'other' && piece.key === item.key;
    default:
      return false;
  }
}
