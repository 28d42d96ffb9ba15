import { describe, expect, test } from 'vitest';
import { domainOf, type Offer, TASKS, type Task } from '../../../demo/experiment/tasks.ts';

/** The limits as the prompt states them, read here on their own. */
function limitsOf({ prompt }: Task) {
  return prompt.split('\n').flatMap((line) => {
    const [, attribute = '', relation, value = '', force] =
      /^- (\w+) (at most|at least|is) (\S+) \((must|if possible)\)$/.exec(line) ?? [];
    if (relation === undefined) return [];
    const holds = ({ listed, details }: Offer): boolean => {
      const actual = { ...listed, ...details }[attribute];
      if (relation === 'is') return actual === value;
      return relation === 'at most' ? Number(actual) <= Number(value) : Number(actual) >= Number(value);
    };
    return [{ attribute, firm: force === 'must', holds }];
  });
}

/** The first option that keeps all firm limits and as many wishes as can be kept, from the first one on. */
function solve(task: Task): string | undefined {
  const limits = limitsOf(task);
  const wishes = limits.filter(({ firm }) => !firm);
  for (let kept = wishes.length; kept >= 0; kept--) {
    const held = [...limits.filter(({ firm }) => firm), ...wishes.slice(0, kept)];
    const found = task.options.find((option) => held.every(({ holds }) => holds(option)));
    if (found) return found.id;
  }
  return undefined;
}

describe('the thirty tasks', () => {
  test('there are thirty, each with an id of its own', () => {
    expect(new Set(TASKS.map(({ id }) => id)).size).toBe(30);
  });

  test.each(TASKS.map((task) => [task.id, task] as const))('%s: its outcome follows from its prompt', (_, task) => {
    expect(solve(task)).toBe(task.outcome);
  });

  test.each(TASKS.map((task) => [task.id, task] as const))(
    '%s: limits are of attributes that its options have',
    (_, task) => {
      const limits = limitsOf(task);
      expect(limits.length).toBeGreaterThanOrEqual(3);
      for (const { attribute } of limits) {
        for (const { listed, details } of task.options) expect({ ...listed, ...details }).toHaveProperty([attribute]);
      }
      expect(domainOf(task).filters.length).toBeGreaterThan(0);
    },
  );

  test('a wish has to be given up in each, so that a plan is worth something', () => {
    for (const task of TASKS) {
      const all = limitsOf(task);
      expect(task.options.some((option) => all.every(({ holds }) => holds(option)))).toBe(false);
    }
  });
});
