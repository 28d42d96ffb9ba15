import type { Answer } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import { goneFrom } from '../../continuity/lineage.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { ComparedAnswer } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { readsEarlierTurns } from './reads-earlier-turns.ts';

/** Answers that an earlier step of this run still sent and that are gone whole. */
export function judgeTrimmed(compared: readonly ComparedAnswer[], context: JudgeContext): void {
  const { facts, turns, tables, match, rows, released } = context;
  const answeredAlone = answersLeftOut(context);
  if (context.isLineage && answeredAlone.length === 0) return;
  const gone = goneFrom(compared, (answer) => match.byAnswer.has(answer));
  for (const answer of new Set([...gone, ...answeredAlone])) {
    const calls = answer.pieces.filter((piece) => piece.kind === 'call');
    const answered = calls.some((piece) => turns.answers(piece.key));
    const path = 'messages';
    const place = (): string => path;
    for (const block of answer.blocks) {
      if (block.superseded || answer.discardable || !block.complete || block.seal === undefined) continue;
      if (context.strays.has(block)) continue;
      if (turns.compactionAt >= 0) {
        released.push({ block, reason: 'compaction' });
        continue;
      }
      const foreign = foreignTo(block, answer, facts, tables);
      if (foreign !== undefined) {
        released.push({ block, reason: 'model_switch' });
        continue;
      }
      const common = { count: 1, source: 'client', path, certainty: 'certain', answer } as const;
      if (answered) {
        const cycle = turns.open ? 'open' : 'closed';
        const severity = turns.open || readsEarlierTurns(turns.lastTurn, context) ? 'loss' : 'note';
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

/** Answers whose calls the request holds results for, and of which it holds nothing else. */
function answersLeftOut({ facts, turns, match, ledger }: JudgeContext): readonly Answer[] {
  // The provider has the rest of a thread (build-with-claude/message-threads).
  if (facts.thread !== undefined) return [];
  const called = new Set<Digest>();
  const left: Answer[] = [];
  facts.messages.forEach(({ pieces, results }, m) => {
    for (const piece of pieces) if (piece.kind === 'call') called.add(piece.id);
    for (const id of results) {
      if (called.has(id)) continue;
      const holders = ledger.byCall(id).filter((answer) => !match.byAnswer.has(answer));
      const answer = holders.find(({ request }) => request.prefix === turns.prefixOf[m]) ?? holders[0];
      if (answer !== undefined && (holders.length === 1 || answer.request.prefix === turns.prefixOf[m]))
        left.push(answer);
    }
  });
  return left;
}
