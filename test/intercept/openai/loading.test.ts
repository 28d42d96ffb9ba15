import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleApplication } from '../support/bundle.ts';
import { ROOT, runChild, support } from '../support/run-child.ts';
import type { WireServer } from '../support/wire-server.ts';
import { startOpenaiWire } from './support/wire.ts';

const here = (file: string): string => fileURLToPath(new URL(`support/${file}`, import.meta.url));

let server: WireServer;
beforeAll(async () => {
  server = await startOpenaiWire();
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

describe('six copies of five majors and minors in one process, with register', () => {
  it.each(NODES)('have each call observed once, the WebSocket too, on Node %s', async (_name, node) => {
    const env = { REASONING_OTEL_SDK: 'off' };
    const args = [server.base('ok'), `${ROOT}dist/register.js`];
    const spans = JSON.parse(await printed(here('copies-child.mjs'), args, { node, env }));
    const one = 'chat gpt-test not_applicable';
    expect(spans).toEqual({
      'newest, import': [one, one, one],
      'newest, require': [one, one, one],
      '6.49, import': [one, one, one],
      '4.104, import': [one, one],
      '4.87, import': [one, one],
      '5.23, required early': [one, one],
    });
  });
});

describe('an application in one minified file', () => {
  it('is observed by instrumentClient: the client, its copies, a WebSocket; nothing else', async () => {
    const spans = JSON.parse(await printed(await bundleApplication(here('bundled-app.ts')), [server.base('ok')]));
    expect(spans).toEqual([
      'chat bundled-chat not_applicable',
      'chat bundled-stream not_applicable',
      'chat gpt-test not_applicable',
    ]);
  });
});

describe('another instrumentation of the same SDK', () => {
  it.each(['theirs', 'ours'])('shares its one span of each call, patched first: %s', async (order) => {
    const args = [order, server.base('').slice(0, -1), 'openai-4.87', 'openai-6.49'];
    const report = JSON.parse(await printed(here('neighbour-child.ts'), args));
    const shared = ['@opentelemetry/instrumentation-openai true false'];
    const refused = ['@opentelemetry/instrumentation-openai true true'];
    const spans = {
      chat: shared,
      responses: shared,
      'chat, refused': refused,
      'responses, refused': refused,
      'chat stream': shared,
      'responses stream': shared,
      'responses helper': shared,
    };
    expect(report).toEqual({ 'openai-4.87': spans, 'openai-6.49': spans });
  });
});

describe('an SDK that was imported too early', () => {
  it.each(['openai', 'openai-4.87'])('is told of once, with the command that mends it: %s', async (sdk) => {
    const lines = (await printed(support('too-early-child.ts'), [sdk, server.base('ok')])).trim().split('\n');
    expect(lines[0]).toBe('fetched');
    expect(lines.slice(1)).toEqual([
      'reasoning-otel openai sent a request that was not observed: it was loaded before the instrumentation, bundled, or ' +
        'imported without a loader hook. Mend it with: node --import reasoning-otel/register app.js — or, in a bundle, with ' +
        'instrumentClient(client)',
    ]);
  });

  it('is not told of where its client was handed over', async () => {
    expect(await printed(support('too-early-child.ts'), ['openai', server.base('ok'), 'client'])).toBe('fetched\n');
  });
});
