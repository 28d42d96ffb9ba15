import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ANTHROPIC_FILES, ANTHROPIC_SDK } from './anthropic.ts';
import { isObject } from './shapes.ts';
import type { Target } from './target.ts';

/**
 * The files that are patched, by URL or path: for the `include` list of a loader hook. Only these need to be hooked, and
 * a hook over every module is known to break applications.
 */
export const PATCHED_FILES: readonly RegExp[] = ANTHROPIC_FILES.map(
  ({ path }) => new RegExp(`[\\\\/]${path.replaceAll('/', '[\\\\/]')}\\.m?js(?:\\?.*)?$`),
);

/** One file of an installed copy of an SDK. */
export interface SdkFile {
  readonly target: Target;
  readonly version: string | undefined;
}

/**
 * Recognises a file to patch wherever its package is installed, under an alias too: by the end of its path, and by the
 * name in the package.json that stands above it.
 */
export function sdkFileAt(location: string): SdkFile | undefined {
  const index = PATCHED_FILES.findIndex((pattern) => pattern.test(location));
  const file = ANTHROPIC_FILES[index];
  if (!file) return undefined;
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  const manifest = readManifest(path.slice(0, path.search(PATCHED_FILES[index] as RegExp)));
  if (manifest?.name !== ANTHROPIC_SDK) return undefined;
  return { target: file.target, version: typeof manifest.version === 'string' ? manifest.version : undefined };
}

function readManifest(directory: string): Record<PropertyKey, unknown> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(`${directory}/package.json`, 'utf8'));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
