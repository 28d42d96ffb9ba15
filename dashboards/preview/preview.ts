/**
 * `npm run preview`: pictures of the shipped boards, drawn by Grafana's own components in headless Chromium from what a
 * real Prometheus answers. Without --prometheus it starts the local stack and sends the demo and the experiment through it.
 * Ends with 2 where an option is wrong or something that it needs is missing, with 1 where the stack or a panel failed.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { View } from './page/board.ts';
import { type PreviewOptions, readOptions, USAGE } from './read-options.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Points that a trend shows. */
const POINTS = 200;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws why that Prometheus cannot be asked */
async function reach(prometheus: string): Promise<void> {
  const fault = await fetch(new URL('/api/v1/query?query=1', prometheus)).then(
    ({ ok, status }) => (ok ? undefined : `answered with ${status}`),
    // fetch itself only says that it failed.
    ({ cause, message }) => cause?.message || cause?.code || message,
  );
  if (fault) throw new Error(`--prometheus ${prometheus}: ${fault}`);
}

/** @throws what is missing, in words */
async function begin(args: readonly string[]): Promise<(PreviewOptions & { readonly browser: string }) | undefined> {
  const options = readOptions(args, join(HERE, '..'), join(ROOT, '.cache', 'preview'));
  if (options === undefined) return undefined;
  if (!existsSync(join(HERE, 'node_modules', '@grafana', 'ui'))) {
    throw new Error(
      'The preview has packages of its own, about 480 MB; install them with: npm ci --prefix dashboards/preview',
    );
  }
  const { CHROMIUM } = process.env;
  const browser = CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  if (browser === undefined || !existsSync(browser)) {
    throw new Error(
      `${CHROMIUM ? `CHROMIUM=${CHROMIUM}: no such file` : 'No Chromium found'}; install one, or name its file in CHROMIUM`,
    );
  }
  if (options.prometheus !== undefined) await reach(options.prometheus);
  return { ...options, browser };
}

async function main(args: readonly string[]): Promise<number> {
  const options = await begin(args).catch((error: unknown) => messageOf(error));
  if (typeof options === 'string') {
    // Node adds advice on an option that it cannot read.
    console.error(options.replace(/\n.*/s, ''));
    return 2;
  }
  if (options === undefined) {
    console.log(USAGE);
    return 0;
  }
  const { prometheus, minutes, interval, out, boards, themes, widths, browser } = options;
  // Only now: the packages are there.
  const { bundlePage } = await import('./bundle-page.ts');
  const { servePage } = await import('./serve-page.ts');
  const { openCamera } = await import('./camera.ts');
  const { withDemoData } = await import('./with-demo-data.ts');

  const drawAll = async (url: string, from: number, interval: number): Promise<readonly string[]> => {
    const to = Math.floor(Date.now() / 1000);
    const step = Math.ceil(Math.max(interval, (to - from) / POINTS));
    const range = { from, to, step, rateInterval: Math.max(step + interval, 4 * interval) };
    mkdirSync(out, { recursive: true });
    const faults = new Set<string>();
    await using page = await servePage(await bundlePage(), url);
    await using camera = await openCamera(browser, page.url);
    for (const file of boards) {
      const board: View['board'] = JSON.parse(readFileSync(file, 'utf8'));
      const name = basename(file, '.json');
      for (const theme of themes) {
        for (const width of widths) {
          const picture = join(out, `${name}-${theme}-${width}.png`);
          const found = await camera.take({ board, theme, ...range }, width, picture);
          console.log(relative(process.cwd(), picture));
          for (const fault of found) faults.add(`${name}: ${fault}`);
        }
      }
    }
    return [...faults];
  };

  const faults =
    prometheus === undefined
      ? await withDemoData(drawAll)
      : await drawAll(prometheus, Math.floor(Date.now() / 1000 - minutes * 60), interval);
  for (const fault of faults) console.error(fault);
  return faults.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
