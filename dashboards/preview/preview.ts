/**
 * `npm run preview`: pictures of the shipped boards, drawn by Grafana's own components in headless Chromium from what a
 * real Prometheus answers. Without --prometheus it starts the local stack and sends the demo and the experiment through it.
 */
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { View } from './page/board.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const { values: options } = parseArgs({
  options: {
    prometheus: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    out: { type: 'string', default: join(ROOT, '.cache', 'preview') },
    widths: { type: 'string', default: '1280,1920' },
    themes: { type: 'string', default: 'light,dark' },
    boards: { type: 'string', default: '*' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const USAGE = `Usage: npm run preview [-- --prometheus URL] [--minutes 15] [--widths 1280,1920] [--themes light,dark] [--boards NAME] [--out FOLDER]`;

function fail(why: string): never {
  console.error(why);
  process.exit(2);
}

if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!existsSync(join(HERE, 'node_modules', '@grafana', 'ui'))) {
  fail('The preview has packages of its own, about 480 MB: install them with\n  npm ci --prefix dashboards/preview');
}
const browser = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
if (browser === undefined) fail('No Chromium found: install it, or name its file in CHROMIUM=');
const minutes = Number(options.minutes);
if (!(minutes > 0)) fail(`--minutes ${options.minutes}: must be a number above 0`);
const themes = options.themes.split(',').map((theme) => {
  if (theme !== 'light' && theme !== 'dark') fail(`--themes ${theme}: must be light or dark`);
  return theme;
});
const widths = options.widths.split(',').map((width) => {
  if (!(Number(width) >= 600)) fail(`--widths ${width}: must be a number of at least 600`);
  return Number(width);
});
const files = globSync(join(HERE, '..', `${options.boards}.json`)).sort();
if (files.length === 0) fail(`--boards ${options.boards}: no such board in dashboards/`);

// Only now: the packages are there.
const { bundlePage } = await import('./bundle-page.ts');
const { servePage } = await import('./serve-page.ts');
const { takePicture } = await import('./take-picture.ts');
const { withDemoData } = await import('./with-demo-data.ts');

async function drawAll(prometheus: string, from?: number): Promise<readonly string[]> {
  const to = Math.floor(Date.now() / 1000);
  const start = from ?? to - minutes * 60;
  const range = { from: start, to, step: Math.max(5, Math.round((to - start) / 200)) };
  mkdirSync(options.out, { recursive: true });
  const faults: string[] = [];
  await using page = await servePage(await bundlePage(), prometheus);
  for (const file of files) {
    const board: View['board'] = JSON.parse(readFileSync(file, 'utf8'));
    for (const theme of themes) {
      for (const width of widths) {
        const picture = join(options.out, `${basename(file, '.json')}-${theme}-${width}.png`);
        const found = await takePicture(browser as string, page.url, { board, theme, ...range }, width, picture);
        console.log(relative(process.cwd(), picture));
        for (const fault of found) faults.push(`${basename(file)}: ${fault}`);
      }
    }
  }
  return [...new Set(faults)];
}

const { prometheus } = options;
const faults = prometheus === undefined ? await withDemoData(drawAll) : await drawAll(prometheus);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
