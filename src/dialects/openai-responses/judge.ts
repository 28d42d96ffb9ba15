import type { Answer, Chain, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { lineageOf } from '../../continuity/lineage.ts';
import { isAside } from '../../continuity/sideline.ts';
import type { PrefixChange } from '../../continuity/vocabulary.ts';
import { API } from './api.ts';
import { absent, type ComparedAnswer, compareAnswer, compareEcho, compareHeld, type Sent } from './compare.ts';
import { addOther, type Context, cycleOf, type Draft, type Request, turnOf } from './context.ts';
import { OUT_OF_PLACE } from './errors.ts';
import type { JudgeTables } from './foreign.ts';
import type { Body } from './homes.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeCopies, judgeLost, judgeMode, judgeParent, judgeResults, judgeTrimmed } from './judge-whole.ts';
import type { SeenAnswer } from './match.ts';
import { displaced, type Placed } from './order.ts';
import { changeBefore, checkRow, keyOf, type Sent as SentBlock } from './prefix.ts';
import type { Turns } from './turns.ts';

/** Holds one request against what was issued, with the rules of the Responses API. */
export function judgeRequest(request: Request, ledger: Ledger, tables: JudgeTables): Draft {
  const { facts, items, turns, match, history } = request;
  const sent: Sent = { facts, items, turns, isIssuedText: (key) => ledger.byPiece(key).length > 0 };
  let found: Bodies | undefined;
  const bodies = (): Bodies => {
    found ??= findBodies(match.seen, turns);
    return found;
  };
  const compared = match.seen.map((seen) => compareSeen(seen, sent, bodies));
  const lost = [
    ...history.lost.filter((answer) => !match.byAnswer.has(answer)).map((answer) => absent(answer, -1)),
    ...match.resultsOnly.map(({ answer, at }) => absent(answer, at)),
  ];
  const start = history.held.length > 0 ? history.parent?.sealsAfter : undefined;
  const row = checkRow(start, sentBlocks(request, compared), facts.reasoning.context !== 'current_turn');
  const { answers, isLineage } = lineageOf(compared);
  const sideline = facts.multiAgent || isSideline(request, compared);
  const refused = ledger.refused(requestKey(turns.prefix, facts.system, facts.tools));
  const context: Context = {
    ...request,
    ledger,
    tables,
    rows: [],
    others: [],
    released: [],
    contested: new Set(),
    givenUp: [],
    strays: new Map(match.strays.map((stray) => [stray.issued, stray.path])),
    row,
    heldKeys: keysOf(start),
    crossed: findCrossed(compared, turns),
    isLineage,
    sealsRefused: OUT_OF_PLACE.has(refused?.rejection),
    pairing: facts.host.pairing,
    isIssued: issuedPlaces(match.seen),
  };
  const inTurn = (one: ComparedAnswer): boolean => turnOf(one, context) === turns.lastTurn;

  if (!sideline) {
    for (const answer of compared) judgeAnswer(answer, context);
    for (const answer of lost) judgeLost(answer, context);
    judgeCopies(compared, context);
    judgeTrimmed(compared, lost, context);
    judgeParent(context);
    for (const { path, issued } of match.relabelled) {
      addOther('foreign', 1, path, cycleOf(turns.lastTurn, context), context, { answer: issued.answer });
    }
    const turnAnswers = [...compared, ...lost].filter(inTurn).map(({ answer }) => answer);
    if (!facts.multiAgent) judgeMode(turnAnswers, context);
  }
  if (!facts.multiAgent) judgeResults(compared, context);
  const newest = compared.at(-1);
  return {
    rows: context.rows,
    others: context.others,
    released: context.released,
    compared,
    contested: context.contested,
    givenUp: context.givenUp,
    row,
    answers,
    turnAnswers: compared.filter(inTurn).map(({ answer }) => answer),
    sideline,
    prefixChanged: newest === undefined ? 'none' : overallChange(newest, request),
  };
}

function compareSeen(seen: SeenAnswer, sent: Sent, bodies: () => Bodies): ComparedAnswer {
  if (seen.held) return compareHeld(seen);
  if (seen.whole !== undefined) return compareEcho(seen.answer, seen.whole);
  return compareAnswer(seen, sent, (stretch) => bodies().get(stretch));
}

type Bodies = ReadonlyMap<number, Body>;

function findBodies(seen: readonly SeenAnswer[], { stretchOf }: Turns): Bodies {
  const bodies = new Map<number, Body>();
  const add = (at: number, answer: Answer): void => {
    const stretch = stretchOf[at] ?? at;
    const known = bodies.get(stretch);
    bodies.set(stretch, known === undefined || known === answer ? answer : 'several');
  };
  for (const { answer, whole, held, sightings } of seen) {
    if (held) continue;
    whole?.forEach((at, i) => {
      if (answer.pieces[i]?.kind !== 'block') add(at, answer);
    });
    for (const { at, issued } of sightings) if (issued !== undefined && issued.block === undefined) add(at, answer);
  }
  return bodies;
}

/** Everything that the request shows of earlier reasoning, in order. */
function sentBlocks({ items }: Request, compared: readonly ComparedAnswer[]): readonly SentBlock[] {
  const wholeAt = new Map<number, { readonly answer: Answer; readonly end: number }>();
  const blockAt = new Map<number, IssuedBlock>();
  for (const { whole, answer, at, end, blocks } of compared) {
    if (whole) wholeAt.set(at, { answer, end });
    else for (const one of blocks) if (one.at !== undefined) blockAt.set(one.at, one.block);
  }
  const sent: SentBlock[] = [];
  const done = new Set<Digest>();
  for (let i = 0; i < items.length; i++) {
    const whole = wholeAt.get(i);
    if (whole !== undefined) {
      sent.push(whole.answer);
      i = whole.end;
      continue;
    }
    const item = items[i];
    if (item?.kind !== 'block') continue;
    const block = blockAt.get(i);
    const key = block === undefined ? (item.seal ?? item.id ?? 0) : keyOf(block);
    if (done.has(key)) continue;
    done.add(key);
    sent.push(block ?? key);
  }
  return sent;
}

function keysOf(row: Chain<Digest> | undefined): ReadonlySet<Digest> {
  const keys = new Set<Digest>();
  for (let node = row; node !== undefined; node = node.previous) keys.add(node.value);
  return keys;
}

/** Blocks of answers that share a stretch and stand there in another order than the answers do. */
function findCrossed(compared: readonly ComparedAnswer[], turns: Turns): ReadonlySet<IssuedBlock> {
  const crossed = new Set<IssuedBlock>();
  const loose = compared.filter(({ whole, held }) => !whole && !held);
  if (loose.length === 0) return crossed;
  const stretches = new Map<number, ComparedAnswer[]>();
  const visit = (at: number, answer: ComparedAnswer): void => {
    const stretch = turns.stretchOf[at] ?? at;
    const row = stretches.get(stretch) ?? [];
    if (!row.includes(answer)) stretches.set(stretch, [...row, answer]);
  };
  for (const one of loose) for (const { at } of one.placed.values()) visit(at, one);
  for (const one of compared) for (const at of one.whole ?? []) visit(at, one);
  for (const [stretch, answers] of stretches) {
    if (answers.length < 2) continue;
    const placedHere = answers.map((one) => placesOf(one).filter(({ at }) => (turns.stretchOf[at] ?? at) === stretch));
    // Answers are in the order of what is not reasoning, which hardly ever moves.
    const first = placedHere.map((own) =>
      Math.min(...(own.some(isBody) ? own.filter(isBody) : own).map(({ at }) => at)),
    );
    const placed = placedHere.flatMap((own, i) => {
      const rank = first.filter((other) => other < (first[i] ?? 0)).length;
      return own.some(isBody) ? own.map((one): Placed => ({ ...one, order: rank * ANSWER + one.order })) : [];
    });
    for (const piece of displaced(placed)) if (piece.block !== undefined) crossed.add(piece.block);
  }
  return crossed;
}

/** More pieces than any answer has. */
const ANSWER = 1_000_000;
const isBody = ({ piece }: Placed): boolean => piece.kind !== 'block';

function placesOf({ answer, whole, placed }: ComparedAnswer): readonly Placed[] {
  if (whole) return answer.pieces.map((piece, order) => ({ piece, at: whole[order] ?? -1, order }));
  return answer.pieces.flatMap((piece, order) => {
    const place = placed.get(piece)?.at;
    return place === undefined ? [] : [{ piece, at: place, order }];
  });
}

function issuedPlaces(seen: readonly SeenAnswer[]): (at: number) => boolean {
  let places: Set<number> | undefined;
  return (at) => {
    if (places === undefined) {
      places = new Set();
      for (const { whole, sightings } of seen) {
        for (const at of whole ?? []) places.add(at);
        for (const one of sightings) if (one.issued !== undefined) places.add(one.at);
      }
    }
    return places.has(at);
  };
}

/** A request that re-sends the visible history but none of its reasoning, and is not the run itself going on. */
function isSideline({ facts, turns, history, match }: Request, compared: readonly ComparedAnswer[]): boolean {
  if (history.by !== undefined || match.strays.length > 0) return false;
  if (compared.some(({ blocks, fabricated }) => fabricated.length > 0 || blocks.some(({ at }) => at !== undefined))) {
    return false;
  }
  const { system, tools, toolCount, model, reasoning } = facts;
  const asking = {
    api: API,
    system,
    tools,
    hasTools: toolCount > 0,
    model: model.id,
    isReasoningOff: reasoning.on !== true,
    open: turns.open,
    prefix: turns.prefix,
  };
  return isAside(
    asking,
    compared.map(({ answer }) => answer),
  );
}

function overallChange(newest: ComparedAnswer, { facts, turns }: Request): PrefixChange {
  const { request } = newest.answer;
  if (request.system !== facts.system) return 'system';
  const change = changeBefore(newest, facts, turns);
  return change === 'none' && request.config !== facts.config ? 'config' : change;
}
