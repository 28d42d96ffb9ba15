import type { IssuedBlock } from '../../continuity/answer.ts';
import { contains, joinPassages, type Passage } from '../../continuity/passage.ts';
import { asArray, asObject, asString } from '../json.ts';
import type { Match, Placed, SeenAnswer } from './match.ts';
import type { Piece } from './read-content.ts';
import type { RequestFacts } from './read-request.ts';
import { partsOf, type Slot } from './slots.ts';

export interface Joins {
  /** Parts that were joined with a part whose seal survives. */
  readonly count: number;
  /** Seals that survive on a joined part. */
  readonly survivors: ReadonlySet<IssuedBlock>;
}

/**
 * Texts of an answer that were put together: never to be done with a signed one (ai.google.dev
 * gemini-api/docs/thought-signatures). Adds to `placed` where the joined parts stand now.
 */
export function findJoins(seen: SeenAnswer, placed: Map<Slot, Placed>, match: Match, facts: RequestFacts): Joins {
  const { slots } = partsOf(seen.answer);
  const survivors = new Set<IssuedBlock>();
  let count = 0;
  for (const { content, piece, slot } of seen.sightings) {
    if (piece.kind !== 'text') continue;
    const here: Placed = { content, piece };
    const own = slot === undefined ? joinedIn(here, slots, placed, facts) : [slot];
    for (const one of own) if (!placed.has(one)) placed.set(one, here);
    const [first] = own;
    const last = own.at(-1);
    if (first === undefined || last === undefined) continue;
    const survivor = own.find(({ block }) => isOn(block, here, match));
    // An empty carrier beside the text, whose seal was put on it, was joined to it as well.
    const carrier = [slots[last.index + 1], slots[first.index - 1]].find(
      (one) => one?.kind === 'empty' && isOn(one.block, here, match),
    );
    const joined = carrier === undefined ? own.length : own.length + 1;
    if (joined < 2 || (survivor === undefined && carrier === undefined)) continue;
    count += joined - 1;
    for (const { block } of [survivor, carrier].flatMap((one) => one ?? [])) {
      if (block !== undefined && isOn(block, here, match)) survivors.add(block);
    }
  }
  return { count, survivors };
}

function isOn(block: IssuedBlock | undefined, { content, piece }: Placed, match: Match): boolean {
  if (block === undefined) return false;
  return match.occurrences.get(block)?.some((one) => one.content === content && one.piece === piece) ?? false;
}

/** The parts of the answer that a text is made of, those that stand elsewhere left out. */
function joinedIn(
  { content, piece }: Placed,
  slots: readonly Slot[],
  placed: ReadonlyMap<Slot, Placed>,
  facts: RequestFacts,
): readonly Slot[] {
  const free = (slot: Slot): boolean => slot.kind === 'text' && !placed.has(slot);
  for (let from = 0; from < slots.length; from++) {
    let whole: Passage | undefined;
    for (let to = from; to < slots.length; to++) {
      const slot = slots[to] as Slot;
      if (slot.kind === 'empty') continue;
      if (!free(slot) || slot.passage === undefined) break;
      whole = whole === undefined ? slot.passage : joinPassages(whole, slot.passage);
      if (whole.length === piece.passage?.length && whole.hash === piece.passage.hash) {
        return slots.slice(from, to + 1).filter(free);
      }
    }
  }
  const text = pieceText(piece, content, facts);
  return slots.filter((slot) => free(slot) && slot.passage !== undefined && contains(text, slot.passage));
}

/** A piece can be several unsigned parts. */
function pieceText({ at, seal }: Piece, content: number, facts: RequestFacts): string {
  const parts = asArray(asObject(facts.rawContents[content])?.parts) ?? [];
  const own = seal === undefined ? parts.slice(at) : parts.slice(at, at + 1);
  return own.map((part) => asString(asObject(part)?.text) ?? '').join('');
}
