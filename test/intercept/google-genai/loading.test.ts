import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleApplication } from '../support/bundle.ts';
import { ROOT, runChild, support } from '../support/run-child.ts';
import type { WireServer } from '../support/wire-server.ts';
import { startGoogleWire } from './support/wire.ts';

const here = (file: string): string => fileURLToPath(new URL(`support/${file}`, import.meta.url));

let server: WireServer;
beforeAll(async () => {
  server = await startGoogleWire();
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

describe('seven copies of four majors and minors in one process, with register', () => {
  it.each(NODES)('have each call observed once, chats and interactions too, on Node %s', async (_name, node) => {
    const env = { REASONING_OTEL_SDK: 'off' };
    const spans = JSON.parse(
      await printed(here('copies-child.mjs'), [server.base('ok'), `${ROOT}dist/register.js`], { node, env }),
    );
    const one = 'generate_content gemini-3.8-flash not_applicable';
    const all = [one, one, one, one];
    expect(spans).toEqual({
      'newest, import': all,
      'newest, import, for browsers': all,
      'newest, require': all,
      '2.32, import': all,
      '1.50, import': all,
      '1.50, required early': all,
      '1.0, import': [one, one],
    });
  });
});

describe('an application in one minified file', () => {
  it('is observed by instrumentClient: the client, its chats and interactions; nothing else', async () => {
    const spans = JSON.parse(await printed(await bundleApplication(here('bundled-app.ts')), [server.base('ok')]));
    expect(spans).toEqual([
      'generate_content bundled-model not_applicable',
      'generate_content bundled-chat not_applicable',
      'generate_content bundled-interaction not_applicable',
      'generate_content bundled-stream not_applicable',
    ]);
  });
});

describe('an SDK that was imported too early', () => {
  it.each(['@google/genai', 'genai-1.50'])('is told of once, with the command that mends it: %s', async (sdk) => {
    const lines = (await printed(support('too-early-child.ts'), [sdk, server.base('ok')])).trim().split('\n');
    expect(lines[0]).toBe('fetched');
    expect(lines.slice(1)).toEqual([
      'reasoning-otel @google/genai sent a request that was not observed: it was loaded before the instrumentation, bundled, ' +
        'or imported without a loader hook. Mend it with: node --import reasoning-otel/register app.js — or, in a bundle, ' +
        'with instrumentClient(client)',
    ]);
  });

  it('is not told of where its client was handed over', async () => {
    expect(await printed(support('too-early-child.ts'), ['@google/genai', server.base('ok'), 'client'])).toBe(
      'fetched\n',
    );
  });
});
