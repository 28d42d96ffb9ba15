import { describe, expect, it } from 'vitest';
import { runChild, support } from './support/run-child.ts';

interface Abandoned {
  readonly collected: string[];
  readonly ends: Readonly<Record<string, string[]>>;
}

async function abandon(sdk: string, mode: string): Promise<Abandoned> {
  const { code, stdout, stderr } = await runChild(support('abandon-child.ts'), [sdk, mode], {
    nodeArgs: ['--expose-gc'],
  });
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

// The newest has tracing of its own, which once kept an abandoned stream alive together with ours.
describe.each(['anthropic-0.60', 'anthropic-0.137', '@anthropic-ai/sdk'])('what is abandoned with %s', (sdk) => {
  it('is collected as it would have been', async () => {
    const [bare, watched, hooked] = await Promise.all([
      abandon(sdk, 'bare'),
      abandon(sdk, 'watched'),
      abandon(sdk, 'hooked'),
    ]);
    expect(bare.collected).toHaveLength(6);
    expect(watched.collected).toEqual(bare.collected);
    expect(hooked.collected).toEqual(bare.collected);
    expect(watched.ends).toEqual({
      'half-read stream': ['aborted'],
      'half-read generator': ['aborted'],
      'unread stream': ['unread'],
      'unread answer': ['unread'],
      'finished call': ['completed'],
      'finished stream': ['completed'],
    });
  });
});
