import { goneFrom } from '../../continuity/lineage.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { ComparedAnswer } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';

/** Answers that an earlier step of this run still sent and that are gone whole. */
export function judgeTrimmed(compared: readonly ComparedAnswer[], context: JudgeContext): void {
  const { facts, turns, tables, match, rows, released } = context;
  if (context.isLineage) return;
  const gone = goneFrom(compared, (answer) => match.byAnswer.has(answer));
  for (const answer of gone) {
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
