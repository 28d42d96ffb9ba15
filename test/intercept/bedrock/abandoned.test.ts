import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runChild } from '../support/run-child.ts';

const CHILD = fileURLToPath(new URL('support/abandon-child.ts', import.meta.url));

async function abandon(sdk: string, mode: string) {
  const { code, stdout, stderr } = await runChild(CHILD, [sdk, mode], { nodeArgs: ['--expose-gc'] });
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

describe.each(['bedrock-runtime-3.840', '@aws-sdk/client-bedrock-runtime'])('what is abandoned with %s', (sdk) => {
  it('is collected as it would have been, and its call ends', async () => {
    const [bare, watched] = await Promise.all([abandon(sdk, 'bare'), abandon(sdk, 'watched')]);
    expect(bare.collected).toHaveLength(5);
    expect(watched.collected).toEqual(bare.collected);
    expect(watched.ends).toEqual({
      'half-read stream': ['aborted'],
      'half-read generator': ['aborted'],
      'unread stream': ['unread'],
      'finished call': ['completed'],
      'finished stream': ['completed'],
    });
  });
});
