import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * This package is CommonJS, and its `default` is a member of what it exports. The ES modules of @grafana/ui import it as
 * bundlers for browsers give it; esbuild follows Node for them, where `default` is the whole.
 */
const scrollbars: Plugin = {
  name: 'scrollbars',
  setup({ onResolve, onLoad }) {
    const namespace = 'default-member';
    onResolve({ filter: /^react-custom-scrollbars-2$/ }, ({ path, pluginData }) =>
      pluginData === namespace ? undefined : { path, namespace },
    );
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `export { Scrollbars as default } from '${path}';`,
      resolveDir: import.meta.dirname,
      pluginData: namespace,
    }));
  },
};

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
    plugins: [scrollbars],
    define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
    loader: { '.svg': 'dataurl', '.woff2': 'dataurl', '.woff': 'dataurl', '.ttf': 'dataurl', '.png': 'dataurl' },
    logLevel: 'warning',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  // One file: the style sheet is put into the page by the script.
  const style = `document.head.append(Object.assign(document.createElement('style'),{textContent:${JSON.stringify(text('.css'))}}));`;
  return Buffer.from(`${style}${text('.js')}`);
}
