import { experimentError } from './experiment-error.ts';

/** `intact`: requests go out as the agent makes them. `stripped`: without the reasoning of earlier answers. */
export type ArmKind = 'intact' | 'stripped';

export const ARM_KINDS: readonly ArmKind[] = ['intact', 'stripped'];

export interface ArmPlan {
  /** As it stands on metrics: the kind, numbered where both are of one kind. */
  readonly name: string;
  readonly strips: boolean;
}

const isKind = (word: unknown): word is ArmKind => ARM_KINDS.some((kind) => kind === word);

/** @throws ExperimentError */
export function planArms(kinds: readonly unknown[]): readonly [ArmPlan, ArmPlan] {
  const unknown = kinds.find((kind) => !isKind(kind));
  if (unknown !== undefined) {
    throw experimentError(`arms: there is no arm ${JSON.stringify(unknown)}; there are ${ARM_KINDS.join(', ')}`);
  }
  const [first, second, ...more] = kinds.filter(isKind);
  if (first === undefined || second === undefined || more.length > 0) {
    throw experimentError(`arms: two are compared, not ${kinds.length}`);
  }
  return [
    { name: first, strips: first === 'stripped' },
    { name: first === second ? `${second}_2` : second, strips: second === 'stripped' },
  ];
}

/** Reads `intact,stripped`, as a command takes it. */
export const parseArms = (text: string): readonly ArmKind[] => {
  const words = text.split(',').map((word) => word.trim());
  planArms(words);
  return words.filter(isKind);
};
