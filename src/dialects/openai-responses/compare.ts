import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { contains } from '../../continuity/passage.ts';
import { asObject, asString, type Json } from '../json.ts';
import { API } from './api.ts';
import { returnOf } from './block-state.ts';
import { isOtherMaker } from './foreign.ts';
import { type Body, homesOf } from './homes.ts';
import type { SeenAnswer, Sighting } from './match.ts';
import { resolveModel } from './models.ts';
import { displaced, type Placed } from './order.ts';
import { type BlockItem, type ItemFacts, messageText, textsOf } from './read-item.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** What became of one issued block in one request. */
export type BlockState =
  | 'intact'
  /** Held by the provider: nothing was to be sent. */
  | 'held'
  | 'edited'
  /** Only its summary differs, which nobody checks. */
  | 'summary_changed'
  | 'unsealed'
  | 'misplaced'
  | 'reordered'
  | 'dropped'
  | 'converted_to_text'
  /** Nothing is owed: never completed, or it led to nothing. */
  | 'exempt';

export interface ComparedBlock {
  readonly block: IssuedBlock;
  readonly state: BlockState;
  /** Place in the request; undefined for what is absent. */
  readonly at: number | undefined;
  /** The block is there without its seal. */
  readonly sealLost: boolean;
  /** Where the text of an absent block was found. */
  readonly found?: number;
}

export interface ComparedAnswer {
  readonly answer: Answer;
  /** Came back whole, item for item: where. */
  readonly whole: readonly number[] | undefined;
  readonly held: boolean;
  readonly blocks: readonly ComparedBlock[];
  /** First item that holds something of it; -1 where none does. */
  readonly at: number;
  /** Last one. */
  readonly end: number;
  readonly placed: ReadonlyMap<IssuedPiece, Sighting>;
  readonly duplicated: number;
  /** Places of reasoning that nobody issued. */
  readonly fabricated: readonly number[];
  readonly merged: number;
  /** Assistant messages that lost or changed their label. */
  readonly relabelled: readonly number[];
}

const NOTHING_PLACED: ReadonlyMap<IssuedPiece, Sighting> = new Map();
const NONE: readonly never[] = [];

/** An answer that came back as it was issued; at the same place as last time, most likely. */
export function compareEcho(answer: Answer, whole: readonly number[]): ComparedAnswer {
  const known = echoes.get(answer);
  if (known?.whole?.every((place, i) => place === whole[i])) return known;
  const compared = echoAt(answer, whole);
  echoes.set(answer, compared);
  return compared;
}

const echoes = new WeakMap<Answer, ComparedAnswer>();
const holdings = new WeakMap<Answer, ComparedAnswer>();

function echoAt(answer: Answer, whole: readonly number[]): ComparedAnswer {
  return {
    answer,
    whole,
    held: false,
    blocks: answer.blocks.map((block) => ({ block, state: 'intact', at: whole[block.index], sealLost: false })),
    at: whole[0] ?? -1,
    end: whole.at(-1) ?? -1,
    placed: NOTHING_PLACED,
    duplicated: 0,
    fabricated: NONE,
    merged: 0,
    relabelled: NONE,
  };
}

/** An answer that the provider holds: what is sent of it all the same is a copy. */
export function compareHeld({ answer, sightings }: SeenAnswer): ComparedAnswer {
  let compared = holdings.get(answer);
  if (compared === undefined) {
    compared = { ...absent(answer, -1, 'held'), held: true };
    holdings.set(answer, compared);
  }
  const duplicated = sightings.filter(({ issued }) => issued?.block !== undefined).length;
  return duplicated === 0 ? compared : { ...compared, duplicated };
}

/** An answer of which the request holds nothing that would stand for its blocks. */
export function absent(answer: Answer, at: number, state: 'dropped' | 'held' = 'dropped'): ComparedAnswer {
  return {
    answer,
    whole: undefined,
    held: false,
    blocks: answer.blocks.map((block) => ({
      block,
      state: isOwed(block) || state === 'held' ? state : 'exempt',
      at: undefined,
      sealLost: false,
    })),
    at,
    end: at,
    placed: NOTHING_PLACED,
    duplicated: 0,
    fabricated: NONE,
    merged: 0,
    relabelled: NONE,
  };
}

/** Reasoning that never completed, or that ended its answer, is to be left out: nothing follows it (openai-agents-python#1611). */
export function isOwed(block: IssuedBlock): boolean {
  const { answer } = block;
  if (!block.complete || answer.discardable) return false;
  return block.type === 'compaction' || answer.pieces.slice(block.index + 1).some((piece) => piece.kind !== 'block');
}

/** A request, as read. */
export interface Sent {
  readonly facts: RequestFacts;
  readonly items: readonly ItemFacts[];
  readonly turns: Turns;
  /** Whether a text is, as it stands, one that some answer held. */
  readonly isIssuedText: (key: Digest) => boolean;
}

/** Holds what a request shows of one answer against what was issued. */
export function compareAnswer(
  seen: SeenAnswer,
  request: Sent,
  bodyOf: (stretch: number) => Body | undefined,
): ComparedAnswer {
  const { facts, turns } = request;
  const { answer, sightings } = seen;
  const placed = new Map<IssuedPiece, Sighting>();
  const loose: Sighting[] = [];
  let duplicated = 0;
  for (const sighting of sightings) {
    const { issued, item } = sighting;
    if (issued === undefined) loose.push(sighting);
    else if (!placed.has(issued)) placed.set(issued, sighting);
    else if (issued.block !== undefined && item.kind === 'block' && !isAsked(sighting, request)) duplicated++;
  }
  matchLoosePieces(answer, placed, loose);

  const fabricated: number[] = [];
  const returned = new Map<IssuedBlock, { readonly how: ReturnType<typeof returnOf>; readonly sighting: Sighting }>();
  for (const block of answer.blocks) {
    const issued = answer.pieces[block.index];
    const sighting = issued && placed.get(issued);
    if (sighting === undefined) continue;
    const how = sighting.item.kind === 'block' ? returnOf(sighting.item, block) : 'edited';
    if (how === 'edited' && isFiller(sighting, block, facts)) {
      if (issued !== undefined) placed.delete(issued);
      fabricated.push(sighting.at);
    } else returned.set(block, { how, sighting });
  }

  const joined = findJoined(answer, returned, facts);
  for (const sighting of loose) {
    if (sighting.item.kind !== 'block') continue;
    const owner = ownerOf(sighting.at, sighting.item, answer, returned, facts);
    if (owner === 'part') continue;
    if (owner === undefined || isFiller(sighting, owner, facts)) fabricated.push(sighting.at);
    else {
      returned.set(owner, { how: returnOf(sighting.item, owner), sighting });
      const issued = answer.pieces[owner.index];
      if (issued !== undefined) placed.set(issued, sighting);
    }
  }

  const orderOf = new Map(answer.pieces.map((piece, index) => [piece, index]));
  const moved = displaced(
    [...placed].map(([piece, { at }]): Placed => ({ piece, at, order: orderOf.get(piece) ?? 0 })),
  );
  const homes = homesOf(answer, placed, turns, bodyOf);
  const texts = answer.blocks.every((block) => returned.has(block)) ? NONE : unknownTexts(answer, placed, request);
  const blocks = answer.blocks.map((block): ComparedBlock => {
    const found = returned.get(block);
    if (found === undefined) return { block, at: undefined, sealLost: false, ...absentState(block, texts) };
    const { at, item } = found.sighting;
    const issued = answer.pieces[block.index];
    let state: BlockState = found.how;
    if (joined.survivors.has(block)) state = 'intact';
    if (state === 'intact' || state === 'summary_changed') {
      const home = homes.get(turns.stretchOf[at] ?? at);
      if (home === undefined) state = 'misplaced';
      else if (issued !== undefined && moved.has(issued)) state = home === 'own' ? 'reordered' : 'misplaced';
    }
    const sealLost = state === 'edited' && block.seal !== undefined && item.kind === 'block' && item.seal === undefined;
    return { block, state, at, sealLost };
  });

  const places = [...placed.values()].map((one) => one.at);
  return {
    answer,
    whole: undefined,
    held: false,
    blocks,
    at: seen.at,
    end: places.length === 0 ? seen.at : Math.max(...places),
    placed,
    duplicated,
    fabricated,
    merged: joined.count,
    relabelled: findRelabelled(placed),
  };
}

/**
 * Where every answer has to bring its reasoning, each call of a batch is wanted behind a copy of it
 * (rikkahub/rikkahub#1690).
 */
function isAsked({ at }: Sighting, { facts, items }: Sent): boolean {
  return facts.model.row?.context === 'with_tools' && items[at - 1]?.kind === 'call' && items[at + 1]?.kind === 'call';
}

/**
 * Without a seal the text is the block: of it nothing is left in an empty or an unrelated one. Nor is it what another
 * maker sealed.
 */
function isFiller({ at, item }: Sighting, block: IssuedBlock, facts: RequestFacts): boolean {
  if (item.kind !== 'block') return false;
  if (block.seal !== undefined) return isUnrelated(at, item, block, facts);
  if (block.textLikeness === undefined) return false;
  if (block.text === undefined || item.seal !== undefined || item.named || item.textMember === 'missing') return false;
  return item.textMember === 'empty' || !isDerived(textsOf(rawItem(facts, at).content), block.textLikeness);
}

/** Bears nothing of a block that this target did not make: neither its seal, its id nor its words. */
function isUnrelated(at: number, item: BlockItem, block: IssuedBlock, facts: RequestFacts): boolean {
  if (item.seal !== undefined || item.id !== undefined || item.named) return false;
  if (block.seal !== undefined && item.strings.includes(block.seal)) return false;
  if (!isOtherMaker(resolveModel(block.model), facts.model)) return false;
  return block.textLikeness === undefined || !isDerived(readableText(rawItem(facts, at)), block.textLikeness);
}

/** A call that came back under another id is still the same call; texts are told by what they say. */
function matchLoosePieces(answer: Answer, placed: Map<IssuedPiece, Sighting>, loose: readonly Sighting[]): void {
  for (const sighting of loose) {
    const { item } = sighting;
    if (item.kind === 'block') continue;
    const twin = answer.pieces.find((issued) => {
      if (placed.has(issued)) return false;
      if (item.kind === 'call') return issued.call?.name === item.name && issued.call.input === item.input;
      return issued.call === undefined && issued.key === item.key;
    });
    if (twin !== undefined) placed.set(twin, sighting);
  }
}

/**
 * The issued block that a reasoning item without a known seal or id stands for: `part` for a surplus piece of one
 * that is there.
 */
function ownerOf(
  at: number,
  item: BlockItem,
  answer: Answer,
  returned: ReadonlyMap<IssuedBlock, unknown>,
  facts: RequestFacts,
): IssuedBlock | 'part' | undefined {
  const isOther = answer.request.api !== API;
  const missing = answer.blocks.filter((block) => !returned.has(block) && (isOther || block.type === item.type));
  const raw = rawItem(facts, at);
  if (item.seal !== undefined) {
    const seal = asString(raw.encrypted_content) ?? '';
    const derived = (block: IssuedBlock): boolean =>
      block.sealLikeness !== undefined && isDerived(seal, block.sealLikeness);
    const sources = missing.filter(derived);
    // Several payloads put into one: none of them survives in it.
    if (sources.length > 1) return 'part';
    return sources[0] ?? (answer.blocks.some(derived) ? 'part' : undefined);
  }
  const text = readableText(raw);
  const own = item.text ?? item.summary;
  const sameText = (block: IssuedBlock): boolean => own !== undefined && (block.text ?? block.summary) === own;
  const same = missing.find(sameText);
  if (same !== undefined) return same;
  if (missing.filter(({ passage }) => passage !== undefined && contains(text, passage)).length > 1) return 'part';
  const alike = (block: IssuedBlock): boolean =>
    block.textLikeness !== undefined && isDerived(text, block.textLikeness);
  if (own !== undefined && answer.blocks.some((block) => returned.has(block) && (sameText(block) || alike(block)))) {
    return 'part';
  }
  return missing.find((block) => own === undefined || alike(block) || (block.text ?? block.summary) === undefined);
}

/**
 * Blocks of one answer whose summaries were put together under the seal of one of them: the survivor only gained text,
 * the others lost their seal.
 */
function findJoined(
  answer: Answer,
  returned: ReadonlyMap<IssuedBlock, { readonly how: string; readonly sighting: Sighting }>,
  facts: RequestFacts,
): { readonly count: number; readonly survivors: ReadonlySet<IssuedBlock> } {
  const survivors = new Set<IssuedBlock>();
  const lost = answer.blocks.filter((block) => !returned.has(block) && block.passage !== undefined);
  let count = 0;
  if (lost.length === 0) return { count, survivors };
  for (const [block, { how, sighting }] of returned) {
    if (how !== 'summary_changed' && how !== 'edited') continue;
    const { item } = sighting;
    if (item.kind !== 'block' || (how === 'edited' && item.seal !== block.seal)) continue;
    const text = readableText(rawItem(facts, sighting.at));
    if (block.passage !== undefined && !contains(text, block.passage)) continue;
    const gained = lost.filter((other) => other.passage !== undefined && contains(text, other.passage));
    if (gained.length === 0) continue;
    count += gained.length;
    survivors.add(block);
  }
  return { count, survivors };
}

function absentState(
  block: IssuedBlock,
  texts: readonly FoundText[],
): { readonly state: BlockState; readonly found?: number } {
  const { passage } = block;
  // Unfinished thinking is to be left out, not inlined.
  const found = passage && texts.find(({ text }) => contains(text, passage));
  if (found !== undefined && !block.answer.discardable) return { state: 'converted_to_text', found: found.at };
  return { state: isOwed(block) ? 'dropped' : 'exempt' };
}

interface FoundText {
  readonly text: string;
  readonly at: number;
}

/** Assistant texts of the request that are not, as they stand, texts of the answer. */
function unknownTexts(
  answer: Answer,
  placed: ReadonlyMap<IssuedPiece, Sighting>,
  { items, facts, isIssuedText }: Sent,
): readonly FoundText[] {
  if (!answer.blocks.some((block) => block.passage !== undefined)) return NONE;
  const own = new Set<number>();
  for (const [piece, { at, item }] of placed) if (item.kind === 'text' && item.key === piece.key) own.add(at);
  const texts: FoundText[] = [];
  items.forEach((item, at) => {
    if (item.kind !== 'text' || own.has(at) || isIssuedText(item.key)) return;
    texts.push({ text: messageText(rawItem(facts, at).content), at });
  });
  return texts;
}

/** `phase` has to come back on every assistant message that has one (SDK typings). */
function findRelabelled(placed: ReadonlyMap<IssuedPiece, Sighting>): readonly number[] {
  const found: number[] = [];
  for (const [piece, { item, at }] of placed) {
    if (piece.label !== undefined && item.kind === 'text' && item.label !== piece.label) found.push(at);
  }
  return found;
}

function rawItem(facts: RequestFacts, at: number): Json {
  return asObject(facts.rawItems[at]) ?? {};
}

/** Reasoning text, or where there is none the summary of it. */
function readableText(item: Json): string {
  const text = textsOf(item.content);
  return text === '' ? textsOf(item.summary) : text;
}
