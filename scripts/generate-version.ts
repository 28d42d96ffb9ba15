/** Writes src/version.ts from package.json, so that the version a span carries is the version that was published. */
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) {
  throw new Error('package.json: no "version"');
}
writeFileSync(
  new URL('src/version.ts', root),
  `/** The version in package.json. Written by scripts/generate-version.ts, not by hand. */
export const VERSION = '${String(manifest.version)}';
`,
);
