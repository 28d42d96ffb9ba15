import { join } from 'node:path';
import { build } from 'esbuild';

/** The page as one script. */
export async function bundlePage(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page', 'main.tsx')],
    bundle: true,
    write: false,
    outdir: 'page',
    format: 'iife',
    platform: 'browser',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
    loader: { '.svg': 'dataurl', '.woff2': 'dataurl', '.woff': 'dataurl', '.ttf': 'dataurl', '.png': 'dataurl' },
    logLevel: 'warning',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  // One file: the style sheet is put into the page by the script.
  const style = `document.head.append(Object.assign(document.createElement('style'),{textContent:${JSON.stringify(text('.css'))}}));`;
  return Buffer.from(`${style}${text('.js')}`);
}
