import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isObject } from './shapes.ts';
import type { PatchedFile } from './supported-sdk.ts';
import { SUPPORTED_SDKS } from './supported-sdks.ts';

const PLACES = SUPPORTED_SDKS.flatMap(({ name, files }) =>
  files.map((file) => ({
    sdk: name,
    file,
    pattern: new RegExp(
      `${file.folder === undefined ? '' : `(?<=${file.folder})`}[\\\\/]${file.path.replaceAll('/', '[\\\\/]')}\\.[cm]?js(?:\\?.*)?$`,
    ),
  })),
);

/**
 * The files that are patched, by URL or path: for the `include` list of a loader hook. Only these need to be hooked, and
 * a hook over every module is known to break applications.
 */
export const PATCHED_FILES: readonly RegExp[] = PLACES.map(({ pattern }) => pattern);

/** One file of an installed copy of an SDK. */
export interface SdkFile extends PatchedFile {
  readonly version: string | undefined;
}

/**
 * Recognises a file to patch wherever its package is installed, under an alias too: by the end of its path, and by the
 * name in the package.json that stands above it.
 */
export function sdkFileAt(location: string): SdkFile | undefined {
  for (const { sdk, file, pattern } of PLACES) {
    if (!pattern.test(location)) continue;
    const path = location.startsWith('file:') ? fileURLToPath(location) : location;
    const manifest = readManifest(path.slice(0, path.search(pattern)));
    if (manifest?.name === sdk)
      return { ...file, version: typeof manifest.version === 'string' ? manifest.version : undefined };
  }
  return undefined;
}

function readManifest(directory: string): Record<PropertyKey, unknown> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(`${directory}/package.json`, 'utf8'));
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
