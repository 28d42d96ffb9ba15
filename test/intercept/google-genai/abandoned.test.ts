import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runChild } from '../support/run-child.ts';

interface Abandoned {
  readonly collected: string[];
  readonly ends: Readonly<Record<string, string[]>>;
}

const CHILD = fileURLToPath(new URL('support/abandon-child.ts', import.meta.url));

async function abandon(sdk: string, mode: string): Promise<Abandoned> {
  const { code, stdout, stderr } = await runChild(CHILD, [sdk, mode], { nodeArgs: ['--expose-gc'] });
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

describe.each(['genai-1.50', '@google/genai'])('what is abandoned with %s', (sdk) => {
  it('is collected as without us, and ends', async () => {
    const [bare, watched] = await Promise.all([abandon(sdk, 'bare'), abandon(sdk, 'watched')]);
    expect(watched.collected).toEqual(bare.collected);
    expect(watched.ends).toEqual({
      'half-read stream': ['aborted'],
      'half-read stream with tools': ['aborted'],
      'unread stream': ['unread'],
      'unread interaction': ['unread'],
      'finished call': ['completed'],
      'finished stream': ['completed'],
      'finished interaction': ['completed'],
    });
  });
});
