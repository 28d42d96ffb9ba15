import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'tsdown';
import { ROOT, support } from './run-child.ts';

const OUT = join(ROOT, '.cache/intercept-test');

/** Everything in one file, names shortened: no package and no class has its name any more. */
export async function bundleApplication(source = support('bundled-app.ts')): Promise<string> {
  const outDir = join(OUT, createHash('sha1').update(source).digest('hex'));
  await build({
    ...COMMON,
    entry: { app: source },
    format: ['esm'],
    minify: true,
    deps: { alwaysBundle: [/./] },
    outDir,
  });
  return join(outDir, 'app.mjs');
}

/** This package as two installed copies would be: an ES module, and CommonJS, each with a state of its own. */
export async function bundleCopies(): Promise<{ esm: string; cjs: string }> {
  const outDir = join(OUT, 'copies');
  await build({ ...COMMON, entry: { copy: join(ROOT, 'src/index.ts') }, format: ['esm', 'cjs'], outDir });
  return { esm: join(outDir, 'copy.mjs'), cjs: join(outDir, 'copy.cjs') };
}

const COMMON = {
  config: false,
  platform: 'node',
  target: 'node20',
  dts: false,
  logLevel: 'silent',
  clean: true,
} as const;
