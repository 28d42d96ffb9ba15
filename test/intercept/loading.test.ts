import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleApplication, bundleCopies } from './support/bundle.ts';
import { runChild, support } from './support/run-child.ts';
import { startWireServer, type WireServer } from './support/wire-server.ts';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer();
  return () => server.close();
});

async function printed(file: string, args: string[], options: Parameters<typeof runChild>[2] = {}): Promise<string> {
  const { code, stdout, stderr } = await runChild(file, args, options);
  if (code !== 0) throw new Error(`${file}: exit code ${code}\n${stderr}`);
  return stdout;
}

const NODES = [
  ['current', process.execPath],
  ['20', fileURLToPath(new URL('../../node_modules/node20/bin/node', import.meta.url))],
] as const;

describe('several copies of the SDK and two of this package in one process', () => {
  let copies: { esm: string; cjs: string };
  beforeAll(async () => {
    copies = await bundleCopies();
  });

  it.each(NODES)('have each call observed once, on Node %s', async (_name, node) => {
    const loader = '--experimental-loader=@opentelemetry/instrumentation/hook.mjs';
    const args = [server.base('ok'), copies.esm, copies.cjs];
    const { both, one, none } = JSON.parse(
      await printed(support('copies-child.mjs'), args, { node, nodeArgs: [loader] }),
    );
    // One call of each resource.
    const twoEach = {
      'newest, import': 2,
      'newest, require': 2,
      '0.60, import': 2,
      '0.37, require by alias': 2,
      '0.137, required early': 2,
    };
    expect(both).toEqual(twoEach);
    expect(one).toEqual(twoEach);
    expect(Object.values(none)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('an application in one minified file', () => {
  it('is observed by instrumentClient, copies of the client included, other clients not', async () => {
    const spans = JSON.parse(await printed(await bundleApplication(), [server.base('ok')]));
    expect(spans).toEqual([
      'chat claude-test not_applicable',
      'anthropic.messages.create not_applicable',
      'chat claude-test not_applicable',
    ]);
  });
});

describe('another instrumentation of the same SDK', () => {
  it.each([
    ['anthropic-0.60', 'theirs'],
    ['anthropic-0.60', 'ours'],
    ['@anthropic-ai/sdk', 'theirs'],
    ['@anthropic-ai/sdk', 'ours'],
  ])('shares its one span of each call of %s, patched first: %s', async (sdk, order) => {
    const spans = JSON.parse(await printed(support('neighbour-child.ts'), [sdk, order, server.base('').slice(0, -1)]));
    const shared = ['Anthropic Messages, judged: true'];
    expect(spans).toEqual({ create: shared, beta: shared, refused: shared, stream: shared, helper: shared });
  });
});

describe('an SDK that was imported too early', () => {
  it.each(['@anthropic-ai/sdk', 'anthropic-0.37'])(
    'is told of once, with the command that mends it: %s',
    async (sdk) => {
      const lines = (await printed(support('too-early-child.ts'), [sdk, server.base('ok')])).trim().split('\n');
      expect(lines[0]).toBe('fetched');
      expect(lines.slice(1)).toEqual([
        'reasoning-otel @anthropic-ai/sdk sent a request that was not observed: it was loaded before the instrumentation, ' +
          'bundled, or imported without a loader hook. Mend it with: node --import reasoning-otel/register app.js — or, in a ' +
          'bundle, with instrumentClient(client)',
      ]);
    },
  );
});
