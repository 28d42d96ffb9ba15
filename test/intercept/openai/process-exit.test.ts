import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparable } from '../support/comparable.ts';
import { runChild } from '../support/run-child.ts';

const CHILD = fileURLToPath(new URL('support/exit-child.ts', import.meta.url));

/** Happening, and the exit code that it has without us. */
const HAPPENINGS: Readonly<Record<string, number>> = {
  'never-awaited rejection': 1,
  'never-awaited rejection of parse': 1,
  'a WebSocket error that nobody listens to': 1,
  'a good end': 0,
};

// The newest hands its promises on in another way than the others.
describe.each([
  ['openai', Object.keys(HAPPENINGS)],
  ['openai-4.104', ['never-awaited rejection of parse']],
])('a process that uses %s', (sdk, happenings) => {
  it.each(happenings)('ends as it would have: %s', async (what) => {
    const run = (mode: string) => runChild(CHILD, [sdk, mode, what]);
    const [bare, hooked] = await Promise.all([run('bare'), run('hooked')]);
    expect(bare.code).toBe(HAPPENINGS[what]);
    expect(comparable(hooked)).toEqual(comparable(bare));
  });
});
