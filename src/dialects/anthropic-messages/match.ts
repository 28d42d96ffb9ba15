import type { Answer, IssuedBlock, IssuedPiece } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { contains } from '../../continuity/passage.ts';
import { asArray, asObject, asString } from '../json.ts';
import type { BlockPiece, Piece } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';
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
  readonly path: string;
  readonly issued: IssuedBlock;
}

export interface Match {
  /** In the order in which the request holds them. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  /** Known seals in a message that no model wrote, or on a piece that has none. */
  readonly strays: readonly Stray[];
  /** Reasoning of another maker, known by its text alone, in a message that nobody here issued. */
  readonly relabelled: readonly Stray[];
  /** Copies of whole messages that were echoed once already: number of blocks in them. */
  readonly copies: readonly { readonly message: number; readonly answer: Answer; readonly blocks: number }[];
}

const API = 'anthropic.messages';

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

  const sight = (answer: Answer, message: number, piece: Piece, issued: IssuedPiece | undefined): void => {
    let entry = byAnswer.get(answer);
    if (entry === undefined) {
      entry = { answer, sightings: [], message, exact: false };
      byAnswer.set(answer, entry);
      seen.push(entry);
      ledger.touch(answer);
    }
    if (entry.exact) {
      // Seen whole before: from here on it has to be held piece by piece.
      entry.exact = false;
      facts.messages[entry.message]?.pieces.forEach((own, i) => {
        entry?.sightings.push({ message: entry.message, piece: own, issued: answer.pieces[i] });
      });
    }
    entry.sightings.push({ message, piece, issued });
  };

  for (let m = 0; m < facts.messages.length; m++) {
    const message = facts.messages[m];
    if (message === undefined) continue;
    for (const piece of message.strayBlocks) {
      const issued = piece.seal === undefined ? undefined : ledger.bySeal(piece.seal).at(-1);
      if (issued !== undefined) strays.push({ path: `messages.${m}.content.${piece.at}`, issued });
    }
    if (message.role !== 'assistant' || message.pieces.length === 0) continue;
    const prefix = turns.prefixOf[turns.groupOf[m] ?? m] ?? 0;
    const echoed = findEcho(message.pieces, prefix, ledger);
    if (echoed !== undefined) {
      const known = byAnswer.get(echoed);
      if (known === undefined) {
        const entry = { answer: echoed, sightings: [], message: m, exact: true };
        byAnswer.set(echoed, entry);
        seen.push(entry);
        ledger.touch(echoed);
        continue;
      }
      if (known.exact) {
        copies.push({ message: m, answer: echoed, blocks: echoed.blocks.length });
        continue;
      }
    }
    const textsHold = (answer: Answer): boolean => holdsReasoning(facts.rawMessages[m], answer);
    if (matchMessage(m, facts, message.pieces, prefix, byAnswer, seen, ledger, sight, strays, textsHold)) continue;
    for (const piece of message.pieces) {
      if (piece.kind !== 'block' || piece.text === undefined) continue;
      const issued = ledger.byReasoning(piece.text).findLast(({ answer }) => answer.request.api !== API);
      if (issued !== undefined) relabelled.push({ path: `messages.${m}.content.${piece.at}`, issued });
    }
  }
  return { seen, byAnswer, strays, relabelled, copies };
}

/** The common case: a message is one answer, untouched. */
function findEcho(pieces: readonly Piece[], prefix: Digest, ledger: Ledger): Answer | undefined {
  const first = pieces[0];
  if (first === undefined) return undefined;
  if (first.kind === 'block' && first.seal !== undefined) {
    const blocks = ledger.bySeal(first.seal);
    const only = blocks[0]?.answer;
    if (blocks.length === 1 && only !== undefined) return isEcho(pieces, only) ? only : undefined;
  }
  const candidates = candidatesOf(first, ledger);
  for (const answer of candidates) {
    if (!isEcho(pieces, answer)) continue;
    if (answer.request.prefix === prefix) return answer;
    // Without a seal or a call, equal words may be another run's.
    if (candidates.length === 1 && (answer.blocks.length > 0 || pieces.some((piece) => piece.kind === 'call'))) {
      return answer;
    }
  }
  return undefined;
}

function candidatesOf(piece: Piece, ledger: Ledger): readonly Answer[] {
  switch (piece.kind) {
    case 'block': {
      if (piece.seal === undefined) return [];
      const blocks = ledger.bySeal(piece.seal);
      return blocks.length === 1 && blocks[0] !== undefined
        ? [blocks[0].answer]
        : blocks.map((b) => b.answer).reverse();
    }
    case 'call':
      return newestFirst(ledger.byCall(piece.id));
    case 'text':
      return newestFirst(ledger.byPiece(piece.key));
    default:
      return newestFirst(ledger.byPiece(piece.key));
  }
}

function newestFirst(answers: readonly Answer[]): readonly Answer[] {
  return answers.length > 1 ? [...answers].reverse() : answers;
}

function isEcho(pieces: readonly Piece[], answer: Answer): boolean {
  if (pieces.length !== answer.pieces.length) return false;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    const issued = answer.pieces[i];
    if (piece === undefined || issued === undefined || !isSame(piece, issued)) return false;
  }
  return true;
}

function isSame(piece: Piece, issued: IssuedPiece): boolean {
  switch (piece.kind) {
    case 'block':
      return issued.block !== undefined && isIntact(piece, issued.block);
    case 'call':
      return issued.kind === 'call' && issued.key === piece.id && issued.call?.input === piece.input;
    default:
      return (issued.kind === piece.kind || issued.kind === 'other') && issued.key === piece.key;
  }
}

/** Same seal, every mandatory member there, readable text as it arrived. */
export function isIntact(piece: BlockPiece, block: IssuedBlock): boolean {
  if (block.seal === undefined || piece.seal !== block.seal || piece.type !== block.type) return false;
  if (piece.textMember === 'missing') return false;
  // The API ignores text that is put into a block that arrived without (build-with-claude/thinking).
  return block.text === undefined || block.text === piece.text;
}

/** Blocks whose seals a piece of another kind carries along. */
function carriedBy(piece: Exclude<Piece, BlockPiece>, ledger: Ledger): readonly IssuedBlock[] {
  return piece.strings.length === 0 ? NOTHING : piece.strings.flatMap((seal) => ledger.bySeal(seal));
}

const NOTHING: readonly never[] = [];

interface Score {
  score: number;
  sealed: boolean;
}

/** @returns false where nothing of the message is known. */
function matchMessage(
  m: number,
  facts: RequestFacts,
  pieces: readonly Piece[],
  prefix: Digest,
  byAnswer: ReadonlyMap<Answer, SeenAnswer>,
  seen: readonly SeenAnswer[],
  ledger: Ledger,
  sight: (answer: Answer, message: number, piece: Piece, issued: IssuedPiece | undefined) => void,
  strays: Stray[],
  textsHold: (answer: Answer) => boolean,
): boolean {
  const scores = new Map<Answer, Score>();
  const found: IssuedPiece[][] = [];
  const owners: Answer[][] = [];
  const lineage = seen.at(-1)?.answer.request.answers;
  const note = (answer: Answer, points: number, sealed: boolean): void => {
    let entry = scores.get(answer);
    if (entry === undefined) {
      entry = { score: contextPoints(answer, facts, prefix, byAnswer, seen, lineage), sealed: false };
      scores.set(answer, entry);
    }
    entry.score += points;
    if (sealed) entry.sealed = true;
  };

  pieces.forEach((piece, i) => {
    const hits: IssuedPiece[] = [];
    const answers: Answer[] = [];
    const hit = (answer: Answer, issued: IssuedPiece, points: number, sealed: boolean): void => {
      hits.push(issued);
      answers.push(answer);
      note(answer, points, sealed);
    };
    if (piece.kind === 'block' && piece.seal !== undefined) {
      for (const block of ledger.bySeal(piece.seal)) {
        const issued = block.answer.pieces[block.index];
        if (issued !== undefined) hit(block.answer, issued, 100, true);
      }
    } else if (piece.kind === 'call') {
      for (const answer of ledger.byCall(piece.id)) {
        const issued = answer.pieces.find((p) => p.kind === 'call' && p.key === piece.id);
        if (issued?.call?.name !== piece.name) continue;
        hit(answer, issued, issued.call.input === piece.input ? 30 : 15, false);
      }
    } else if (piece.kind !== 'block') {
      const holders = ledger.byPiece(piece.key);
      const points = textPoints(piece.kind === 'text' ? piece.length : WHOLE, holders.length);
      for (const answer of holders) {
        const issued = answer.pieces.find((p) => p.kind !== 'block' && p.kind !== 'call' && p.key === piece.key);
        if (issued !== undefined) hit(answer, issued, points, false);
      }
    }
    if (piece.kind !== 'block') for (const block of carriedBy(piece, ledger)) note(block.answer, 100, true);
    found[i] = hits;
    owners[i] = answers;
  });

  const accepted = [...scores].filter(([, entry]) => entry.sealed || entry.score >= ACCEPT);
  if (accepted.length === 0) {
    // Nothing of the answer is left as it was, but its reasoning may stand there as text.
    const buried = ledger.byPrefix(prefix).findLast((answer) => textsHold(answer));
    if (buried === undefined) return false;
    for (const piece of pieces) sight(buried, m, piece, undefined);
    return true;
  }
  const rank = new Map(accepted.map(([answer, entry]) => [answer, entry.score]));
  const chosen = pieces.map((_, i) => bestOf(owners[i] ?? [], found[i] ?? [], rank));
  // What nobody issued belongs, by its place, to the answer around it: the next one known, else the one before.
  pieces.forEach((piece, i) => {
    const own = chosen[i];
    const carried =
      piece.kind === 'block' ? undefined : carriedBy(piece, ledger).find(({ answer }) => rank.has(answer));
    if (own !== undefined) {
      sight(own.answer, m, piece, own.issued);
      if (carried !== undefined) strays.push({ path: `messages.${m}.content.${piece.at}`, issued: carried });
      return;
    }
    if (carried !== undefined) {
      // A block under another label, unless it is but the text that stayed of it.
      const asText = piece.kind === 'text' && textsHold(carried.answer);
      sight(carried.answer, m, piece, asText ? undefined : carried.answer.pieces[carried.index]);
      return;
    }
    const neighbour = chosen.slice(i + 1).find(isDefined) ?? chosen.slice(0, i).reverse().find(isDefined);
    if (neighbour !== undefined) sight(neighbour.answer, m, piece, undefined);
  });
  return true;
}

/** Points of a piece that is recognised whole, as if it were a long text. */
const WHOLE = 100;

function holdsReasoning(message: unknown, answer: Answer): boolean {
  const content = asObject(message)?.content;
  const texts = asArray(content)?.map((block) => asString(asObject(block)?.text)) ?? [asString(content)];
  return answer.blocks.some(
    ({ passage }) => passage !== undefined && texts.some((text) => text !== undefined && contains(text, passage)),
  );
}

/** A call with its name and arguments is enough, and so is a sentence that one answer alone holds; less needs its context. */
const ACCEPT = 26;

function textPoints(length: number, holders: number): number {
  if (length < 24) return 2;
  return holders === 1 ? 27 : 10;
}

function contextPoints(
  answer: Answer,
  facts: RequestFacts,
  prefix: Digest,
  byAnswer: ReadonlyMap<Answer, SeenAnswer>,
  seen: readonly SeenAnswer[],
  lineage: Answer['request']['answers'],
): number {
  let points = 0;
  // A gateway's two sides issue the same answer twice: the nearer one is meant.
  if (answer.request.endpoint === facts.endpoint && answer.request.leg === facts.leg) points += 1;
  if (answer.request.prefix === prefix) points += 40;
  if (byAnswer.has(answer)) points += 20;
  for (let node = lineage; node !== undefined; node = node.previous) if (node.value === answer) points += 20;
  // Goes on from an answer that the request has re-sent just before.
  if (seen.length > 0 && answer.request.answers?.value === seen.at(-1)?.answer) points += 30;
  return points;
}

function bestOf(
  owners: readonly Answer[],
  issued: readonly IssuedPiece[],
  rank: ReadonlyMap<Answer, number>,
): { readonly answer: Answer; readonly issued: IssuedPiece } | undefined {
  let best: { answer: Answer; issued: IssuedPiece } | undefined;
  let bestScore = -1;
  owners.forEach((answer, i) => {
    const score = rank.get(answer);
    const piece = issued[i];
    // At equal scores the newest answer is meant.
    if (score === undefined || piece === undefined || score < bestScore) return;
    best = { answer, issued: piece };
    bestScore = score;
  });
  return best;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
