import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import { homesOf } from '../../continuity/homes.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { contains, passageOf } from '../../continuity/passage.ts';
import { displaced } from '../displaced.ts';
import { asArray, asObject, asString, type Json } from '../json.ts';
import { isIntact } from './echo.ts';
import type { SeenAnswer, Sighting } from './match.ts';
import type { BlockPiece } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';

/** What became of one issued block in one request. */
export type BlockState =
  | 'intact'
  | 'edited'
  | 'misplaced'
  | 'reordered'
  | 'dropped'
  | 'converted_to_text'
  /** Arrived without a seal and is carried on as it arrived. */
  | 'unsigned'
  /** Nothing is owed: never completed, superseded by a fallback, or to be thrown away. */
  | 'exempt';

export interface ComparedBlock {
  readonly block: IssuedBlock;
  readonly state: BlockState;
  /** Place in the request; undefined for what is absent. */
  readonly message: number | undefined;
  readonly at: number | undefined;
  /** Only the readable text differs: whether that is refused is disputed. */
  readonly textOnly: boolean;
  /** Refused whatever the model (schema, or a seal that cannot verify). */
  readonly refused: boolean;
  /** Where the text of an absent block was found. */
  readonly found?: FoundText;
  /** The block is there without its seal. */
  readonly sealLost: boolean;
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
  readonly merged: number;
  /** A client-run call of a sealed answer is gone. */
  readonly callRemoved: boolean;
}

export interface Fabricated {
  readonly message: number;
  readonly at: number;
  /** It says what the answer thought in the form of another API, where such summaries have no seal. */
  readonly relabelled: boolean;
}

/** An answer that came back as it was issued. */
export function compareEcho(seen: SeenAnswer): ComparedAnswer {
  const known = echoes.get(seen.answer);
  if (known?.message === seen.message) return known;
  const compared = compareWhole(seen);
  echoes.set(seen.answer, compared);
  return compared;
}

/** At every step the same, as long as the message keeps its place. */
const echoes = new WeakMap<Answer, ComparedAnswer>();

function compareWhole(seen: SeenAnswer): ComparedAnswer {
  return {
    answer: seen.answer,
    echo: true,
    blocks: seen.answer.blocks.map((block) => ({
      block,
      state: block.superseded ? 'exempt' : block.seal === undefined ? 'unsigned' : 'intact',
      message: seen.message,
      at: undefined,
      ...PLAIN,
    })),
    message: seen.message,
    messages: [seen.message],
    duplicated: 0,
    fabricated: [],
    split: 0,
    merged: 0,
    callRemoved: false,
  };
}

/** Holds what a request shows of one answer against what was issued. */
export function compareAnswer(seen: SeenAnswer, facts: RequestFacts, elsewhere: ReadonlySet<number>): ComparedAnswer {
  const { answer, sightings } = seen;
  const placed = new Map<IssuedPiece, Sighting>();
  const loose: Sighting[] = [];
  const body = new Set(sightings.flatMap(({ message, issued }) => (issued && !issued.block ? [message] : [])));
  let duplicated = 0;
  for (const sighting of sightings) {
    const { issued, piece, message } = sighting;
    if (issued === undefined) loose.push(sighting);
    else {
      const known = placed.get(issued);
      if (known !== undefined && issued.block !== undefined && piece.kind === 'block') duplicated++;
      // Of two copies the one beside its calls and texts is the block, wherever the other stands.
      if (known === undefined || (!body.has(known.message) && body.has(message))) placed.set(issued, sighting);
    }
  }
  matchLoosePieces(answer, placed, loose);

  const outcome = new Map<IssuedBlock, { edited: boolean; textOnly: boolean; refused: boolean; sighting: Sighting }>();
  const issuedOf = (block: IssuedBlock): IssuedPiece | undefined => answer.pieces[block.index];
  for (const block of answer.blocks) {
    const issued = issuedOf(block);
    const sighting = issued === undefined ? undefined : placed.get(issued);
    if (sighting === undefined) continue;
    const edit = editOf(sighting, block);
    outcome.set(block, { ...edit, sighting });
  }

  const joined = findJoined(answer, outcome, facts);
  const fabricated: Fabricated[] = [];
  for (const sighting of loose) {
    if (sighting.piece.kind !== 'block') continue;
    const owner =
      fragmentOf(sighting, answer, outcome, sightings, facts) ??
      ownerOf(sighting, sighting.piece, answer, outcome, facts);
    if (owner === 'part') continue;
    if (owner === undefined) {
      const { message, piece } = sighting;
      fabricated.push({ message, at: piece.at, relabelled: saysThought(sighting, answer, facts) });
      continue;
    }
    const unsigned = owner.seal === undefined && sighting.piece.seal === undefined;
    outcome.set(owner, { edited: !unsigned, textOnly: false, refused: !unsigned, sighting });
    const issued = issuedOf(owner);
    if (issued !== undefined) placed.set(issued, sighting);
  }

  const order = displaced(answer, placed);
  const homes = homesOf(answer, placed, elsewhere);
  const texts = unknownTexts(seen, answer, facts);
  const blocks = answer.blocks.map((block): ComparedBlock => {
    const found = outcome.get(block);
    if (found === undefined) {
      return { block, message: undefined, at: undefined, ...PLAIN, ...absentState(block, answer, texts) };
    }
    const { message, piece } = found.sighting;
    const issued = issuedOf(block);
    let state: BlockState = 'intact';
    if (block.superseded) state = 'exempt';
    else if (block.seal === undefined && !found.edited) state = 'unsigned';
    else if (found.edited && !joined.survivors.has(block)) state = 'edited';
    else if (!homes.has(message)) state = 'misplaced';
    else if (issued !== undefined && order.has(issued)) state = 'reordered';
    const sealLost = state === 'edited' && piece.kind === 'block' && piece.sealMember !== 'present';
    return { block, state, message, at: piece.at, textOnly: found.textOnly, refused: found.refused, sealLost };
  });

  const messages = [...new Set([...placed.values()].map((s) => s.message))].sort((x, y) => x - y);
  const pieces = messages.filter((message) => homes.has(message));
  const sealsLeft = blocks.some((b) => b.message !== undefined && b.block.seal !== undefined && !b.sealLost);
  return {
    answer,
    echo: false,
    blocks,
    message: seen.message,
    messages,
    duplicated,
    fabricated,
    split: Math.max(0, pieces.length - 1),
    merged: joined.count + markersLost(answer, placed),
    callRemoved:
      sealsLeft &&
      answer.complete &&
      answer.pieces.some((piece) => piece.call !== undefined && !piece.call.optional && !placed.has(piece)),
  };
}

const PLAIN = { textOnly: false, refused: false, sealLost: false };

/** A call that came back under another id is still the same call; texts and markers are told by what they are. */
function matchLoosePieces(answer: Answer, placed: Map<IssuedPiece, Sighting>, loose: readonly Sighting[]): void {
  for (const sighting of loose) {
    const { piece } = sighting;
    if (piece.kind === 'block') continue;
    if (piece.kind !== 'call') {
      const same = answer.pieces.find((issued) => !placed.has(issued) && !issued.call && issued.key === piece.key);
      if (same !== undefined) placed.set(same, sighting);
      continue;
    }
    const twin = answer.pieces.find(
      (issued) => !placed.has(issued) && issued.call?.name === piece.name && issued.call.input === piece.input,
    );
    if (twin !== undefined) placed.set(twin, sighting);
  }
}

function editOf(
  sighting: Sighting,
  block: IssuedBlock,
): { readonly edited: boolean; readonly textOnly: boolean; readonly refused: boolean } {
  const { piece } = sighting;
  if (piece.kind !== 'block') return { edited: true, textOnly: false, refused: true };
  const unsealed = block.seal === undefined && piece.seal === undefined;
  if (unsealed || isIntact(piece, block)) return { edited: false, textOnly: false, refused: false };
  const textOnly = piece.seal === block.seal && piece.type === block.type && piece.textMember !== 'missing';
  return { edited: true, textOnly, refused: !textOnly };
}

/** The issued block that a block without a known seal stands for; `part` for a surplus piece of one that is there. */
function ownerOf(
  sighting: Sighting,
  piece: BlockPiece,
  answer: Answer,
  outcome: ReadonlyMap<IssuedBlock, unknown>,
  facts: RequestFacts,
): IssuedBlock | 'part' | undefined {
  const missing = answer.blocks.filter((block) => !outcome.has(block));
  const raw = rawBlock(facts, sighting.message, piece.at);
  if (piece.seal !== undefined) {
    const seal = asString(piece.type === 'thinking' ? raw.signature : raw.data) ?? '';
    const derived = (block: IssuedBlock): boolean =>
      block.sealLikeness !== undefined && isDerived(seal, block.sealLikeness, true);
    return missing.find(derived) ?? (answer.blocks.some(derived) ? 'part' : undefined);
  }
  // Its seal is lost: the text tells which block it was.
  const sameText = (block: IssuedBlock): boolean => block.text === piece.text;
  const candidates = missing.filter((block) => block.type === piece.type);
  const same = candidates.find(sameText);
  if (same !== undefined) return same;
  const text = asString(raw.thinking) ?? '';
  // Several texts put together without any seal: none of the blocks survives in it.
  if (missing.filter(({ passage }) => passage !== undefined && contains(text, passage)).length > 1) return 'part';
  const alike = (block: IssuedBlock): boolean =>
    block.textLikeness !== undefined && isDerived(text, block.textLikeness);
  const partOf = answer.blocks.some((block) => outcome.has(block) && (sameText(block) || alike(block)));
  if (partOf && piece.text !== undefined) return 'part';
  // Emptied, or of a kind that has no text: the container alone is left of it.
  return candidates.find((block) => piece.text === undefined || block.text === undefined || alike(block));
}

/** An unsigned block with the words of a thought that another API gave beside its answer. */
function saysThought({ message, piece }: Sighting, { pieces }: Answer, facts: RequestFacts): boolean {
  if (piece.kind !== 'block' || piece.seal !== undefined || piece.text === undefined) return false;
  const { length, hash } = passageOf(asString(rawBlock(facts, message, piece.at).thinking) ?? '');
  return pieces.some(({ kind, passage }) => kind === 'other' && passage?.length === length && passage.hash === hash);
}

/**
 * The block of which an unsigned one holds a piece: its neighbours and it say together what the block said, as where the
 * deltas of a stream became blocks of their own. `part` where another piece of it stands for the block already.
 */
function fragmentOf(
  { message, piece }: Sighting,
  answer: Answer,
  outcome: ReadonlyMap<IssuedBlock, unknown>,
  sightings: readonly Sighting[],
  facts: RequestFacts,
): IssuedBlock | 'part' | undefined {
  if (piece.kind !== 'block' || piece.seal !== undefined || piece.text === undefined) return undefined;
  const row = sightings.filter((one) => one.message === message && one.piece.kind === 'block');
  if (row.length < 2) return undefined;
  row.sort((x, y) => x.piece.at - y.piece.at);
  const texts = row.map((one) => asString(rawBlock(facts, message, one.piece.at).thinking) ?? '');
  const own = row.findIndex((one) => one.piece === piece);
  for (let from = 0; from <= own; from++) {
    for (let to = Math.max(own + 1, from + 2); to <= row.length; to++) {
      const { length, hash } = passageOf(texts.slice(from, to).join(''));
      const block = answer.blocks.find(({ passage }) => passage?.length === length && passage.hash === hash);
      if (block !== undefined) return outcome.has(block) ? 'part' : block;
    }
  }
  return undefined;
}

/**
 * Blocks of one answer whose texts were put together under the last one's seal: the survivor only gained text, the
 * others lost their seal.
 */
function findJoined(
  answer: Answer,
  outcome: ReadonlyMap<IssuedBlock, { readonly textOnly: boolean; readonly sighting: Sighting }>,
  facts: RequestFacts,
): { readonly count: number; readonly survivors: ReadonlySet<IssuedBlock> } {
  const survivors = new Set<IssuedBlock>();
  const lost = answer.blocks.filter((block) => !outcome.has(block) && block.passage !== undefined);
  let count = 0;
  for (const [block, { textOnly, sighting }] of outcome) {
    if (!textOnly || sighting.piece.kind !== 'block' || lost.length === 0) continue;
    const text = asString(rawBlock(facts, sighting.message, sighting.piece.at).thinking) ?? '';
    if (block.passage !== undefined && !contains(text, block.passage)) continue;
    const gained = lost.filter((other) => other.passage !== undefined && contains(text, other.passage));
    if (gained.length === 0) continue;
    count += gained.length;
    survivors.add(block);
  }
  return { count, survivors };
}

/** A hand-over marker that is missing between two producers joins their parts. */
function markersLost(answer: Answer, placed: ReadonlyMap<IssuedPiece, Sighting>): number {
  if (answer.markers === 0) return 0;
  let lost = 0;
  let before = false;
  let pending = false;
  for (const piece of answer.pieces) {
    if (piece.kind === 'marker') {
      if (before && !placed.has(piece)) pending = true;
      continue;
    }
    if (!placed.has(piece)) continue;
    if (pending) lost++;
    pending = false;
    before = true;
  }
  return lost;
}

function absentState(
  block: IssuedBlock,
  answer: Answer,
  texts: readonly FoundText[],
): { readonly state: BlockState; readonly found?: FoundText } {
  const { passage } = block;
  if (block.superseded || answer.discardable) return { state: 'exempt' };
  // Unfinished thinking is to be left out, not inlined.
  const found = passage && texts.find(({ text }) => contains(text, passage));
  if (found !== undefined) return { state: 'converted_to_text', found };
  return { state: block.complete && block.seal !== undefined ? 'dropped' : 'exempt' };
}

interface FoundText {
  readonly text: string;
  readonly path: string;
}

/** Texts around the answer's pieces that are not, as they stand, texts of the answer. */
function unknownTexts(seen: SeenAnswer, answer: Answer, facts: RequestFacts): readonly FoundText[] {
  if (!answer.blocks.some((block) => block.passage !== undefined)) return [];
  const own = new Set<string>();
  const messages = new Set<number>();
  for (const { message, piece, issued } of seen.sightings) {
    messages.add(message);
    if (issued !== undefined) own.add(`${message}.${piece.at}`);
  }
  for (const message of [...messages]) {
    for (let m = message - 1; facts.messages[m]?.role === 'assistant'; m--) messages.add(m);
    for (let m = message + 1; facts.messages[m]?.role === 'assistant'; m++) messages.add(m);
  }
  const texts: FoundText[] = [];
  for (const message of messages) {
    const content = asObject(facts.rawMessages[message])?.content;
    if (typeof content === 'string') {
      if (!own.has(`${message}.0`)) texts.push({ text: content, path: `messages.${message}.content` });
      continue;
    }
    asArray(content)?.forEach((block, at) => {
      const text = asString(asObject(block)?.text);
      const place = `${message}.${at}`;
      if (text === undefined || own.has(place)) return;
      texts.push({ text, path: `messages.${message}.content.${at}` });
    });
  }
  return texts;
}

function rawBlock(facts: RequestFacts, message: number, at: number): Json {
  return asObject(asArray(asObject(facts.rawMessages[message])?.content)?.[at]) ?? {};
}
