import type { Answer } from '../../continuity/answer.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { CycleState, DropReason, FindingKind } from '../../continuity/vocabulary.ts';
import { asObject } from '../json.ts';
import { API } from './api.ts';
import type { ComparedAnswer, ComparedBlock } from './compare.ts';
import { addOther, type Context, cycleOf, placeOf, reads, turnOf } from './context.ts';
import { type Foreign, foreignTo, isHome, isOtherMaker, isPortable } from './foreign.ts';
import { resolveModel } from './models.ts';
import { checkPairing, type PairFault } from './pairing.ts';
import { changeBefore, isBrokenInside, keyOf } from './prefix.ts';
import { textsOf } from './read-item.ts';

/** Longer than this a text in the place of reasoning is no placeholder any more. */
const PLACEHOLDER_LENGTH = 80;

/** Judges what the request shows, or leaves out, of one answer. */
export function judgeAnswer(compared: ComparedAnswer, context: Context): void {
  const { facts, turns, items } = context;
  const turn = turnOf(compared, context);
  const cycle = cycleOf(turn, context);
  const read = reads(turn, context);
  const change = facts.model.row?.prefixCheck ? changeBefore(compared, facts, turns) : 'none';
  const pairing = checkPairing(compared, items, turns, context.isIssued);
  const orphaned = context.pairing === 'none' ? [] : pairing.orphaned.filter((fault) => !isAllForeign(fault, context));
  const faults = { ...pairing, orphaned };
  if (change === 'none' && isUntouched(compared, faults, context)) {
    for (const { block, at } of compared.blocks) {
      context.rows.push({ block, cycle, path: () => placeOf(at ?? -1, context), entry: undefined });
    }
    return;
  }

  const moved = new Set(faults.moved.flatMap(({ blocks }) => blocks));
  const parted = new Set(faults.parted.flatMap(({ blocks }) => blocks));
  const refused = new Set(orphaned.flatMap(({ blocks }) => blocks));
  for (const row of compared.blocks) {
    if (row.state === 'exempt') continue;
    const { block } = row;
    const path = pathOf(row, compared, context);
    const make = (kind: FindingKind, rest: Partial<Entry> = {}): Entry => ({
      kind,
      count: 1,
      source: 'client',
      path,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer: compared.answer,
      ...rest,
    });
    const push = (entry: Entry | undefined): void => void context.rows.push({ block, cycle, path: () => path, entry });
    const foreign = foreignTo(block, facts, context.tables);

    if (isGone(row, context)) {
      const planned = releaseOf(row, compared, foreign, context);
      if (planned !== undefined) {
        context.released.push({ block, reason: planned });
        continue;
      }
      if (row.state === 'converted_to_text') {
        const severity = read && foreign === undefined ? 'loss' : 'note';
        push(make('converted_to_text', { severity, reason: 'converted_to_text' }));
      } else if (read === false && !refused.has(block)) {
        // The reasoning of turns that are over is ignored where it is sent (guides/reasoning): nothing is owed.
        const known = facts.reasoning.context !== 'all_turns';
        if (known) context.released.push({ block, reason: 'turn_boundary' });
        else push(make('dropped', { severity: 'note', reason: 'omitted_after_cycle' }));
      } else {
        const severity = read === undefined && !refused.has(block) ? 'note' : 'loss';
        push(make('dropped', { severity, reason: dropReason(cycle, row, compared) }));
      }
      continue;
    }
    if (foreign !== undefined && (row.state !== 'held' || HELD_REASONS.has(foreign.reason))) {
      const { source, reason, certainty } = foreign;
      const matters = foreign.refused || read;
      push(matters ? make('foreign', { source, certainty, ...(reason === undefined ? {} : { reason }) }) : undefined);
      const added = context.rows.at(-1);
      if (foreign.disproved && added?.entry !== undefined) context.contested.add(added);
      continue;
    }
    const severity = read ? 'loss' : 'note';
    const broken =
      facts.model.row?.prefixCheck === true &&
      read &&
      !isSummarised(row, compared, context) &&
      (change !== 'none' || context.row.broken.has(block) || isBrokenInside(compared, block));
    if (row.state === 'unsealed') push(make('unsealed'));
    else if (row.state === 'edited') {
      // A payload is checked in whichever turn it stands; a text is just read.
      const ignored = block.seal === undefined && block.text !== undefined && !read;
      push(make('edited', row.sealLost ? { reason: 'seal_missing' } : ignored ? { severity: 'note' } : {}));
    } else if (row.state === 'misplaced' || moved.has(block) || (row.at === undefined && row.state !== 'held')) {
      push(make('misplaced', { severity }));
    } else if (row.state === 'reordered' || parted.has(block) || context.crossed.has(block))
      push(make('reordered', { severity }));
    else if (broken) push(make('prefix_broken', { certainty: facts.model.exact ? 'certain' : 'inferred' }));
    else if (row.state === 'summary_changed') push(make('edited', { severity: 'note' }));
    else push(undefined);
  }

  const { answer } = compared;
  const place = placeOf(compared.at, context);
  for (const { at } of orphaned) {
    const certainty = context.pairing === 'enforced' ? 'certain' : 'inferred';
    addOther('orphaned', 1, placeOf(at, context), cycle, context, { answer, certainty });
  }
  for (const { at } of faults.inserted) addOther('fabricated', 1, placeOf(at, context), cycle, context, { answer });
  for (const at of compared.fabricated) {
    const severity = isPadding(at, answer, context) ? 'note' : 'loss';
    addOther('fabricated', 1, placeOf(at, context), cycle, context, { answer, severity });
  }
  addOther('duplicated', compared.duplicated, place, cycle, context, { answer });
  addOther('merged', compared.merged, place, cycle, context, { answer });
  for (const at of compared.relabelled) {
    if (turns.compactionAt <= at)
      addOther('edited', 1, placeOf(at, context), cycle, context, { answer, severity: 'note' });
  }
  if (isCallRemoved(compared, orphaned) && turns.compactionAt <= compared.end) {
    addOther('edited', 1, place, cycle, context, { answer, severity: read ? 'loss' : 'note' });
  }
}

/**
 * A short text in history that another maker wrote, for a target that refuses an answer without any reasoning
 * (api-docs.deepseek.com thinking_mode): nothing of its own is lost.
 */
function isPadding(at: number, answer: Answer, { facts, items, tables }: Context): boolean {
  const item = items[at];
  if (facts.reasoning.context !== 'with_tools' || item?.kind !== 'block' || item.seal !== undefined) return false;
  if (answer.request.api === API && !isOtherMaker(resolveModel(answer.model, tables.models), facts.model)) return false;
  return textsOf(asObject(facts.rawItems[at])?.content).length <= PLACEHOLDER_LENGTH;
}

/** What can part a model from reasoning that is already in the provider's hands. */
const HELD_REASONS = new Set<DropReason | undefined>(['model_mismatch', 'end_user_mismatch']);

interface Faults {
  readonly orphaned: readonly PairFault[];
  readonly inserted: readonly PairFault[];
  readonly moved: readonly PairFault[];
  readonly parted: readonly PairFault[];
}

/** The common case, at every step for every answer before it: came back whole, to the model that wrote it. */
function isUntouched(compared: ComparedAnswer, faults: Faults, context: Context): boolean {
  if (compared.whole === undefined && !compared.held) return false;
  if (faults.orphaned.length > 0 || faults.inserted.length > 0 || faults.moved.length > 0 || faults.parted.length > 0)
    return false;
  if (compared.duplicated > 0 || context.strays.size > 0 || context.crossed.size > 0) return false;
  const { facts, row } = context;
  const { request } = compared.answer;
  if (request.account !== facts.account || request.route !== facts.host.route || request.user !== facts.user)
    return false;
  if (request.requestModel !== facts.requestModel || row.broken.size > 0) return false;
  return compared.blocks.every(
    ({ block, state }) => state === 'intact' || (state === 'held' && context.heldKeys.has(keyOf(block))),
  );
}

function isGone(row: ComparedBlock, context: Context): boolean {
  if (row.state === 'held') return !context.heldKeys.has(keyOf(row.block));
  return row.at === undefined && !context.strays.has(row.block);
}

/** Why nothing is owed for an absent block, where nothing is. */
function releaseOf(
  row: ComparedBlock,
  compared: ComparedAnswer,
  foreign: Foreign | undefined,
  context: Context,
): DropReason | undefined {
  const { block } = row;
  if (isSummarised(row, compared, context)) return 'compaction';
  const { givenUp, givenUpAtHome } = block.counted;
  if (context.sealsRefused || (givenUp && (givenUpAtHome || !isHome(block, context.facts)))) {
    // Leaving out what the provider could not read is the only valid move; the refused request has the finding.
    context.givenUp.push(block);
    return 'model_switch';
  }
  if (row.state === 'converted_to_text') return undefined;
  if (foreign !== undefined) return 'model_switch';
  if (compared.answer.request.api !== API && !isPortable(block, context.facts)) return 'model_switch';
  if (context.facts.model.row?.reasons === false) return 'model_switch';
  return undefined;
}

/** Stands before the provider's own summary: that has taken its place (guides/compaction). */
function isSummarised(row: ComparedBlock, compared: ComparedAnswer, { turns, history }: Context): boolean {
  if (turns.compaction === 0) return false;
  const { answer } = compared;
  if (answer.compaction === turns.compaction) {
    const summary = answer.blocks.findLast(({ type }) => type === 'compaction');
    return summary !== undefined && row.block.index < summary.index;
  }
  if (compared.held) {
    const summary = history.held.findLast((one) => one.compaction !== 0);
    return summary !== undefined && (history.fromEnd.get(answer) ?? 0) > (history.fromEnd.get(summary) ?? 0);
  }
  return turns.compactionAt > (row.at ?? compared.end);
}

function isAllForeign({ blocks }: PairFault, { facts, tables }: Context): boolean {
  return blocks.every((block) => foreignTo(block, facts, tables)?.refused === true);
}

/** A client-run call of the batch is gone while reasoning of the answer is there; a lost follower is an orphan's matter. */
function isCallRemoved(compared: ComparedAnswer, orphaned: readonly PairFault[]): boolean {
  const { answer, whole, held, placed, blocks } = compared;
  if (whole || held || !answer.complete) return false;
  if (blocks.every(({ at, state }) => at === undefined || state === 'misplaced')) return false;
  const followers = new Set(
    orphaned.map(({ blocks: run }) => {
      const last = run.at(-1);
      return last && answer.pieces.slice(last.index).find((piece) => piece.kind !== 'block');
    }),
  );
  return answer.pieces.some(
    (piece) => piece.call && !piece.call.optional && !placed.has(piece) && !followers.has(piece),
  );
}

function dropReason(cycle: CycleState, row: ComparedBlock, compared: ComparedAnswer): DropReason {
  const { pieces } = compared.answer;
  const neighbours = [pieces[row.block.index - 1], pieces[row.block.index + 1]];
  const torn = neighbours.some((piece) => piece?.kind === 'block' && compared.placed.has(piece));
  if (torn) return 'partial_run';
  return cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
}

function pathOf(row: ComparedBlock, compared: ComparedAnswer, context: Context): string {
  if (row.found !== undefined) return placeOf(row.found, context);
  return row.at === undefined
    ? (context.strays.get(row.block) ?? placeOf(compared.at, context))
    : placeOf(row.at, context);
}
