import { launch } from 'puppeteer-core';
import type { View } from './page/board.ts';

export interface Camera extends AsyncDisposable {
  /** Draws one board into a file. @returns what could not be drawn: failed queries, errors of the page */
  take(view: View, width: number, file: string): Promise<readonly string[]>;
}

const DRAWN_WITHIN_MS = 60_000;
/** Chromium has none for root, as in most containers; the page is our own. */
const SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** A browser that looks at the page at `url`. */
export async function openCamera(executablePath: string, url: string): Promise<Camera> {
  const browser = await launch({ executablePath, args: [...SANDBOX, '--disable-gpu', '--hide-scrollbars'] });
  return {
    async take(view, width, file) {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.setViewport({ width, height: 900 });
      await page.evaluateOnNewDocument((value) => Object.assign(globalThis, { view: value }), view as never);
      await page.goto(url);
      await page.waitForFunction('window.faults !== undefined', { timeout: DRAWN_WITHIN_MS });
      const faults = (await page.evaluate('window.faults')) as readonly string[];
      await page.screenshot({ path: file as `${string}.png`, fullPage: true, optimizeForSpeed: false });
      await page.close();
      return [...errors, ...faults];
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
