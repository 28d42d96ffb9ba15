import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparable } from '../support/comparable.ts';
import { runChild } from '../support/run-child.ts';

const CHILD = fileURLToPath(new URL('support/exit-child.ts', import.meta.url));

/** Happening, and the exit code that it has without us. */
const HAPPENINGS: Readonly<Record<string, number>> = {
  'never-awaited rejection': 1,
  'never-awaited rejection of a stream': 1,
  'never-awaited rejection of a chat': 1,
  'never-awaited rejection of an interaction': 1,
  'never-awaited rejection of a streamed interaction': 1,
  'a good end': 0,
};

// Up to 1.x interactions hand their promises on in another way.
describe.each([
  ['@google/genai', Object.keys(HAPPENINGS)],
  ['genai-1.50', ['never-awaited rejection of an interaction']],
  ['genai-1.0', ['never-awaited rejection', 'never-awaited rejection of a stream']],
])('a process that uses %s', (sdk, happenings) => {
  it.each(happenings)('ends as it would have: %s', async (what) => {
    const run = (mode: string) => runChild(CHILD, [sdk, mode, what]);
    const [bare, hooked] = await Promise.all([run('bare'), run('hooked')]);
    expect(bare.code).toBe(HAPPENINGS[what]);
    expect(comparable(hooked)).toEqual(comparable(bare));
  });
});
