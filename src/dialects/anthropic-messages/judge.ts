import { type Answer, type Chain, extend, type IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type {
  Certainty,
  CycleState,
  DropReason,
  FindingKind,
  PrefixChange,
  Severity,
  Source,
} from '../../continuity/vocabulary.ts';
import { type ComparedAnswer, type ComparedBlock, compareAnswer, compareEcho } from './compare.ts';
import type { Match, SeenAnswer } from './match.ts';
import { type ModelRow, type ResolvedModel, resolveModel } from './models.ts';
import { changeBefore, checkSealChain, type SealChain, type Sent } from './prefix.ts';
import type { RequestFacts } from './read-request.ts';
import { canRead, type ReaderRows } from './readers.ts';
import type { Turns } from './turns.ts';

export interface Draft {
  readonly rows: BlockRow[];
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

export interface JudgeTables {
  readonly models: Readonly<Record<string, ModelRow>>;
  readonly readers: ReaderRows;
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
  const { answers, isLineage } = answerChain(compared);
  const context: Context = { facts, turns, ledger, tables, rows, others, released, strays, seals, isLineage };

  for (const answer of compared) if (!sideline) judgeAnswer(answer, context);
  if (!sideline) {
    judgeCopies(match, context);
    judgeMerged(compared, context);
    judgeTrimmed(compared, match, context);
  }
  for (const { path, issued } of match.relabelled) {
    const { answer } = issued;
    const common = { count: 1, source: 'client', severity: 'loss', certainty: 'certain' } as const;
    others.push({ kind: 'foreign', path, cycle: turns.open ? 'open' : 'closed', answer, ...common });
  }
  judgeMode(compared, context);
  judgeResults(compared, context);
  return {
    rows,
    others,
    released,
    compared,
    seals,
    answers,
    sideline,
    prefixChanged: newest === undefined ? 'none' : overallChange(newest, facts, turns),
  };
}

interface Context {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly ledger: Ledger;
  readonly tables: JudgeTables;
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  /** Seals found where none was issued, and where. */
  readonly strays: ReadonlyMap<IssuedBlock, string>;
  readonly seals: SealChain;
  /** Every answer stands behind the very answers that it was given behind. */
  readonly isLineage: boolean;
}

/** The list of answers; steps of one run share it, so that a healthy history is known by identity. */
function answerChain(compared: readonly ComparedAnswer[]): {
  readonly answers: Chain<Answer> | undefined;
  readonly isLineage: boolean;
} {
  let answers: Chain<Answer> | undefined;
  let isLineage = true;
  for (const { answer } of compared) {
    if (answers !== answer.request.answers) isLineage = false;
    answers = answers === answer.request.answers ? answerAfter(answer) : extend(answers, answer);
  }
  return { answers, isLineage };
}

const after = new WeakMap<Answer, Chain<Answer>>();

function answerAfter(answer: Answer): Chain<Answer> {
  let node = after.get(answer);
  if (node === undefined) {
    node = extend(answer.request.answers, answer);
    after.set(answer, node);
  }
  return node;
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

/**
 * A request that re-sends the visible history but none of its reasoning, and is not the run itself going on: a title or
 * summary helper (other system text, tools or model), or a branch from an answer that was already continued whole.
 */
function isSideline(facts: RequestFacts, turns: Turns, compared: readonly ComparedAnswer[], match: Match): boolean {
  const newest = compared.at(-1)?.answer;
  if (newest === undefined || match.strays.length > 0) return false;
  if (compared.some((answer) => answer.blocks.some((row) => row.message !== undefined))) return false;
  if (compared.some((answer) => answer.fabricated.length > 0)) return false;
  const { request } = newest;
  const system = request.system !== facts.system;
  const others = [
    request.tools !== facts.tools.bound,
    request.model !== facts.model.id,
    request.reasoningOn === true && facts.thinking.on !== true,
  ].filter(Boolean).length;
  if (turns.open) return system && others >= 2;
  if (newest.continuations.size > 0 && !newest.continuations.has(turns.prefix)) return true;
  return system ? others >= 1 : others >= 2 && facts.tools.count === 0 && request.tools !== 0;
}

function judgeAnswer(compared: ComparedAnswer, context: Context): void {
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
      const path = (): string => pathOf(row, compared, facts, undefined);
      context.rows.push({ block: row.block, cycle, path, entry: undefined });
    }
    return;
  }
  for (const row of compared.blocks) {
    if (row.state === 'exempt') continue;
    const stray = strays.get(row.block);
    const path = pathOf(row, compared, facts, stray);
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
    const foreign = foreignTo(row.block, answer, context);

    if (row.state === 'unsigned') {
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
    } else if (row.state === 'misplaced' || stray !== undefined) push(make('misplaced', { severity }));
    else if (row.state === 'reordered') push(make('reordered', { severity }));
    else {
      const gap = row.block.seal !== undefined && seals.broken.has(row.block.seal);
      const broken = facts.model.row?.prefixCheck && (change !== 'none' || gap);
      const disputed = facts.model.row?.prefixCheck === 'disputed' || !facts.model.exact;
      push(broken ? make('prefix_broken', { certainty: disputed ? 'inferred' : 'certain' }) : undefined);
    }
  }

  const place = { path: `messages.${compared.message}`, cycle, answer, certainty: 'certain' as const };
  const request = (kind: FindingKind, count: number, rest: Partial<Entry> = {}): void => {
    if (count > 0) context.others.push({ kind, count, source: 'client', severity: 'loss', ...place, ...rest });
  };
  request('duplicated', compared.duplicated);
  request('split', compared.split);
  request('merged', compared.merged);
  for (const { message, at } of compared.fabricated) {
    request('fabricated', 1, { path: `messages.${message}.content.${at}` });
  }
  if (compared.callRemoved && !summarised) {
    request('edited', 1, { severity: reads || latest ? 'loss' : 'note' });
  }
}

/** The common case, at every step for every answer before it: came back whole, to the model that wrote it. */
function isUntouched(compared: ComparedAnswer, change: PrefixChange, context: Context): boolean {
  if (!compared.echo || change !== 'none') return false;
  const { facts, seals, strays } = context;
  const { request } = compared.answer;
  if (request.account !== facts.account || strays.size > 0 || seals.broken.size > 0) return false;
  if (request.vendor !== facts.model.vendor || request.vendor === 'unknown') return false;
  return compared.blocks.every(
    (row) => row.state === 'intact' && resolveModel(row.block.model, context.tables.models).id === facts.model.id,
  );
}

/** Whether the target still reads the reasoning of a turn that is over. */
function readsEarlierTurns(turn: number, { facts, turns }: Context): boolean {
  if (facts.thinking.on === false) return false;
  const kept = facts.thinkingTurnsKept;
  if (kept === 'all') return true;
  if (typeof kept === 'number') return turns.lastTurn - turn < kept;
  return facts.model.row?.keepsAll ?? false;
}

interface Foreign {
  readonly source: Source;
  readonly reason?: DropReason;
  readonly certainty: Certainty;
  readonly refused: boolean;
}

/** Why the target cannot read a block, or undefined where it can as far as anybody knows. */
function foreignTo(block: IssuedBlock, answer: Answer, { facts, tables }: Context): Foreign | undefined {
  const producer = resolveModel(block.model, tables.models);
  const target = facts.model;
  if (isOtherVendor(producer, target, answer, facts)) {
    return { source: 'client', certainty: 'certain', refused: true };
  }
  const accounts = answer.request.account !== undefined && facts.account !== undefined;
  if (producer.row?.accountBound && accounts && answer.request.account !== facts.account) {
    return { source: 'server', reason: 'organization_mismatch', certainty: 'certain', refused: false };
  }
  const reading = canRead(producer, target, facts.platform, tables.readers);
  if (reading.readable) return undefined;
  const certainty = reading.known ? 'certain' : 'inferred';
  return { source: 'server', reason: 'model_mismatch', certainty, refused: false };
}

/** Claude verifies seals; another maker's cannot pass. Between two makers nobody knows, the place has to differ too. */
function isOtherVendor(producer: ResolvedModel, target: ResolvedModel, answer: Answer, facts: RequestFacts): boolean {
  if (producer.vendor === target.vendor) {
    if (producer.vendor !== 'unknown' || producer.id === target.id) return false;
    return answer.request.endpoint !== facts.endpoint;
  }
  if (producer.vendor !== 'unknown' && target.vendor !== 'unknown') return true;
  return producer.vendor === 'anthropic' || target.vendor === 'anthropic';
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

function pathOf(row: ComparedBlock, compared: ComparedAnswer, facts: RequestFacts, stray: string | undefined): string {
  if (row.found !== undefined) return row.found.path;
  if (row.message === undefined) return stray ?? `messages.${compared.message}`;
  const at = row.at ?? facts.messages[row.message]?.pieces[row.block.index]?.at ?? 0;
  return `messages.${row.message}.content.${at}`;
}

function judgeCopies(match: Match, context: Context): void {
  for (const { message, answer, blocks } of match.copies) {
    if (blocks === 0) continue;
    const { turns } = context;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    const path = `messages.${message}`;
    const rest = { path, cycle, answer, severity: 'loss', certainty: 'certain', source: 'client' } as const;
    context.others.push({ kind: 'duplicated', count: blocks, ...rest });
  }
}

/** Answers joined into one message, as long as a seal survives in it. */
function judgeMerged(compared: readonly ComparedAnswer[], { turns, others }: Context): void {
  const homes = new Map<number, ComparedAnswer[]>();
  for (const answer of compared) {
    if (answer.echo) continue;
    for (const message of answer.messages) {
      const onlyStray = answer.blocks.every((row) => row.message !== message || row.state === 'misplaced');
      const strayHere = answer.blocks.some((row) => row.message === message && row.state === 'misplaced');
      if (strayHere && onlyStray) continue;
      homes.set(message, [...(homes.get(message) ?? []), answer]);
    }
  }
  for (const [message, answers] of homes) {
    if (answers.length < 2) continue;
    const sealed = answers.some((answer) => answer.blocks.some((row) => row.message === message));
    if (!sealed) continue;
    // A paused answer and what the provider went on with are one message by right.
    const joined = answers.slice(1).filter((_, i) => !answers[i]?.answer.unfinished).length;
    if (joined === 0) continue;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    others.push({
      kind: 'merged',
      count: joined,
      source: 'client',
      path: `messages.${message}`,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer: (answers[1] as ComparedAnswer).answer,
    });
  }
}

/** Answers that an earlier step of this run still sent and that are gone whole. */
function judgeTrimmed(compared: readonly ComparedAnswer[], match: Match, context: Context): void {
  const { facts, turns, rows, released } = context;
  if (context.isLineage) return;
  const gone = new Set<Answer>();
  // Steps of one run share their lists of answers, so that each is walked once.
  const walked = new Set<Chain<Answer>>();
  for (const { answer } of [...compared].reverse()) {
    for (let node = answer.request.answers; node !== undefined && !walked.has(node); node = node.previous) {
      walked.add(node);
      if (!match.byAnswer.has(node.value)) gone.add(node.value);
    }
  }
  for (const answer of gone) {
    const calls = answer.pieces.filter((piece) => piece.kind === 'call');
    const answered = calls.some((piece) => turns.results.has(piece.key));
    const path = 'messages';
    const place = (): string => path;
    for (const block of answer.blocks) {
      if (block.superseded || answer.discardable || !block.complete || block.seal === undefined) continue;
      if (context.strays.has(block)) continue;
      if (turns.compactionAt >= 0) {
        released.push({ block, reason: 'compaction' });
        continue;
      }
      const foreign = foreignTo(block, answer, context);
      if (foreign !== undefined) {
        released.push({ block, reason: 'model_switch' });
        continue;
      }
      const common = { count: 1, source: 'client', path, certainty: 'certain', answer } as const;
      if (answered) {
        const cycle = turns.open ? 'open' : 'closed';
        const severity = turns.open || facts.model.row?.keepsAll ? 'loss' : 'note';
        const reason = turns.open ? 'omitted_in_cycle' : 'omitted_after_cycle';
        rows.push({ block, cycle, path: place, entry: { kind: 'dropped', cycle, severity, reason, ...common } });
      } else {
        const entry: Entry = {
          kind: 'trimmed',
          cycle: turns.open ? 'open' : 'closed',
          severity: 'note',
          reason: 'history_reset',
          ...common,
        };
        rows.push({ block, cycle: entry.cycle, path: place, entry });
      }
    }
  }
}

/** Reasoning switched off between a call and its result: no error, only silence (build-with-claude/thinking). */
function judgeMode(compared: readonly ComparedAnswer[], { facts, turns, others }: Context): void {
  if (!turns.open || facts.thinking.on !== false) return;
  const opener = compared.find(
    ({ answer, message }) => turns.turnOf[message] === turns.lastTurn && answer.request.reasoningOn === true,
  );
  if (opener === undefined) return;
  others.push({
    kind: 'mode_toggled',
    count: 1,
    source: 'client',
    path: 'thinking',
    cycle: 'open',
    severity: 'loss',
    certainty: 'certain',
    answer: opener.answer,
  });
}

/** All results of one parallel batch belong in one user message; whether a split is refused is disputed. */
function judgeResults(compared: readonly ComparedAnswer[], { facts, turns, others }: Context): void {
  const splitAt = new Set(compared.filter((answer) => answer.split > 0).flatMap((answer) => answer.messages));
  for (let m = 0; m < facts.messages.length; m++) {
    const message = facts.messages[m];
    if (message?.role !== 'assistant' || splitAt.has(m)) continue;
    if (message.pieces.length < 2) continue;
    const calls = new Set<Digest>();
    for (const piece of message.pieces) if (piece.kind === 'call' && !piece.server) calls.add(piece.id);
    if (calls.size < 2) continue;
    const holders: number[] = [];
    for (let n = m + 1; n < facts.messages.length && turns.turnOf[n] === turns.turnOf[m]; n++) {
      const later = facts.messages[n];
      if (later?.role === 'user' && later.results.some((id) => calls.has(id))) holders.push(n);
    }
    if (holders.length < 2) continue;
    const answer = compared.find((one) => one.messages.includes(m))?.answer;
    others.push({
      kind: 'split_results',
      count: holders.length - 1,
      source: 'client',
      path: `messages.${holders[1]}`,
      cycle: turns.open && turns.turnOf[m] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'inferred',
      ...(answer === undefined ? {} : { answer }),
    });
  }
}

function overallChange(newest: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const change = changeBefore(newest, facts, turns);
  return change === 'none' && newest.answer.request.config !== facts.config ? 'config' : change;
}
