import { describe, expect, it } from 'vitest';
import { comparable } from './support/comparable.ts';
import { runChild, support } from './support/run-child.ts';

/** Happening, and the exit code that it has without us. */
const HAPPENINGS: readonly (readonly [what: string, code: number])[] = [
  ['never-awaited rejection', 1],
  ['never-awaited rejection of a stream', 1],
  ['helper that nobody listens to', 1],
  ['rejection of a top-level await', 1],
  ['throw inside the loop', 1],
  ['a good end', 0],
  ['a stream left half read', 0],
];

// The older one makes no spans of its own, and so takes another way through.
describe.each([
  ['@anthropic-ai/sdk', HAPPENINGS],
  ['anthropic-0.60', HAPPENINGS.slice(0, 3)],
] as const)('a process that uses %s', (sdk, happenings) => {
  it.each(happenings)('ends as it would have: %s', async (what, code) => {
    const run = (mode: string) => runChild(support('exit-child.ts'), [sdk, mode, what]);
    const [bare, hooked] = await Promise.all([run('bare'), run('hooked')]);
    expect(bare.code).toBe(code);
    expect(comparable(hooked)).toEqual(comparable(bare));
  });
});
