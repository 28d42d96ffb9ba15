import { launch } from 'puppeteer-core';
import type { View } from './page/board.ts';

/** Draws one board. @returns what could not be drawn: failed queries, errors of the page */
export async function takePicture(
  executablePath: string,
  url: string,
  view: View,
  width: number,
  file: string,
): Promise<readonly string[]> {
  const browser = await launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'] });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.setViewport({ width, height: 900 });
    await page.evaluateOnNewDocument((value) => Object.assign(globalThis, { view: value }), view as never);
    await page.goto(url);
    await page.waitForFunction('window.faults !== undefined', { timeout: 60_000 });
    const faults = (await page.evaluate('window.faults')) as readonly string[];
    await page.screenshot({ path: file as `${string}.png`, fullPage: true });
    return [...errors, ...faults];
  } finally {
    await browser.close();
  }
}
