import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runChild } from '../support/run-child.ts';

interface Abandoned {
  readonly collected: string[];
  readonly ends: Readonly<Record<string, string[]>>;
  readonly kept: unknown;
}

const CHILD = fileURLToPath(new URL('support/abandon-child.ts', import.meta.url));

async function abandon(sdk: string, mode: string): Promise<Abandoned> {
  const { code, stdout, stderr } = await runChild(CHILD, [sdk, mode], { nodeArgs: ['--expose-gc'] });
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

// The newest makes a new promise behind each one that it hands on.
describe.each(['openai-6.49', 'openai'])('what is abandoned with %s', (sdk) => {
  it('is collected, and what is kept is read to its end', async () => {
    const [watched, hooked] = await Promise.all([abandon(sdk, 'watched'), abandon(sdk, 'hooked')]);
    // All of them, as without us.
    expect(watched.collected).toHaveLength(8);
    expect(hooked.collected).toEqual(watched.collected);
    expect(watched.ends).toEqual({
      'half-read stream': ['aborted'],
      'half-read generator': ['aborted'],
      'unread stream': ['unread'],
      'unread answer': ['unread'],
      'unread answer of parse': ['unread'],
      'unread compaction': ['unread'],
      'finished call': ['completed'],
      'finished stream': ['completed'],
    });
    expect(watched.kept).toEqual({ id: 'resp_01', before: [], after: ['completed'] });
  });
});
