import type { Answer } from '../../continuity/answer.ts';
import { goneFrom } from '../../continuity/lineage.ts';
import type { Entry } from '../../continuity/summary.ts';
import { isObject } from '../json.ts';
import { longestRise } from '../longest-rise.ts';
import type { ComparedAnswer } from './compare.ts';
import { API } from './echo.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import type { RequestFacts } from './read-request.ts';
import { partsOf } from './slots.ts';

/**
 * Contents of one run that stand in another order than they were given in: the seals of those to take out so that the
 * rest stands as it was.
 */
export function judgeOrder(compared: readonly ComparedAnswer[], { facts, rows, isLineage }: JudgeContext): void {
  if (isLineage || compared.length < 2) return;
  const depth = ({ answer }: ComparedAnswer): number => answer.request.answers?.length ?? 0;
  const deepest = compared.reduce((best, one) => (depth(one) > depth(best) ? one : best));
  const place = new Map<Answer, number>([[deepest.answer, depth(deepest) + 1]]);
  for (let node = deepest.answer.request.answers; node !== undefined; node = node.previous) {
    place.set(node.value, node.length);
  }
  const known = compared.filter(({ answer }) => place.has(answer)).sort((x, y) => x.content - y.content);
  const places = known.map(({ answer }) => place.get(answer) ?? 0);
  if (places.every((one, i) => i === 0 || one > (places[i - 1] ?? 0))) return;
  const kept = longestRise(places);
  const moved = new Set(known.flatMap(({ answer }, i) => (kept.has(i) ? [] : [answer])));
  for (const row of rows) {
    if (row.entry !== undefined || !moved.has(row.block.answer)) continue;
    const reads = row.cycle === 'open' || (facts.model.row?.readsEarlier ?? false);
    row.entry = {
      kind: 'reordered',
      count: 1,
      source: 'client',
      path: row.path(),
      cycle: row.cycle,
      severity: reads ? 'loss' : 'note',
      certainty: 'certain',
      answer: row.block.answer,
    };
  }
}

/** Answers that an earlier step of this run still sent and that are gone whole. */
export function judgeGone(compared: readonly ComparedAnswer[], context: JudgeContext): void {
  const { facts, match } = context;
  // What stands in a context cache is not sent again, and nobody here can look into one.
  if (context.isLineage || facts.cached) return;
  for (const answer of goneFrom(compared, (one) => match.byAnswer.has(one))) noteGone(answer, context);
}

/**
 * The newest answers of a conversation that a helper of the SDK keeps: they were given to it, and nothing in the request
 * leads back to them.
 */
export function judgeVanished(context: JudgeContext): void {
  const { facts, match, rows } = context;
  const newest = newestKept(facts);
  if (newest === undefined || facts.cached || match.byAnswer.has(newest)) return;
  const judged = new Set(rows.map(({ block }) => block.answer));
  const gone: Answer[] = [];
  let node = newest.request.answers;
  for (
    let answer: Answer | undefined = newest;
    answer !== undefined && !match.byAnswer.has(answer);
    node = node?.previous
  ) {
    if (!judged.has(answer)) gone.push(answer);
    answer = node?.value;
  }
  for (const answer of gone.reverse()) noteGone(answer, context);
}

/** The newest answer of the conversation, as far as a helper of the SDK keeps it. */
export function newestKept({ keeper }: RequestFacts): Answer | undefined {
  const newest = keeper?.newest;
  return isObject(newest) && isObject(newest.request) && newest.request.api === API
    ? (newest as unknown as Answer)
    : undefined;
}

function noteGone(answer: Answer, { facts, turns, tables, rows, released }: JudgeContext): void {
  const answered = partsOf(answer).slots.some(
    ({ call, id }) =>
      call !== undefined &&
      turns.orphans.some((result) =>
        id !== undefined && result.id !== undefined ? result.id === id : result.name === call.name,
      ),
  );
  const cycle = turns.open ? 'open' : 'closed';
  const path = (): string => 'contents';
  for (const block of answer.blocks) {
    if (answer.discardable || !block.complete || block.seal === undefined) continue;
    if (foreignTo(block, facts, tables) !== undefined) {
      released.push({ block, reason: 'model_switch' });
      continue;
    }
    const common = { count: 1, source: 'client', path: 'contents', cycle, certainty: 'certain', answer } as const;
    const reads = turns.open || (facts.model.row?.readsEarlier ?? false);
    const entry: Entry = answered
      ? {
          ...common,
          kind: 'dropped',
          severity: reads ? 'loss' : 'note',
          reason: turns.open ? 'omitted_in_cycle' : 'omitted_after_cycle',
        }
      : { ...common, kind: 'trimmed', severity: 'note', reason: 'history_reset' };
    rows.push({ block, cycle, path, entry });
  }
}
