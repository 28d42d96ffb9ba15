import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleApplication } from '../support/bundle.ts';
import { ROOT, runChild } from '../support/run-child.ts';
import { type BedrockWire, startBedrockWire } from './support/wire.ts';

const here = (file: string): string => fileURLToPath(new URL(`support/${file}`, import.meta.url));

let server: BedrockWire;
beforeAll(async () => {
  server = await startBedrockWire();
  return () => server.close();
});

async function printed(file: string, args: string[], options: Parameters<typeof runChild>[2] = {}): Promise<string> {
  const { code, stdout, stderr } = await runChild(file, args, options);
  if (code !== 0) throw new Error(`${file}: exit code ${code}\n${stderr}`);
  return stdout;
}

const NODES = [
  ['current', process.execPath],
  ['20', `${ROOT}node_modules/node20/bin/node`],
] as const;

describe('two versions in one process, imported and required, with register', () => {
  it.each(NODES)('have each call observed once on Node %s', async (_name, node) => {
    const env = { REASONING_OTEL_SDK: 'off' };
    const args = [server.base('ok'), `${ROOT}dist/register.js`];
    const spans = JSON.parse(await printed(here('copies-child.mjs'), args, { node, env }));
    const one = 'chat anthropic.claude-test-v1:0 not_applicable';
    expect(spans).toEqual({
      'newest, import': [one, one],
      'newest, require': [one, one],
      '3.840, required early': [one, one],
      '3.840, import': [one, one],
    });
  });
});

describe('an application in one minified file', () => {
  it('is observed by instrumentClient: the clients handed over, and no other', async () => {
    const spans = JSON.parse(await printed(await bundleApplication(here('bundled-app.ts')), [server.base('ok')]));
    expect(spans).toEqual([
      'chat bundled.converse not_applicable',
      'chat bundled.stream not_applicable',
      'chat bundled.method not_applicable',
    ]);
  });
});

describe('the instrumentation of the AWS SDK', () => {
  it.each(['theirs', 'ours'])('shares its one span of each call, registered first: %s', async (first) => {
    const args = [first, server.base('ok'), server.base('bad')];
    const shared = '@opentelemetry/instrumentation-aws-sdk: chat anthropic.claude-test-v1:0, not_applicable';
    expect(JSON.parse(await printed(here('neighbour-child.ts'), args))).toEqual({
      converse: [`${shared}, rejected false`],
      refused: [`${shared}, rejected true`],
      stream: [`${shared}, rejected false`],
    });
  });
});

describe('an SDK that was imported too early', () => {
  it('is told of once, with the command that mends it', async () => {
    const lines = (await printed(here('too-early-child.ts'), [server.base('ok')])).trim().split('\n');
    expect(lines).toEqual([
      'reasoning-otel @aws-sdk/client-bedrock-runtime sent a request that was not observed: it was loaded before the ' +
        'instrumentation, bundled, or imported without a loader hook. Mend it with: node --import reasoning-otel/register ' +
        'app.js — or, in a bundle, with instrumentClient(client)',
    ]);
  });
});
