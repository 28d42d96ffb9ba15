import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import { type Digest, digest } from '../../continuity/digest.ts';
import { homesOf } from '../../continuity/homes.ts';
import { contains } from '../../continuity/passage.ts';
import { displaced } from '../displaced.ts';
import { asObject } from '../json.ts';
import { isSealOf } from './derived.ts';
import { isIntact } from './echo.ts';
import { asChatBlock } from './issued.ts';
import { settleJoined } from './joined-elements.ts';
import type { SeenAnswer, Sighting } from './match.ts';
import { findOwner, isFillerOf, rawOf } from './owner.ts';
import type { Member } from './profiles.ts';
import { aroundCorrupted, textOf, textParts } from './raw-text.ts';
import type { BlockPiece } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';
import { type Return, returnOf } from './return-of.ts';

/** What became of one issued block in one request. */
export type BlockState =
  | Return
  | 'reordered'
  | 'dropped'
  /** Arrived without the seal that its maker puts on it, and is carried on as it arrived. */
  | 'unsigned'
  /** Nothing is owed: never completed. */
  | 'exempt';

export interface ComparedBlock {
  readonly block: IssuedBlock;
  readonly state: BlockState;
  /** Message that holds it; undefined for what is absent. */
  readonly message: number | undefined;
  /** Inside the message. */
  readonly path: string | undefined;
  readonly members: readonly Member[];
  /** It is there without its seal. */
  readonly sealLost: boolean;
}

/** Something in the place of reasoning that no response contained. */
export interface Fabricated {
  readonly message: number;
  readonly piece: BlockPiece;
}

export interface ComparedAnswer {
  readonly answer: Answer;
  /** One untouched message. */
  readonly echo: boolean;
  readonly blocks: readonly ComparedBlock[];
  /** First message that holds something of it. */
  readonly message: number;
  readonly messages: readonly number[];
  readonly duplicated: number;
  readonly fabricated: readonly Fabricated[];
  readonly split: number;
  /** Elements that were put together with others of the answer. */
  readonly joined: number;
  /** A call of a sealed answer is gone, and a seal of it is still there. */
  readonly callRemoved: boolean;
}

const NONE: readonly never[] = [];

/** An answer that came back as it was issued. */
export function compareEcho({ answer, message }: SeenAnswer): ComparedAnswer {
  return {
    answer,
    echo: true,
    blocks: answer.blocks.map((block) => ({
      block,
      state: asChatBlock(block)?.chat.unsigned ? 'unsigned' : 'intact',
      message,
      path: undefined,
      members: asChatBlock(block)?.chat.members ?? NONE,
      sealLost: false,
    })),
    message,
    messages: [message],
    duplicated: 0,
    fabricated: NONE,
    split: 0,
    joined: 0,
    callRemoved: false,
  };
}

export interface Found {
  readonly how: Return;
  readonly message: number;
  readonly piece: BlockPiece;
}

/**
 * Holds what a request shows of one answer against what was issued.
 * @param elsewhere messages that other answers are at home in.
 */
export function compareAnswer(seen: SeenAnswer, facts: RequestFacts, elsewhere: ReadonlySet<number>): ComparedAnswer {
  const { answer, sightings } = seen;
  const placed = new Map<IssuedPiece, Sighting>();
  const loose: Sighting[] = [];
  const body = new Set(sightings.flatMap(({ issued, message }) => (issued && !issued.block ? [message] : [])));
  let duplicated = 0;
  for (const sighting of sightings) {
    const { issued, piece } = sighting;
    if (issued === undefined) {
      loose.push(sighting);
      continue;
    }
    const first = placed.get(issued);
    if (first === undefined) placed.set(issued, sighting);
    else if (issued.block !== undefined && piece.kind === 'block') {
      duplicated++;
      // The copy may stand before the original, which is whole, and where the rest of the answer is.
      const whole = first.piece.kind === 'block' && isIntact(first.piece, issued.block);
      const away = body.has(sighting.message) && !body.has(first.message);
      if (isIntact(piece, issued.block) && (!whole || away)) placed.set(issued, sighting);
    }
  }
  matchLoosePieces(answer, placed, loose, facts);

  const found = new Map<IssuedBlock, Found>();
  const fabricated: Fabricated[] = [];
  for (const block of answer.blocks) {
    const sighting = placed.get(answer.pieces[block.index] as IssuedPiece);
    if (sighting?.piece.kind !== 'block') continue;
    const { piece, message } = sighting;
    if (hasOtherSeal(piece, message, block, facts)) {
      // Its text is the issued one, but with a seal it is the seal that counts.
      placed.delete(answer.pieces[block.index] as IssuedPiece);
      fabricated.push({ message, piece });
    } else found.set(block, { how: returnOf(piece, block, placed), message, piece });
  }
  for (const { message, piece } of loose) {
    if (piece.kind !== 'block') continue;
    const owner = findOwner(piece, message, answer, found, facts);
    if (owner === 'part') continue;
    if (owner === undefined) fabricated.push({ message, piece });
    for (const { block, how } of owner ?? NONE) {
      found.set(block, { how, message, piece });
      const issued = answer.pieces[block.index];
      if (issued !== undefined) placed.set(issued, { message, piece, issued });
    }
  }
  findInSiblings(answer, placed, found, facts);

  const joined = settleJoined(answer, found, facts);
  // Where nothing is left as it was, the answer is at home where it was found.
  const homes = placed.size > 0 ? homesOf(answer, placed, elsewhere) : new Set(sightings.map(({ message }) => message));
  findInJoined(answer, homes, elsewhere, found, facts);
  fabricated.push(...findEmpties(answer, homes, found, facts));
  const moved = displaced(answer, placed);
  const texts = answer.blocks.every((block) => found.has(block)) ? NONE : unknownTexts(answer, placed, homes, facts);
  const blocks = answer.blocks.map((block): ComparedBlock => {
    const own = found.get(block);
    if (own === undefined) return absent(block, texts);
    const { message, piece } = own;
    let state: BlockState = own.how;
    const issued = answer.pieces[block.index];
    if (state === 'intact' || state === 'renamed') {
      if (asChatBlock(block)?.chat.unsigned) state = 'unsigned';
      else if (!homes.has(message)) state = 'misplaced';
      else if (issued !== undefined && moved.has(issued)) state = 'reordered';
    }
    const sealLost = state === 'edited' && block.seal !== undefined && piece.seal === undefined;
    return { block, state, message, path: piece.path, members: piece.members, sealLost };
  });

  const pieces = [...homes];
  const sealsLeft = blocks.some(
    ({ block, message, sealLost }) => message !== undefined && block.seal !== undefined && !sealLost,
  );
  return {
    answer,
    echo: false,
    blocks,
    message: seen.message,
    messages: pieces.length === 0 ? [seen.message] : pieces.sort((x, y) => x - y),
    duplicated,
    fabricated,
    split: answer.blocks.length === 0 ? 0 : Math.max(0, pieces.length - 1),
    joined,
    callRemoved:
      sealsLeft &&
      answer.complete &&
      answer.pieces.some((piece) => piece.call !== undefined && !piece.call.optional && !placed.has(piece)),
  };
}

/** A seal that was not made from the issued one. */
function hasOtherSeal(piece: BlockPiece, message: number, block: IssuedBlock, facts: RequestFacts): boolean {
  if (piece.seal === undefined || block.seal === undefined || piece.seal === block.seal) return false;
  const seal = rawOf(piece, message, facts)?.seal ?? '';
  return piece.filler === 'bypass' || !isSealOf(seal, piece.seal, block);
}

/** A call that came back under another id is still the same call; a text around which something was put, the same text. */
function matchLoosePieces(
  answer: Answer,
  placed: Map<IssuedPiece, Sighting>,
  loose: readonly Sighting[],
  facts: RequestFacts,
): void {
  for (const sighting of loose) {
    const { piece, message } = sighting;
    if (piece.kind === 'block') continue;
    const twin = answer.pieces.find((issued) => {
      if (placed.has(issued)) return false;
      if (piece.kind === 'call') return issued.call?.name === piece.name && issued.call.input === piece.input;
      if (issued.kind !== 'text') return false;
      if (issued.key === piece.key) return true;
      const rest = aroundCorrupted(textOf(asObject(facts.rawMessages[message]) ?? {}));
      return rest !== undefined && issued.passage !== undefined && contains(rest, issued.passage);
    });
    if (twin !== undefined) placed.set(twin, sighting);
  }
}

/** A block may be there in a second form only, beside a list that the client made of it. */
function findInSiblings(
  answer: Answer,
  placed: ReadonlyMap<IssuedPiece, Sighting>,
  found: Map<IssuedBlock, Found>,
  facts: RequestFacts,
): void {
  const missing = answer.blocks.filter((block) => !found.has(block));
  if (missing.length === 0) return;
  for (const message of new Set([...placed.values()].map((one) => one.message))) {
    for (const piece of facts.messages[message]?.siblings ?? NONE) {
      const block = missing.find((one) => !found.has(one) && one.seal === piece.seal && one.text === piece.text);
      if (block !== undefined) found.set(block, { how: returnOf(piece, block, placed), message, piece });
    }
  }
}

/** Strings of two answers put together into one: each is whole inside it. The join itself is counted once. */
function findInJoined(
  answer: Answer,
  homes: ReadonlySet<number>,
  elsewhere: ReadonlySet<number>,
  found: Map<IssuedBlock, Found>,
  facts: RequestFacts,
): void {
  for (const message of homes) {
    if (!elsewhere.has(message)) continue;
    for (const piece of facts.messages[message]?.pieces ?? NONE) {
      if (piece.kind !== 'block' || piece.form !== 'string' || piece.text === undefined) continue;
      const text = rawOf(piece, message, facts)?.text ?? '';
      for (const block of answer.blocks) {
        const changed = !found.has(block) || found.get(block)?.how === 'edited';
        const inside = block.seal === undefined && block.passage !== undefined && contains(text, block.passage);
        if (changed && inside) found.set(block, { how: 'intact', message, piece });
      }
    }
  }
}

/** Members that are there and empty, where a text was issued: no reasoning, but something in its place. */
function findEmpties(
  answer: Answer,
  homes: ReadonlySet<number>,
  found: Map<IssuedBlock, Found>,
  facts: RequestFacts,
): readonly Fabricated[] {
  const fabricated: Fabricated[] = [];
  for (const message of homes) {
    for (const piece of facts.messages[message]?.empties ?? NONE) {
      const block = answer.blocks.find((one) => !found.has(one) && isFillerOf(piece, one));
      if (block === undefined) continue;
      // Emptied and without its seal it is still the container.
      if (block.seal !== undefined) found.set(block, { how: 'edited', message, piece });
      else fabricated.push({ message, piece });
    }
  }
  return fabricated;
}

interface FoundText {
  readonly text: string;
  readonly message: number;
  readonly path: string;
}

function absent(block: IssuedBlock, texts: readonly FoundText[]): ComparedBlock {
  const { passage } = block;
  const aloud = passage && texts.find(({ text }) => contains(text, passage));
  const common = { block, members: NONE, sealLost: false };
  if (aloud !== undefined) return { ...common, state: 'converted_to_text', message: aloud.message, path: aloud.path };
  return { ...common, state: block.complete ? 'dropped' : 'exempt', message: undefined, path: undefined };
}

/** What is said in and around the answer's messages and is not, as it stands, a text of the answer. */
function unknownTexts(
  answer: Answer,
  placed: ReadonlyMap<IssuedPiece, Sighting>,
  homes: ReadonlySet<number>,
  facts: RequestFacts,
): readonly FoundText[] {
  if (!answer.blocks.some(({ passage }) => passage !== undefined)) return NONE;
  const own = new Map<number, Set<Digest>>();
  for (const [issued, { message, piece }] of placed) {
    if (piece.kind !== 'text' || issued.key !== piece.key) continue;
    own.set(message, (own.get(message) ?? new Set()).add(piece.key));
  }
  const messages = new Set(homes);
  for (const message of homes) {
    for (let m = message - 1; facts.messages[m]?.role === 'assistant'; m--) messages.add(m);
    for (let m = message + 1; facts.messages[m]?.role === 'assistant'; m++) messages.add(m);
  }
  return [...messages].flatMap((message) => {
    const raw = asObject(facts.rawMessages[message]) ?? {};
    const known = own.get(message);
    const text =
      known === undefined
        ? textOf(raw)
        : textParts(raw)
            .filter((part) => !known.has(digest(part.trim())))
            .join('');
    return text === '' ? [] : [{ text, message, path: 'content' }];
  });
}
