import type { Answer, Chain, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { lineageOf } from '../../continuity/lineage.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { CycleState, DropReason, FindingKind, PrefixChange, Severity } from '../../continuity/vocabulary.ts';
import { type ComparedAnswer, type ComparedBlock, compareAnswer, compareEcho } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { judgeTrimmed } from './judge-history.ts';
import { judgeCopies, judgeGuests, judgeMerged, judgeMode, judgeResults } from './judge-shape.ts';
import type { JudgeTables } from './judge-tables.ts';
import type { Match, SeenAnswer } from './match.ts';
import { resolveModel } from './models.ts';
import { changeBefore, checkSealChain, type SealChain, type Sent } from './prefix.ts';
import type { RequestFacts } from './read-request.ts';
import { readsEarlierTurns } from './reads-earlier-turns.ts';
import { isSideline } from './sideline.ts';
import type { Turns } from './turns.ts';

export interface Draft {
  readonly rows: BlockRow[];
  /** So many of the first rows are of blocks that came back whole before, and have been counted. */
  settled: number;
  readonly others: Entry[];
  readonly released: readonly ReleasedBlock[];
  readonly compared: readonly ComparedAnswer[];
  readonly seals: SealChain;
  /** The answers that the request re-sends, in order. */
  readonly answers: Chain<Answer> | undefined;
  readonly prefixChanged: PrefixChange;
  /** A helper call or a fork that took no reasoning along: nothing is owed. */
  readonly sideline: boolean;
}

/** Holds one request against what was issued, with the rules of the Messages API. */
export function judgeRequest(
  facts: RequestFacts,
  turns: Turns,
  match: Match,
  ledger: Ledger,
  tables: JudgeTables,
): Draft {
  const compared = match.seen.map((seen) => compareSeen(seen, facts, match));
  const seals = checkSealChain(sentSeals(facts, compared));
  const sideline = isSideline(facts, turns, compared, match);
  const newest = compared.at(-1);
  const rows: BlockRow[] = [];
  const others: Entry[] = [];
  const released: ReleasedBlock[] = [];
  const strays = new Map(match.strays.map((stray) => [stray.issued, stray.path]));
  const { answers, isLineage } = lineageOf(compared);
  const context: JudgeContext = {
    facts,
    turns,
    match,
    ledger,
    tables,
    rows,
    others,
    released,
    strays,
    seals,
    isLineage,
  };

  for (const answer of compared) if (!sideline) judgeAnswer(answer, context);
  if (!sideline) {
    judgeCopies(context);
    judgeGuests(context);
    judgeMerged(compared, context);
    judgeTrimmed(compared, context);
    judgeMode(compared, context);
  }
  doubtLaterBreaks(rows);
  for (const { path, issued } of match.relabelled) {
    const { answer } = issued;
    const common = { count: 1, source: 'client', severity: 'loss', certainty: 'certain' } as const;
    others.push({ kind: 'foreign', path, cycle: turns.open ? 'open' : 'closed', answer, ...common });
  }
  judgeResults(compared, context);
  return {
    rows,
    settled: 0,
    others,
    released,
    compared,
    seals,
    answers,
    sideline,
    prefixChanged: newest === undefined ? 'none' : overallChange(newest, facts, turns),
  };
}

/**
 * The first block behind an edited beginning fails for certain. How far it goes from there is told in three ways: every later
 * block (preserved-thinking), the rest of that turn's run (SDK typings), the next block alone (live tests).
 */
function doubtLaterBreaks(rows: BlockRow[]): void {
  const isBroken = ({ entry }: BlockRow): boolean => entry?.kind === 'prefix_broken';
  const first = rows.findIndex(isBroken);
  for (const row of rows.slice(first + 1)) {
    if (row.entry !== undefined && isBroken(row)) row.entry = { ...row.entry, certainty: 'inferred' };
  }
}

function compareSeen(seen: SeenAnswer, facts: RequestFacts, match: Match): ComparedAnswer {
  if (seen.exact) return compareEcho(seen);
  const elsewhere = new Set<number>();
  for (const other of match.seen) {
    if (other === seen) continue;
    if (other.exact) elsewhere.add(other.message);
    for (const { message, issued } of other.sightings) {
      if (issued !== undefined && issued.block === undefined) elsewhere.add(message);
    }
  }
  return compareAnswer(seen, facts, elsewhere);
}

/** Everything sealed that the request sends, in order; blocks that the provider asks to leave out do not count. */
function sentSeals(facts: RequestFacts, compared: readonly ComparedAnswer[]): readonly Sent[] {
  const wholeAt = new Map<number, Answer>();
  const known = new Map<Digest, IssuedBlock>();
  for (const answer of compared) {
    if (answer.echo) wholeAt.set(answer.message, answer.answer);
    else for (const { block } of answer.blocks) if (block.seal !== undefined) known.set(block.seal, block);
  }
  const sent: Sent[] = [];
  const done = new Set<Digest>();
  facts.messages.forEach((message, m) => {
    const whole = wholeAt.get(m);
    if (whole !== undefined) {
      sent.push(whole);
      return;
    }
    for (const piece of message.pieces) {
      if (piece.kind !== 'block' || piece.seal === undefined || done.has(piece.seal)) continue;
      done.add(piece.seal);
      sent.push(known.get(piece.seal) ?? piece.seal);
    }
  });
  return sent;
}

export function judgeAnswer(compared: ComparedAnswer, context: JudgeContext): void {
  const { facts, turns, strays, seals } = context;
  const { answer } = compared;
  const last = compared.messages.at(-1) ?? compared.message;
  const turn = turns.turnOf[last] ?? 0;
  const cycle: CycleState = turns.open && turn === turns.lastTurn ? 'open' : 'closed';
  const reads = cycle === 'open' || readsEarlierTurns(turn, context);
  const latest = turns.groupOf[last] === turns.groupOf[turns.latestAssistant] && turns.latestAssistant >= 0;
  const summarised = turns.compactionAt > last && answer.compaction !== turns.compaction;
  const change = facts.model.row?.prefixCheck ? changeBefore(compared, facts, turns) : 'none';
  const missing = compared.blocks.filter((row) => row.state === 'dropped' && !strays.has(row.block));

  if (isUntouched(compared, change, context)) {
    for (const row of compared.blocks) {
      context.rows.push({ block: row.block, cycle, path: placeOf(row, compared, facts.messages), entry: undefined });
    }
    return;
  }
  let readable = false;
  let copies = compared.duplicated;
  for (const row of compared.blocks) {
    if (row.state === 'exempt') {
      if (isLeftBehind(row, answer, context)) context.released.push({ block: row.block, reason: 'model_switch' });
      continue;
    }
    const stray = strays.get(row.block);
    if (stray !== undefined && row.message !== undefined) copies++;
    const path = pathOf(row, compared, facts.messages, stray);
    const make = (kind: FindingKind, rest: Partial<Entry>): Entry => ({
      kind,
      count: 1,
      source: 'client',
      path,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer,
      ...rest,
    });
    const push = (entry: Entry | undefined): void =>
      void context.rows.push({ block: row.block, cycle, path: () => path, entry });
    const foreign = foreignTo(row.block, answer, facts, context.tables);
    readable ||= foreign === undefined;

    if (row.state === 'unsigned' && !foreign?.refused) {
      const sealer = resolveModel(row.block.model, context.tables.models).row !== undefined;
      const matters = reads && (sealer || context.ledger.seals(row.block.model));
      context.others.push(make('unsigned_on_arrival', { source: 'server', severity: matters ? 'loss' : 'note' }));
      continue;
    }
    if (row.message === undefined && stray === undefined) {
      if (summarised) {
        context.released.push({ block: row.block, reason: 'compaction' });
        continue;
      }
      if (row.state === 'converted_to_text') {
        const severity = reads && foreign === undefined ? 'loss' : 'note';
        push(make('converted_to_text', { severity, reason: 'converted_to_text' }));
        continue;
      }
      if (foreign !== undefined) {
        context.released.push({ block: row.block, reason: 'model_switch' });
        continue;
      }
      // Within the latest assistant message a run of blocks must be whole, whoever reads it.
      const torn = latest && isTorn(row, compared);
      const severity = reads || torn ? 'loss' : 'note';
      push(make('dropped', { severity, reason: dropReason(row, missing, compared, cycle) }));
      continue;
    }
    if (foreign !== undefined) {
      push(make('foreign', { ...foreign, severity: foreign.refused || reads ? 'loss' : 'note' }));
      continue;
    }
    const severity: Severity = reads || latest || row.refused ? 'loss' : 'note';
    if (row.state === 'edited') {
      // Whether edited text under a whole seal is refused is disputed (thinking-troubleshooting against live tests).
      const lost = row.sealLost ? { reason: 'seal_missing' as const } : {};
      push(make('edited', { severity, certainty: row.textOnly ? 'inferred' : 'certain', ...lost }));
    } else if (row.state === 'misplaced' || row.message === undefined) push(make('misplaced', { severity }));
    else if (row.state === 'reordered') push(make('reordered', { severity }));
    else {
      const gap = row.block.seal !== undefined && seals.broken.has(row.block.seal);
      const broken = facts.model.row?.prefixCheck && (change !== 'none' || gap);
      // No page says what a model that looks makes of the block of one that did not.
      const bound = resolveModel(row.block.model, context.tables.models).row?.prefixCheck === true;
      const disputed = facts.model.row?.prefixCheck === 'disputed' || !facts.model.exact || !bound;
      push(broken ? make('prefix_broken', { certainty: disputed ? 'inferred' : 'certain' }) : undefined);
    }
  }

  const place = { path: `messages.${compared.message}`, cycle, answer, certainty: 'certain' as const };
  const request = (kind: FindingKind, count: number, rest: Partial<Entry> = {}): void => {
    if (count > 0) context.others.push({ kind, count, source: 'client', severity: 'loss', ...place, ...rest });
  };
  request('duplicated', copies);
  request('split', compared.split);
  request('merged', compared.merged);
  for (const { message, at, relabelled } of compared.fabricated) {
    const kind = relabelled && answer.request.vendor !== facts.model.vendor ? 'foreign' : 'fabricated';
    request(kind, 1, { path: `messages.${message}.content.${at}` });
  }
  if (compared.callRemoved && readable && !summarised) {
    request('edited', 1, { severity: reads || latest ? 'loss' : 'note' });
  }
}

/** Reasoning of another maker that never had a seal: not owed, and not there for the model to go on from. */
function isLeftBehind({ block, message }: ComparedBlock, answer: Answer, { facts, tables }: JudgeContext): boolean {
  if (message !== undefined || block.seal !== undefined || !block.complete || answer.discardable) return false;
  return foreignTo(block, answer, facts, tables)?.refused === true;
}

/** The common case, at every step for every answer before it: came back whole, to the model that wrote it. */
function isUntouched(compared: ComparedAnswer, change: PrefixChange, context: JudgeContext): boolean {
  if (!compared.echo || change !== 'none') return false;
  const { facts, seals, strays } = context;
  const { request } = compared.answer;
  if (request.account !== facts.account || strays.size > 0 || seals.broken.size > 0) return false;
  if (request.vendor !== facts.model.vendor || request.vendor === 'unknown') return false;
  return compared.blocks.every(
    (row) => row.state === 'intact' && resolveModel(row.block.model, context.tables.models).id === facts.model.id,
  );
}

function isTorn(row: ComparedBlock, compared: ComparedAnswer): boolean {
  return compared.blocks.some((other) => other.block.run === row.block.run && other.message !== undefined);
}

function dropReason(
  row: ComparedBlock,
  missing: readonly ComparedBlock[],
  compared: ComparedAnswer,
  cycle: CycleState,
): DropReason {
  const left = compared.blocks.filter((other) => other.message !== undefined);
  if (left.length > 0) {
    const redacted = (other: ComparedBlock): boolean => other.block.type === 'redacted_thinking';
    const empty = (other: ComparedBlock): boolean => !redacted(other) && other.block.text === undefined;
    if (missing.every(redacted) && left.some((other) => !redacted(other))) return 'redacted_filtered';
    if (missing.every(empty) && left.every((other) => !empty(other))) return 'empty_text_filtered';
    if (isTorn(row, compared)) return 'partial_run';
  }
  return cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
}

/** A function of its own, so that what it holds is this and no more: rows outlive their request. */
const placeOf = (row: ComparedBlock, compared: ComparedAnswer, messages: RequestFacts['messages']) => (): string =>
  pathOf(row, compared, messages, undefined);

function pathOf(
  row: ComparedBlock,
  compared: ComparedAnswer,
  messages: RequestFacts['messages'],
  stray: string | undefined,
): string {
  if (row.found !== undefined) return row.found.path;
  if (row.message === undefined) return stray ?? `messages.${compared.message}`;
  const at = row.at ?? messages[row.message]?.pieces[row.block.index]?.at ?? 0;
  return `messages.${row.message}.content.${at}`;
}

export function overallChange(newest: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const change = changeBefore(newest, facts, turns);
  return change === 'none' && newest.answer.request.config !== facts.config ? 'config' : change;
}
