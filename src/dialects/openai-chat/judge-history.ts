import { type Answer, type Chain, extend } from '../../continuity/answer.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { ComparedAnswer } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { stanceOf } from './rules.ts';

/** The list of answers; steps of one run share it, so that a healthy history is known by identity. */
export function answerChain(compared: readonly ComparedAnswer[]): {
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

/** Answers that an earlier step of this run still sent and that are gone whole. */
export function judgeTrimmed(compared: readonly ComparedAnswer[], context: JudgeContext): void {
  if (context.isLineage) return;
  const gone = new Set<Answer>();
  // Steps of one run share their lists of answers, so that each is walked once.
  const walked = new Set<Chain<Answer>>();
  for (const { answer } of [...compared].reverse()) {
    for (let node = answer.request.answers; node !== undefined && !walked.has(node); node = node.previous) {
      walked.add(node);
      if (!context.match.byAnswer.has(node.value)) gone.add(node.value);
    }
  }
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
