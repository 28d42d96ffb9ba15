import type { Answer, Chain } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Entry } from '../../continuity/summary.ts';
import { API } from './api.ts';
import { type ComparedAnswer, isOwed } from './compare.ts';
import { addOther, type Context, cycleOf, placeOf, reads, turnOf } from './context.ts';
import { foreignTo } from './foreign.ts';

/** Answers that the request relies on and that neither it nor the provider has: a chain that broke, restarted or was swapped. */
export function judgeLost(compared: ComparedAnswer, context: Context): void {
  const { history, match, rows, released } = context;
  const { answer } = compared;
  const turn = turnOf(compared, context);
  const cycle = cycleOf(turn, context);
  const read = reads(turn, context);
  // What is named or answered was meant to be there; the rest of a broken chain went with it.
  const meant = answer === history.parent || match.resultsOnly.some((one) => one.answer === answer);
  const path = placeOf(compared.at, context);
  const sure = match.resultsOnly.find((one) => one.answer === answer)?.sure ?? true;
  for (const { block, state } of compared.blocks) {
    if (state === 'exempt') continue;
    const common = {
      count: 1,
      source: 'client',
      path,
      cycle,
      answer,
      certainty: sure ? 'certain' : 'inferred',
    } as const;
    if (meant || read) {
      const reason = cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
      rows.push({ block, cycle, path: () => path, entry: { kind: 'dropped', severity: 'loss', reason, ...common } });
    } else if (read === false) released.push({ block, reason: 'history_reset' });
    else {
      const entry: Entry = { kind: 'trimmed', severity: 'note', reason: 'history_reset', ...common };
      rows.push({ block, cycle, path: () => path, entry });
    }
  }
}

/** Answers that an earlier step of this run still showed its model and that are gone whole. */
export function judgeTrimmed(
  shown: readonly ComparedAnswer[],
  lost: readonly ComparedAnswer[],
  context: Context,
): void {
  // What is named may hold all of it, as far as anybody here knows.
  if (lost.length === 0 && (context.isLineage || context.history.unknown)) return;
  const { facts, turns, rows, released, match, strays } = context;
  const known = new Set<Answer>([...match.byAnswer.keys(), ...lost.map(({ answer }) => answer)]);
  // Steps of one run share their lists of answers, so that each is walked once.
  const walked = new Set<Chain<Answer>>();
  for (const newest of [...shown, ...lost].reverse()) {
    const turn = turnOf(newest, context);
    let left = newest.answer.after?.turnAnswers ?? 1;
    for (let node = newest.answer.request.answers; node !== undefined && !walked.has(node); node = node.previous) {
      walked.add(node);
      left--;
      const answer = node.value;
      if (known.has(answer)) continue;
      known.add(answer);
      const own = left > 0 ? turn : Number.NEGATIVE_INFINITY;
      const cycle = cycleOf(own, context);
      for (const block of answer.blocks) {
        if (!isOwed(block) || strays.has(block)) continue;
        if (turns.compaction !== 0) released.push({ block, reason: 'compaction' });
        else if (block.counted.givenUp || answer.request.api !== API || foreignTo(block, facts, context.tables)) {
          released.push({ block, reason: 'model_switch' });
        } else if (reads(own, context) === false && facts.reasoning.context !== 'all_turns') {
          released.push({ block, reason: 'history_reset' });
        } else {
          const path = 'input';
          const rest = { count: 1, source: 'client', severity: 'note', certainty: 'certain' } as const;
          const entry: Entry = { kind: 'trimmed', reason: 'history_reset', path, cycle, answer, ...rest };
          rows.push({ block, cycle, path: () => path, entry });
        }
      }
    }
  }
}

/** Whole answers, or seals on items of other kinds, that are there once more than they should. */
export function judgeCopies(shown: readonly ComparedAnswer[], context: Context): void {
  const { match, turns } = context;
  const cycleAt = (at: number) => cycleOf(turns.turnOf[at] ?? 0, context);
  for (const { at, answer } of match.copies) {
    addOther('duplicated', answer.blocks.length, placeOf(at, context), cycleAt(at), context, { answer });
  }
  if (match.strays.length === 0) return;
  const present = new Set(
    shown.flatMap(({ blocks }) =>
      blocks.flatMap(({ block, at, state }) => (at !== undefined || state === 'held' ? block : [])),
    ),
  );
  for (const { path, issued } of match.strays) {
    const at = Number(path.slice(path.indexOf('.') + 1));
    if (present.has(issued)) addOther('duplicated', 1, path, cycleAt(at), context, { answer: issued.answer });
  }
}

/** A response that ended in reasoning cannot be followed: nothing can ever stand behind it (openai/codex#1227). */
export function judgeParent(context: Context): void {
  const { history, pairing, turns } = context;
  const { parent } = history;
  if (pairing === 'none' || parent === undefined || history.held.length === 0 || parent.unfinished) return;
  if (parent.pieces.at(-1)?.block?.type !== 'reasoning') return;
  const certainty = pairing === 'enforced' ? 'certain' : 'inferred';
  addOther('orphaned', 1, placeOf(-1, context), turns.open ? 'open' : 'closed', context, { answer: parent, certainty });
}

/** Reasoning switched off between a call and its result, by a parameter or by leaving one out: no error, only silence. */
export function judgeMode(turnAnswers: readonly Answer[], context: Context): void {
  const { facts, turns } = context;
  if (!turns.open || facts.reasoning.on !== false || facts.model.row?.reasons === false) return;
  const opener = turnAnswers.find(({ request }) => request.reasoningOn === true);
  if (opener !== undefined) addOther('mode_toggled', 1, 'reasoning', 'open', context, { answer: opener });
}

/** All results of one batch belong into one request; calls that say so may be answered later (`async`). */
export function judgeResults(shown: readonly ComparedAnswer[], context: Context): void {
  const { turns, items } = context;
  const sent = new Set<Digest>();
  for (const item of items) if (item.kind === 'call') sent.add(item.key);
  for (const compared of shown) {
    const { answer, held } = compared;
    if (answer.pieces.length < 2 || turnOf(compared, context) !== turns.lastTurn) continue;
    const calls = answer.pieces.filter(
      ({ kind, key, call }) => kind === 'call' && !call?.optional && !call?.async && (held || sent.has(key)),
    );
    const now = calls.filter(({ key }) => turns.results.has(key));
    if (calls.length < 2 || now.length === 0) continue;
    let parts = 1;
    const answered = new Set(now.map(({ key }) => key));
    if (held) {
      for (const later of shown.slice(shown.indexOf(compared) + 1)) {
        const before = calls.filter(({ key }) => !answered.has(key) && later.answer.request.answered?.has(key));
        if (before.length > 0) parts++;
        for (const { key } of before) answered.add(key);
      }
    }
    if (answered.size < calls.length) parts++;
    const at = items.findIndex((item) => item.kind === 'result' && answered.has(item.call));
    addOther('split_results', parts - 1, placeOf(at, context), 'open', context, { answer });
  }
}
