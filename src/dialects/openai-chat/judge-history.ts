import type { Answer } from '../../continuity/answer.ts';
import { goneFrom } from '../../continuity/lineage.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { ComparedAnswer } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { stanceOf } from './rules.ts';

/** Answers that an earlier step of this run still sent and that are gone whole. */
export function judgeTrimmed(compared: readonly ComparedAnswer[], context: JudgeContext): void {
  if (context.isLineage) return;
  const gone = goneFrom(compared, (answer) => context.match.byAnswer.has(answer));
  for (const answer of gone) judgeGone(answer, context);
}

function judgeGone(answer: Answer, { facts, turns, rule, rows, released }: JudgeContext): void {
  const answered = answer.pieces.some((piece) => piece.kind === 'call' && turns.results.has(piece.key));
  const cycle = turns.open ? 'open' : 'closed';
  const path = 'messages';
  const common = { count: 1, source: 'client', path, cycle, certainty: 'certain', answer } as const;
  const place = (): string => path;
  for (const block of answer.blocks) {
    if (!block.complete) continue;
    if (block.counted.givenUp || foreignTo(block, facts, rule) !== undefined) {
      released.push({ block, reason: 'model_switch' });
      continue;
    }
    const stance = stanceOf(rule, turns.open, turns.open, true);
    let entry: Entry = { kind: 'trimmed', severity: 'note', reason: 'history_reset', ...common };
    if (answered) {
      // The results of its calls are still there: only the message was taken out.
      if (stance.leftOut === 'nothing') {
        released.push({ block, reason: 'turn_boundary' });
        continue;
      }
      const reason = turns.open ? 'omitted_in_cycle' : 'omitted_after_cycle';
      entry = { kind: 'dropped', severity: stance.leftOut, reason, ...common };
    }
    rows.push({ block, cycle, path: place, entry });
  }
}
