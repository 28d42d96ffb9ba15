import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOptions, USAGE } from '../../dashboards/preview/read-options.ts';

const DASHBOARDS = join(import.meta.dirname, '..', '..', 'dashboards');

test.each([
  [['--minutes', '0'], '--minutes 0: expected a number above 0'],
  [['--minutes', 'all'], '--minutes all: expected a number above 0'],
  [['--interval=-1'], '--interval -1: expected a number above 0'],
  [['--themes', 'light,grey'], '--themes grey: expected light or dark'],
  [['--widths', '1280,300'], '--widths 300: expected pixels, from 600 to 8000'],
  [['--boards', 'nothing'], '--boards nothing: no such board in dashboards/'],
  [['--prometheus', 'localhost:9090'], '--prometheus localhost:9090: expected an address, as http://127.0.0.1:9090'],
  [['--prometheus', 'here'], '--prometheus here: expected an address, as http://127.0.0.1:9090'],
  [['--nothing'], "Unknown option '--nothing'"],
])('%j is refused in one line', (args, line) => {
  expect(() => readOptions(args, DASHBOARDS, 'out')).toThrow(line);
});

test('all boards, both themes, a small and a large screen, unless told', () => {
  const options = readOptions([], DASHBOARDS, 'out');
  expect(options).toMatchObject({
    minutes: 60,
    interval: 60,
    out: 'out',
    themes: ['light', 'dark'],
    widths: [1280, 1920],
  });
  expect(options?.boards).toHaveLength(4);
  const one = [
    '--boards',
    'continuity-*',
    '--themes',
    'dark',
    '--widths',
    '800',
    '--minutes',
    '0.5',
    '--interval',
    '1',
    '--out',
    'here',
  ];
  expect(readOptions(one, DASHBOARDS, 'out')).toEqual({
    prometheus: undefined,
    minutes: 0.5,
    interval: 1,
    out: 'here',
    themes: ['dark'],
    widths: [800],
    boards: [join(DASHBOARDS, 'continuity-overview.json')],
  });
});

/** The command where its packages are not installed, or seem to be. */
async function preview(args: readonly string[], { CHROMIUM = process.execPath, installed = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'reasoning-preview-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [from, to] = [join(DASHBOARDS, 'preview'), join(folder, 'preview')];
  for (const file of ['preview.ts', 'read-options.ts', 'package.json']) cpSync(join(from, file), join(to, file));
  cpSync(join(DASHBOARDS, 'loop-economics.json'), join(folder, 'loop-economics.json'));
  if (installed) mkdirSync(join(to, 'node_modules', '@grafana', 'ui'), { recursive: true });
  const child = spawn(process.execPath, [join(to, 'preview.ts'), ...args], { env: { ...process.env, CHROMIUM } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return [code, out, err];
}

test('--help says how', async () => {
  expect(await preview(['--help'], { installed: false })).toEqual([0, `${USAGE}\n`, '']);
});

test('an option that cannot be ends it', async () => {
  const line = '--themes blue: expected light or dark\n';
  expect(await preview(['--themes', 'blue'])).toEqual([2, '', line]);
  expect(await preview(['--minutes', '-1'])).toEqual([2, '', "Option '--minutes' argument is ambiguous.\n"]);
});

test('packages that are missing end it with the command that installs them', async () => {
  const line =
    'The preview has packages of its own, about 480 MB; install them with: npm ci --prefix dashboards/preview\n';
  expect(await preview([], { installed: false })).toEqual([2, '', line]);
});

test('so does a Chromium that is not there', async () => {
  const line = 'CHROMIUM=/nowhere/chromium: no such file; install one, or name its file in CHROMIUM\n';
  expect(await preview([], { CHROMIUM: '/nowhere/chromium' })).toEqual([2, '', line]);
});

test('so does a Prometheus that does not answer, or is none', async () => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const none = await preview(['--prometheus', url]);
  await new Promise((resolve) => server.close(resolve));
  expect(none).toEqual([2, '', `--prometheus ${url}: answered with 404\n`]);
  const silent = await preview(['--prometheus', url]);
  expect(silent).toEqual([2, '', `--prometheus ${url}: connect ECONNREFUSED 127.0.0.1:${port}\n`]);
});
