import type { Answer, Chain, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { lineageOf } from '../../continuity/lineage.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { CycleState, DropReason, FindingKind, PrefixChange } from '../../continuity/vocabulary.ts';
import { type ComparedAnswer, type ComparedBlock, compareAnswer, compareEcho } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { judgeGone, judgeOrder, judgeVanished } from './judge-history.ts';
import { judgeCopies, judgeMerged, judgeMode, judgeResults, judgeUnknown } from './judge-shape.ts';
import type { JudgeTables } from './judge-tables.ts';
import { judgeLeftBehind } from './left-behind.ts';
import type { Match } from './match.ts';
import { makerOf } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import { isSideline } from './sideline.ts';
import type { Turns } from './turns.ts';

export interface Draft {
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: readonly ReleasedBlock[];
  readonly compared: readonly ComparedAnswer[];
  /** The answers that the request re-sends, in order. */
  readonly answers: Chain<Answer> | undefined;
  readonly prefixChanged: PrefixChange;
  /** A helper call or a fork that took no seal along: nothing is owed. */
  readonly sideline: boolean;
}

/** Holds one request against what was issued, with the rules of generateContent. */
export function judgeRequest(
  facts: RequestFacts,
  turns: Turns,
  match: Match,
  ledger: Ledger,
  tables: JudgeTables,
): Draft {
  const compared = match.seen.map((seen) =>
    seen.exact ? compareEcho(seen, match) : compareAnswer(seen, match, facts, turns),
  );
  const sideline = isSideline(facts, turns, compared, match);
  const newest = compared.at(-1);
  const rows: BlockRow[] = [];
  const others: Entry[] = [];
  const released: ReleasedBlock[] = [];
  const { answers, isLineage } = lineageOf(compared);
  const context: JudgeContext = { facts, turns, match, ledger, tables, rows, others, released, isLineage };

  if (!sideline) {
    for (const answer of compared) judgeAnswer(answer, context);
    judgeOrder(compared, context);
    judgeCopies(context);
    judgeMerged(compared, context);
    judgeGone(compared, context);
    judgeVanished(context);
    judgeMode(compared, context);
  }
  judgeBorrowed(context);
  judgeLeftBehind(context);
  judgeRelabelled(context);
  judgeUnknown(context);
  judgeResults(compared, context);
  return {
    rows,
    others,
    released,
    compared,
    answers,
    sideline,
    prefixChanged: newest === undefined ? 'none' : changeBefore(newest, facts, turns),
  };
}

function judgeAnswer(compared: ComparedAnswer, context: JudgeContext): void {
  const { facts, turns, tables } = context;
  const { answer } = compared;
  const last = compared.contents.at(-1) ?? compared.content;
  const cycle: CycleState = turns.open && turns.turnOf[last] === turns.lastTurn ? 'open' : 'closed';
  const reads = cycle === 'open' || (facts.model.row?.readsEarlier ?? false);
  const refuses = facts.model.row?.seals === 'refused';

  if (isUntouched(compared, context)) {
    for (const row of compared.blocks) {
      context.rows.push({ block: row.block, cycle, path: () => pathOf(row, compared, facts), entry: undefined });
    }
    return;
  }
  for (const row of compared.blocks) {
    if (row.state === 'exempt') continue;
    const path = pathOf(row, compared, facts);
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
    const foreign = foreignTo(row.block, facts, tables);

    if (row.state === 'unsigned') {
      if (foreign !== undefined) continue;
      context.others.push(make('unsigned_on_arrival', { source: 'server', severity: reads ? 'loss' : 'note' }));
      continue;
    }
    if (refuses) {
      // A model that refuses the field owes nothing by leaving it out, and everything by sending it.
      if (row.content === undefined) context.released.push({ block: row.block, reason: 'model_switch' });
      else push(make('carried', { certainty: 'inferred' }));
      continue;
    }
    if (row.content === undefined && foreign !== undefined) {
      context.released.push({ block: row.block, reason: 'model_switch' });
      continue;
    }
    if (row.state === 'converted_to_text') {
      push(make('converted_to_text', { severity: reads ? 'loss' : 'note', reason: 'converted_to_text' }));
    } else if (row.state === 'dropped') {
      const reason = dropReason(row, compared, cycle);
      if (!reads && mayRefuseImages(facts)) push(make('dropped', { reason, certainty: 'inferred' }));
      else push(make('dropped', { severity: reads ? 'loss' : 'note', reason }));
    } else if (foreign !== undefined) push(make('foreign', foreign));
    else if (row.state === 'edited') {
      // A damaged seal is refused wherever it stands ("Corrupted thought signature").
      push(make('edited', row.renamed ? { reason: 'seal_missing' } : {}));
    } else if (row.state === 'misplaced') push(make('misplaced', { severity: reads ? 'loss' : 'note' }));
    else if (row.state === 'reordered') push(make('reordered', { severity: reads ? 'loss' : 'note' }));
    else push(undefined);
  }

  const place = { path: `contents.${compared.content}`, cycle, answer, certainty: 'certain' as const };
  const request = (kind: FindingKind, count: number, rest: Partial<Entry> = {}): void => {
    if (count > 0) context.others.push({ kind, count, source: 'client', severity: 'loss', ...place, ...rest });
  };
  request('duplicated', compared.duplicated);
  request('split', compared.split);
  request('merged', compared.merged);
  const harmless = isPlaceheld(compared, context);
  for (const { content, at, placeholder } of compared.fabricated) {
    const severity = placeholder && harmless ? 'note' : 'loss';
    request('fabricated', 1, { path: `contents.${content}.parts.${at}`, severity });
  }
  for (const content of compared.converted) {
    const severity = reads ? 'loss' : 'note';
    request('converted_to_text', 1, { path: `contents.${content}`, severity, reason: 'converted_to_text' });
  }
  if (compared.callRemoved) request('edited', 1, { severity: reads ? 'loss' : 'note' });
}

/**
 * Whether the calls of an answer are not the target's own, so that a placeholder on them takes nothing away: they come
 * from another model, or from where nothing of theirs can be read. Elsewhere it is a seal where the API put none.
 */
function isPlaceheld({ answer }: ComparedAnswer, { facts, tables }: JudgeContext): boolean {
  const sealed = answer.blocks.filter((block) => block.seal !== undefined);
  if (sealed.length === 0) return answer.request.requestModel !== facts.requestModel;
  return sealed.every((block) => foreignTo(block, facts, tables) !== undefined);
}

/** Seals that another maker's model put into a history that came from another API; of its own maker's it reads them. */
function judgeBorrowed({ facts, turns, match, rows }: JudgeContext): void {
  const done = new Set<IssuedBlock>();
  for (const { content, at, block } of match.borrowed) {
    const maker = makerOf(block.model);
    if (done.has(block) || (maker !== 'unknown' && maker === facts.model.vendor)) continue;
    done.add(block);
    const path = `contents.${content}.parts.${at}`;
    const cycle = turns.open && turns.turnOf[content] === turns.lastTurn ? 'open' : 'closed';
    const entry: Entry = {
      kind: 'foreign',
      count: 1,
      source: 'client',
      path,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer: block.answer,
    };
    rows.push({ block, cycle, path: () => path, entry });
  }
}

/** Plain reasoning of another maker's model, presented as the target's own thoughts. */
function judgeRelabelled({ facts, turns, ledger, rows }: JudgeContext): void {
  for (const [content, { role, thoughts }] of facts.contents.entries()) {
    if (role !== 'model') continue;
    for (const { at, text } of thoughts) {
      if (text === undefined) continue;
      const block = ledger.byReasoning(text).findLast((one) => makerOf(one.model) !== facts.model.vendor);
      if (block === undefined) continue;
      const path = `contents.${content}.parts.${at}`;
      const cycle = turns.open && turns.turnOf[content] === turns.lastTurn ? 'open' : 'closed';
      const common = { count: 1, source: 'client', severity: 'loss', certainty: 'certain' } as const;
      const entry: Entry = { kind: 'foreign', path, cycle, answer: block.answer, ...common };
      rows.push({ block, cycle, path: () => path, entry });
    }
  }
}

/** The common case, at every step for every answer before it: came back whole, to the model that wrote it. */
function isUntouched(compared: ComparedAnswer, { facts }: JudgeContext): boolean {
  if (!compared.echo) return false;
  const { request } = compared.answer;
  if (request.account !== facts.account || request.route !== facts.route) return false;
  if (request.requestModel !== facts.requestModel || facts.model.row?.seals === 'refused') return false;
  return facts.model.vendor === 'google' && compared.blocks.every(({ state }) => state === 'intact');
}

/**
 * Image models sign every image. The Developer API's pages say that one without its signature is refused, those of
 * Vertex AI that it is not (gemini-api/docs/thought-signatures and its cloud twin): the stricter is judged.
 */
function mayRefuseImages({ model, route }: RequestFacts): boolean {
  return model.row?.seals === 'strict' && route !== 'vertex' && /-image(?:-|$)/.test(model.id);
}

function dropReason(row: ComparedBlock, compared: ComparedAnswer, cycle: CycleState): DropReason {
  if (row.block.type === 'empty') return 'empty_text_filtered';
  const saidStill = compared.contents.length > 0;
  if (saidStill && row.block.type !== 'thought') return 'seal_missing';
  return cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
}

function pathOf(row: ComparedBlock, compared: ComparedAnswer, facts: RequestFacts): string {
  if (row.content === undefined) return `contents.${compared.content}`;
  const at = row.at ?? facts.contents[row.content]?.pieces.find(({ seal }) => seal === row.block.seal)?.at ?? 0;
  return `contents.${row.content}.parts.${at}`;
}

/** How the beginning in front of the newest answer differs from the one that it was given to. */
function changeBefore({ answer, content }: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const { request } = answer;
  const cached: Digest = 0;
  // With a context cache, system text, tools and the first contents stand in the cache.
  const same = (then: Digest, now: Digest): boolean => then === now || (facts.cached && now === cached);
  if (!same(request.system, facts.system)) return 'system';
  if (!same(request.tools, facts.tools)) return 'tools';
  const prefix = turns.prefixOf[turns.groupOf[content] ?? content];
  if (prefix !== request.prefix && !facts.cached) return 'messages';
  return request.config === facts.config ? 'none' : 'config';
}
