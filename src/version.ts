/** The version in package.json. Written by scripts/generate-version.ts, not by hand. */
export const VERSION = '0.1.0';
