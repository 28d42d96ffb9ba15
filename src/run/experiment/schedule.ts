import { seededRandom, shuffled } from './seeded-random.ts';

/** One run that is to be made. */
export interface Slot<Task> {
  readonly task: Task;
  /** Index of the task, in the order given. */
  readonly at: number;
  readonly arm: 0 | 1;
}

/**
 * The order of the runs: the tasks shuffled, and of each task both arms one right after the other, which of them first by
 * chance. What changes as time goes by (a provider's load, a cache that warms up) so falls upon both arms alike.
 */
export function schedule<Task>(tasks: readonly Task[], seed: string): readonly (readonly [Slot<Task>, Slot<Task>])[] {
  const random = seededRandom(`${seed} order`);
  return shuffled([...tasks.entries()], random).map(([at, task]) => {
    const slots = [
      { task, at, arm: 0 },
      { task, at, arm: 1 },
    ] as const;
    return random() < 0.5 ? slots : [slots[1], slots[0]];
  });
}
