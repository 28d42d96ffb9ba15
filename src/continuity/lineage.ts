import { type Answer, type Chain, extend } from './answer.ts';
import type { Digest } from './digest.ts';
import type { BlockRow } from './summary.ts';

/** The answers that a request re-sends, in order. */
export interface Lineage {
  readonly answers: Chain<Answer> | undefined;
  /** Every answer stands behind the very answers that it was given behind. */
  readonly isLineage: boolean;
}

/** Steps of one run share their lists of answers, so that a healthy history is known by identity. */
export function lineageOf(sent: readonly { readonly answer: Answer }[]): Lineage {
  let answers: Chain<Answer> | undefined;
  let isLineage = true;
  for (const { answer } of sent) {
    if (answers === answer.request.answers) {
      answers = answersAfter(answer);
      continue;
    }
    isLineage = false;
    answers = extend(answers, answer);
  }
  return { answers, isLineage };
}

const after = new WeakMap<Answer, Chain<Answer>>();

/** The answers behind an answer, itself the last of them. */
export function answersAfter(answer: Answer): Chain<Answer> {
  let node = after.get(answer);
  if (node === undefined) {
    node = extend(answer.request.answers, answer);
    after.set(answer, node);
  }
  return node;
}

/** Answers that the steps before these still sent and that are not among those known here, each once. */
export function goneFrom(
  sent: readonly { readonly answer: Answer }[],
  isKnown: (answer: Answer) => boolean,
): ReadonlySet<Answer> {
  const gone = new Set<Answer>();
  // The lists are shared: each is walked once.
  const walked = new Set<Chain<Answer>>();
  for (const { answer } of [...sent].reverse()) {
    for (let node = answer.request.answers; node !== undefined && !walked.has(node); node = node.previous) {
      walked.add(node);
      if (!isKnown(node.value)) gone.add(node.value);
    }
  }
  return gone;
}

/** Enough to tell a fork; a run that is forked more often is told by the first ones. */
const MAX_CONTINUATIONS = 16;

/** Notes that a request went on from an answer with some of its history's reasoning whole. */
export function noteContinuation(newest: Answer | undefined, rows: readonly BlockRow[], prefix: Digest): void {
  if (newest === undefined || newest.continuations.size >= MAX_CONTINUATIONS) return;
  if (rows.some((row) => row.entry === undefined)) newest.continuations.add(prefix);
}
