import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { ComparedAnswer } from './compare.ts';
import type { ItemFacts } from './read-item.ts';
import type { Turns } from './turns.ts';

/** One broken pair, or one item that came between two that belong together. */
export interface PairFault {
  readonly at: number;
  /** Reasoning of the pair, where it is the one that is missing or that stands wrong. */
  readonly blocks: readonly IssuedBlock[];
}

export interface Pairing {
  /** Pairs of which a side with its server id lacks the other. */
  readonly orphaned: readonly PairFault[];
  /** Items between two sides without server ids that no response contained. */
  readonly inserted: readonly PairFault[];
  /** Reasoning without server id that was moved away from what it led to. */
  readonly moved: readonly PairFault[];
  /** Reasoning without server id in front of a later item of its answer than the one it led to. */
  readonly parted: readonly PairFault[];
}

const WHOLE: Pairing = { orphaned: [], inserted: [], moved: [], parted: [] };

/**
 * A reasoning item that carries its server id has to be followed directly by what it led to, and the other way round;
 * several calls may share the reasoning before them. Ids kept on both sides, or on neither (continuedev/continue#11994,
 * vercel/ai#7543). A run of reasoning items is one partner.
 */
export function checkPairing(
  compared: ComparedAnswer,
  items: readonly ItemFacts[],
  turns: Turns,
  isIssued: (at: number) => boolean,
): Pairing {
  const { answer } = compared;
  if (compared.held || answer.blocks.length === 0 || (compared.whole && isUniform(answer, compared.whole, items)))
    return WHOLE;
  const find = finder(compared, items);
  const orphaned: PairFault[] = [];
  const inserted: PairFault[] = [];
  const moved: PairFault[] = [];
  const parted: PairFault[] = [];
  for (const { run, followers } of runsOf(answer.pieces)) {
    const here = run.map((piece) => ({ piece, ...find(piece) })).filter(isPlaced);
    const back = followers.map((piece) => ({ piece, ...find(piece) })).filter(isPlaced);
    const backWithId = back.filter(({ piece, item }) => piece.id !== undefined && item.id === piece.id);
    const hereWithId = here.filter(({ piece, item }) => piece.id !== undefined && item.id === piece.id);
    const blocks = run.flatMap(({ block }) => (block === undefined ? [] : [block]));
    const last = here.at(-1);
    if (followers.length === 0) {
      // The answer ended in reasoning: it leads to nothing, wherever it stands.
      const own = hereWithId.at(-1);
      if (own !== undefined && !answer.unfinished) orphaned.push({ at: own.at, blocks });
      continue;
    }
    if (last === undefined) {
      const first = backWithId[0];
      if (first !== undefined && run.some(({ id }) => id !== undefined)) orphaned.push({ at: first.at, blocks });
      continue;
    }
    if (last.piece !== run.at(-1)) {
      // The item that led to the follower is gone, be there others of its run.
      const side = backWithId[0] ?? hereWithId.at(-1);
      if (side !== undefined) orphaned.push({ at: side.at, blocks });
      continue;
    }
    const { id } = last.piece;
    if (id === undefined || (last.item.id !== undefined && last.item.id !== id)) continue;
    if (last.item.id === id) {
      if (!isFollowed(last.at, followers[0], back, items)) orphaned.push({ at: last.at, blocks });
      continue;
    }
    const [follower] = backWithId;
    if (follower !== undefined) {
      orphaned.push({ at: follower.at, blocks });
      continue;
    }
    const next = Math.min(...back.map(({ at }) => at));
    const reached = back.find(({ at }) => at === next);
    if (reached !== undefined && isAheadOfFirst(reached.piece, followers[0], back)) {
      parted.push({ at: last.at, blocks: last.piece.block === undefined ? [] : [last.piece.block] });
    }
    const between = itemsBetween(last.at, next, items).filter((at) => !isIssued(at));
    if (between.length === 0) continue;
    // What stood there when the answer was given is no insertion: then the reasoning is what was moved.
    if (turns.prefixOf[next] === answer.request.prefix && between.every((at) => items[at]?.author === 'client')) {
      moved.push({ at: last.at, blocks });
    } else for (const at of between) inserted.push({ at, blocks });
  }
  return { orphaned, inserted, moved, parted };
}

/** The common case: every item has its id, or none has, and the answer did not end in reasoning. */
function isUniform({ pieces }: Answer, whole: readonly number[], items: readonly ItemFacts[]): boolean {
  if (pieces[pieces.length - 1]?.kind === 'block') return false;
  let kept = 0;
  let stripped = 0;
  for (let i = 0; i < pieces.length; i++) {
    if (pieces[i]?.id === undefined) continue;
    if (items[whole[i] ?? -1]?.id === undefined) stripped++;
    else kept++;
  }
  return kept === 0 || stripped === 0;
}

interface Found {
  readonly at: number;
  readonly item: ItemFacts;
}

const isPlaced = <T extends Partial<Found>>(found: T): found is T & Found => found.at !== undefined;

function finder(compared: ComparedAnswer, items: readonly ItemFacts[]): (piece: IssuedPiece) => Partial<Found> {
  const { whole } = compared;
  if (whole === undefined) {
    return (piece) => {
      const sighting = compared.placed.get(piece);
      return sighting === undefined ? {} : { at: sighting.at, item: sighting.item };
    };
  }
  const indexOf = new Map(compared.answer.pieces.map((piece, index) => [piece, whole[index]]));
  return (piece) => {
    const at = indexOf.get(piece);
    const item = at === undefined ? undefined : items[at];
    return at === undefined || item === undefined ? {} : { at, item };
  };
}

interface Run {
  readonly run: readonly IssuedPiece[];
  readonly followers: readonly IssuedPiece[];
}

function runsOf(pieces: readonly IssuedPiece[]): readonly Run[] {
  const runs: { run: IssuedPiece[]; followers: IssuedPiece[] }[] = [];
  for (const piece of pieces) {
    const isReasoning = piece.block?.type === 'reasoning';
    const current = runs.at(-1);
    if (!isReasoning) current?.followers.push(piece);
    else if (current === undefined || current.followers.length > 0) runs.push({ run: [piece], followers: [] });
    else current.run.push(piece);
  }
  return runs;
}

/** Directly behind the run of reasoning items stands, under its own id, something that the reasoning led to. */
function isFollowed(
  at: number,
  first: IssuedPiece | undefined,
  back: readonly (Found & { readonly piece: IssuedPiece })[],
  items: readonly ItemFacts[],
): boolean {
  let next = at + 1;
  while (items[next]?.kind === 'block') next++;
  const follower = back.find((one) => one.at === next);
  if (follower === undefined || !back.some(({ piece }) => piece === first)) return false;
  if (isAheadOfFirst(follower.piece, first, back)) return false;
  return follower.piece.id === undefined || follower.item.id === follower.piece.id;
}

/**
 * The item that the reasoning led to is there, and another one of the answer stands in front of it. Calls of one batch
 * share their reasoning, so that their order does not matter.
 */
function isAheadOfFirst(
  piece: IssuedPiece,
  first: IssuedPiece | undefined,
  back: readonly { readonly piece: IssuedPiece }[],
): boolean {
  if (piece === first || !back.some((one) => one.piece === first)) return false;
  return first?.call === undefined || piece.call === undefined;
}

function itemsBetween(from: number, to: number, items: readonly ItemFacts[]): readonly number[] {
  const found: number[] = [];
  // Without a follower in the request there is no pair whose middle could be wrong.
  for (let at = from + 1; at < to && at < items.length; at++) if (items[at]?.kind !== 'block') found.push(at);
  return to > items.length ? [] : found;
}
