/**
 * How far a model can be trusted to make up its mind again from what is visible. Assumptions, not measurements: they say in
 * which way a model fails, and how hard, so that what comes of it can be seen.
 */
interface Recall {
  /** Chance, for each call that it made, that it does not take the result as settled and makes the call again. */
  readonly repeats: number;
  /** Chance, for each limit that the task sets, that it does not hold to it this time. */
  readonly forgets: number;
}

export interface Temper {
  /** While it is shown what it thought. */
  readonly planned: Recall;
  /** When it has to work the plan out again. */
  readonly replanned: Recall;
}

/** By the name of the model, the first that fits: a stronger one makes more of a transcript. */
const TEMPERS: readonly (readonly [model: RegExp, temper: Temper])[] = [
  [/opus|gpt-6|pro/, { planned: { repeats: 0.01, forgets: 0 }, replanned: { repeats: 0.12, forgets: 0.08 } }],
  [/haiku|mini|flash/, { planned: { repeats: 0.04, forgets: 0.01 }, replanned: { repeats: 0.25, forgets: 0.2 } }],
];
const MEDIUM: Temper = { planned: { repeats: 0.02, forgets: 0.005 }, replanned: { repeats: 0.16, forgets: 0.12 } };

export const temperOf = (model: string): Temper => TEMPERS.find(([names]) => names.test(model))?.[1] ?? MEDIUM;
